"""The chances of ranks under the randomness quotient, by its formula and by draws; as lines, SVG and JSON."""
