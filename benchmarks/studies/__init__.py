"""Questions of our own, a file each: their tasks, what these do, and the tables made of the results."""
