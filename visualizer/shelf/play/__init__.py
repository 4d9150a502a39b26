"""Games that a person plays against an agent: their files, the agents, and the reasons of their plies."""
