"""The compact form of a log: chunks of records, whose layout the file declares."""
