"""Training at the sandbox: the course, the coach beside the till, and the customer's phone."""
