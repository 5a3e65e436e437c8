"""`kg learn`: adapted weights from annotations and decisions, and what they gain."""
