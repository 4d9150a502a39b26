"""A search log for Plyscope, one JSON line a node: copy this file beside your engine. No dependencies.

    log = SearchLog("search.jsonl", game="nim", search={"perspective": "mover"})
    log.enter(ply, depth=depth, alpha=alpha, beta=beta)      # first thing in the search of a node
    log.score(best, outcome="searched", bound="exact")       # last thing, whatever it returns
    log.cut(plies_not_searched)                              # where beta was reached
    log.done(ply=chosen, score=best)                         # after the search

Lines are flushed one by one, so a crash leaves a log that opens and shows where the search was.
"""

import json
import math


class SearchLog:
    def __init__(self, path, **header):
        self._file = open(path, "w", encoding="utf-8", buffering=1)  # noqa: SIM115
        self._path = []
        self._next_id = -1
        self._write({"plyscope": 1, **header})

    def enter(self, ply=None, **fields):
        """Log that a node is entered below the one that was entered last and not left."""
        node = {"id": self._new_id(), **({"parent": self._path[-1]} if self._path else {})}
        self._write({**node, **({} if ply is None else {"ply": str(ply)}), **fields})
        self._path.append(node["id"])

    def score(self, score, **fields):
        """Log what the node entered last came to, and leave it."""
        self._write({"id": self._path.pop(), "score": score, **fields})

    def cut(self, plies, outcome="pruned"):
        """Log the siblings that the node entered last will not search, as one row."""
        if plies:
            stub = {"id": self._new_id(), "parent": self._path[-1], "outcome": outcome}
            self._write({**stub, "count": len(plies), "plies": [str(ply) for ply in plies]})

    def done(self, **result):
        """Log the choice, and close the file."""
        self._write({"result": result})
        self._file.close()

    def _new_id(self):
        self._next_id += 1
        return self._next_id

    def _write(self, line):
        self._file.write(json.dumps(_spelled(line), ensure_ascii=False) + "\n")


def _spelled(value):
    """JSON has no infinities: they are the texts "inf", "-inf" and "nan"."""
    if isinstance(value, dict):
        return {key: _spelled(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_spelled(inner) for inner in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
