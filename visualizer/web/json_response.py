"""The conversion of an answer to bytes, in one place."""

from __future__ import annotations

from typing import Any, Final

import orjson
from flask import Response, request

from plyscope.visualizer.analysis.json_answer import as_json

OPTIONS: Final = orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS


def json_response(body: Any, status: int = 200) -> Response:
    """`body` as JSON, with answers in it; elsewhere the caller has replaced infinities and NaN by words."""
    text = orjson.dumps(body, default=as_json, option=OPTIONS)
    return Response(text, status=status, mimetype="application/json")


def unless_known(answer: Response) -> Response:
    """The answer, or that nothing has changed, to who asks again."""
    answer.add_etag()
    answer.make_conditional(request)
    return answer
