"""Coverage-guided fuzzing of all parsers: `python -m tests.fuzzing TARGET`."""
