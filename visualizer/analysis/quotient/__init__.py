"""How often the randomness quotient plays each rank, by its formula and by draws; as lines, SVG and JSON."""
