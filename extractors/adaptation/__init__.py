"""Weights adapted to a field by learning from annotations: their layers and file format."""
