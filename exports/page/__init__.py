"""The interactive HTML page."""
