"""The pipeline with the shipped weights, which tests of extraction share: loading it takes seconds."""

from __future__ import annotations

from functools import cache

from citekg.extractors.pipeline import ExtractionPipeline


@cache
def shipped_pipeline() -> ExtractionPipeline:
    """The pipeline of this process, loaded on the first call."""
    return ExtractionPipeline()
