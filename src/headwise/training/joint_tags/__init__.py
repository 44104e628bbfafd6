"""What is learned for tags that are chosen together with trees."""
