"""What a paper does with an entity."""
