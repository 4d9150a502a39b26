"""Other people's published players, measured again: a distribution of its own, which stands on Plyscope.

`plyscope study` lists its commands. The product never imports it.
"""
