"""Rules of windows, cuts and depths, and of several visits of one ply."""
