"""The Universal Hive Protocol: Hive against any viewer that speaks it, line by line."""
