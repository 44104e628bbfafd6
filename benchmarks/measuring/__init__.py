"""What tasks have in common: treebanks, attachment, training, speed, other programs."""
