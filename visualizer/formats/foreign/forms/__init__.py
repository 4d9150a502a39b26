"""The forms of trees: of each its steps, and what makes a tree of a pass by them."""
