"""What fills the tables of scores: features, roles, a tensor, a network, features of whole trees."""
