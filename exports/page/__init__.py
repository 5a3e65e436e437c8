"""Export of the interactive HTML page."""
