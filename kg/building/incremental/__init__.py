"""Extractions kept between builds, and what makes them valid."""
