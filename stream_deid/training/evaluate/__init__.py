"""How good a system is: counts that add, tables, significance, and a page to look at errors."""
