"""`kg learn`: adapted weights from annotations and decisions, and their evaluation."""
