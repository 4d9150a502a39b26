"""Ground that rules of several kinds share: children, masks of rows, proofs, reasons not to judge a log."""
