"""Reading one paper's text: which names stand in it, what they are, what the paper does with them."""
