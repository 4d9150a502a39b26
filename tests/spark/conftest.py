"""These tests want Spark, which `make spark` installs; without it they are not collected."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("pyspark") else ["test_*.py"]
