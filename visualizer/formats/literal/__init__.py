"""What people paste that is no strict JSON: literals, names that come twice, what ends too early."""
