"""Castle: 2 to 4 players lay tiles on a plan. Plan and distribution of tiles are data files of our own."""
