"""What rules of several kinds share: children, masks of rows, proofs, reasons why a log is not judged."""
