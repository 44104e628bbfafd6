"""A network whose opinion is added to the scores of features: what it is, its size, how it is learned."""
