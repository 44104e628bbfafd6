"""Features of whole trees."""
