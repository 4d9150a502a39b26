"""The guard against strangers: token, foreign Host headers, cross-site changes. Headers of every answer."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import Flask, Response, abort, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized
from werkzeug.http import parse_cookie

WITHOUT_TOKEN: Final = (
    "this viewer asks for its token: open the address that plyscope printed, "
    "or send the header `Authorization: Bearer TOKEN`"
)


@dataclass(frozen=True, repr=False)
class Token:
    """A secret that is in the printed address once, then in a cookie; scripts send it as a header.

    >>> token = Token("secret")
    >>> token.is_in("Bearer secret", ""), token.is_in("", f"{token.cookie}=secret"), token.is_in("", "")
    (True, True, False)
    """

    secret: str

    @classmethod
    def drawn(cls) -> Token:
        """A new one, of 192 random bits."""
        return cls(secrets.token_urlsafe(24))

    @property
    def cookie(self) -> str:
        """The name of its cookie, one for each token: the ports of a host share their cookies."""
        return f"plyscope-{hashlib.sha256(self.secret.encode()).hexdigest()[:8]}"

    def is_(self, text: str) -> bool:
        """Whether `text` is the secret, compared in constant time."""
        return hmac.compare_digest(text.encode("utf-8", "surrogatepass"), self.secret.encode())

    def is_in(self, authorization: str, cookies: str) -> bool:
        """Whether the headers `Authorization` or `Cookie` of a request show it."""
        scheme, _, shown = authorization.partition(" ")
        if scheme.lower() == "bearer" and self.is_(shown.strip()):
            return True
        return any(self.is_(value) for value in parse_cookie(cookies).getlist(self.cookie))


NOTEBOOKS: Final = "http://127.0.0.1:* http://localhost:* https://localhost:*"
"""The origins that may frame a viewer which a notebook shows: pages that this machine serves."""
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_SECURITY_POLICY: Final = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors {framers}",
        "require-trusted-types-for 'script'",
    ]
)


def host_of(header: str) -> str:
    """The host of a `Host` header without its port, in lower case; brackets of IPv6 taken off.

    >>> host_of("[::1]:5000"), host_of("LocalHost:80"), host_of("evil.example")
    ('::1', 'localhost', 'evil.example')
    """
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower()


def is_own_host(header: str, bound_to: str) -> bool:
    """Whether a request with this `Host` header is meant for us.

    Bound to the loopback, only its names are ours: a page of another site that had its name resolve to
    127.0.0.1 would send that name. Bound elsewhere, any literal address cannot have been rebound, and the
    machine's own name is accepted.

    >>> is_own_host("127.0.0.1:5000", "127.0.0.1"), is_own_host("rebound.example:5000", "127.0.0.1")
    (True, False)
    """
    host = host_of(header)
    if host in {"localhost", "127.0.0.1", "::1", bound_to.lower()}:
        return True
    try:
        if ipaddress.ip_address(bound_to).is_loopback:
            return False
    except ValueError:  # bound to a name, not an address
        if bound_to.lower() == "localhost":
            return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host == socket.gethostname().lower()
    return True


def guard(app: Flask) -> None:
    """Check every request of `app` before it is answered, and harden every answer."""

    token: Token | None = app.config["TOKEN"]

    @app.before_request
    def ask_for_token() -> Response | None:
        if token is None:
            return None
        if request.path == "/" and token.is_(request.args.get("token", "")):
            return _with_cookie(token)
        if not token.is_in(request.headers.get("Authorization", ""), request.headers.get("Cookie", "")):
            raise Unauthorized(
                WITHOUT_TOKEN, www_authenticate=WWWAuthenticate("bearer", {"realm": "plyscope"})
            )
        return None

    @app.before_request
    def refuse_foreign_hosts() -> None:
        if token is not None:  # which a page of a name that was made to resolve to us does not have
            return
        if not is_own_host(request.headers.get("Host", ""), app.config["HOST"]):
            abort(403, "this server answers only to its own address; open the address that plyscope printed")

    @app.before_request
    def refuse_cross_site_changes() -> None:
        if request.method in SAFE_METHODS:
            return
        site = request.headers.get("Sec-Fetch-Site", "none")
        origin = request.headers.get("Origin")
        own = f"{request.scheme}://{request.headers.get('Host', '')}"
        if site not in ("same-origin", "none") or (origin is not None and origin != own):
            abort(403, "a page of another site may not change anything here")

    @app.after_request
    def harden(response: Response) -> Response:
        framers = NOTEBOOKS if app.config["FRAMED"] else "'none'"
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY.format(framers=framers)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers.setdefault("Cache-Control", "no-cache")
        return response


def _with_cookie(token: Token) -> Response:
    """Move the token from the address into a cookie, so that it is not copied or kept with the address."""
    others = urlencode([(name, value) for name, value in request.args.items() if name != "token"])
    answer = Response(status=303, headers={"Location": f"/?{others}" if others else "/"})
    # Lax, not strict: a link to the viewer in somebody's chat opens it. Changes are guarded by their origin.
    answer.set_cookie(token.cookie, token.secret, httponly=True, samesite="Lax")
    answer.headers["Cache-Control"] = "no-store"
    return answer
