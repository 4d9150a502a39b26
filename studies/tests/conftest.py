"""What the tests of the studies share with those of the product."""

from __future__ import annotations

from tests.unit.cli.conftest import plyscope

__all__ = ["plyscope"]
