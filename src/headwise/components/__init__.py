"""What models are made of. Each component says how it is configured, stored, computed and described."""
