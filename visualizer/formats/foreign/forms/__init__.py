"""The forms of foreign trees: the steps of each, and the function that makes a tree of a pass by them."""
