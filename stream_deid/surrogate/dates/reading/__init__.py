"""What a date says, in whatever form it is written."""
