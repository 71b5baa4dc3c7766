"""The till: amount, methods, the running payment, its result, and what needs attention."""
