"""Resources among one another: whose each is, how they refer to each other, where a walk is."""
