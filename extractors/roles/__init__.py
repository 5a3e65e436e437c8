"""Role classification: what a paper does with an entity."""
