"""The last look at what a message keeps: whether somebody stands in it all the same."""
