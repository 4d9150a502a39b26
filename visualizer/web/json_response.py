"""The conversion of an answer to bytes, in one place."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response


def json_response(body: Any, status: int = 200) -> Response:
    """`body` as JSON; the caller has turned infinities and NaN into their words."""
    return Response(
        orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS),
        status=status,
        mimetype="application/json",
    )
