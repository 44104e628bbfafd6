"""What decides which arcs larger parts are made of."""
