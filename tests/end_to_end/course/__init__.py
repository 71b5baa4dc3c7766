"""A learner at the till, and what learners do, right and wrong."""
