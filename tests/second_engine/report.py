"""The log of the second engine: nodes and stubs as it goes, then the header and the result."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tests.second_engine.visit import Tolls, Visit

STUBS = ("pruned", "limited", "skipped", "unlogged")


class Reporting(Tolls):
    """The document: each part a method of its own."""

    roots: list[dict[str, Any]]
    root_visits: list[Visit]
    next_id: int
    is_carried: bool

    def new_node(self, parent: Visit | None) -> dict[str, Any]:
        """A node under `parent`, or a root, with the next id."""
        node: dict[str, Any] = {"id": self.next_id}
        self.next_id += 1
        below = self.roots if parent is None else parent.node.setdefault("children", [])
        below.append(node)
        return node

    def add_stub(self, visit: Visit, outcome: str, scored: list[tuple[float, Any]]) -> None:
        """A row that stands for plies without rows, where there are some."""
        if not scored:
            return
        stub = self.new_node(visit)
        stub["outcome"] = outcome
        stub["count"] = len(scored)
        stub["plies"] = [self.world.ply_text(visit.position, ply) for _, ply in scored]
        stub["pre_scores"] = [pre_score for pre_score, _ in scored]

    def document(self) -> dict[str, Any]:
        tree = {"roots": self.roots} if len(self.roots) > 1 else {"root": self.roots[0]}
        return {
            "plyscope": 1,
            "game": self.world.name,
            "position": self.world.text(),
            "players": list(self.world.players),
            "search": self.declared(),
            "factors": [{"name": name, "weight": weight} for name, weight in self.world.factors.items()],
            "result": self.result(),
            **tree,
        }

    def declared(self) -> dict[str, Any]:
        """The header's `search`: algorithm, scoring and options."""
        options = self.options
        said: dict[str, Any] = {
            "algorithm": options.algorithm,
            "engine": "second",
            "depth": options.depth,
            "mate": {
                "score": options.mate_score,
                "step": options.mate_step,
                "threshold": options.mate_threshold,
            },
            "draw": options.draw,
            "static_pure": True,
            "options": {name: value for name, value in asdict(options).items() if value is not None},
        }
        if options.limit is not None:
            said["limit"] = options.limit
        if options.algorithm != "minimax":
            said |= {"fail": options.fail, "null_width": options.null_width}
        if options.table:
            said |= {"table": options.table_depth, "table_carried": self.is_carried}
        if self.world.alternates and options.null_move is None:
            said["turns"] = "alternate"
        return said

    def chosen_root(self) -> int | None:
        """The last tree that is finished and exact."""
        exact = [i for i, root in enumerate(self.root_visits) if root.node["bound"] == "exact"]
        return exact[-1] if exact else None

    def result(self) -> dict[str, Any]:
        """The header's `result`: the choice, or that the search was stopped, and the totals."""
        result: dict[str, Any] = self.totals()
        chosen = self.chosen_root()
        if chosen is None:
            return result | {"stopped": "nodes"}
        root = self.root_visits[chosen]
        result |= {"root": chosen, "score": self.result_score(root), "rank": 0}
        if root.best_child is not None:
            result |= {"ply": str(root.best_child.node["ply"]), "pv": self.variation(root)}
        return result

    def result_score(self, root: Visit) -> float:
        return root.score

    def variation(self, root: Visit) -> list[str]:
        """The path of best plies, as far as it is proven."""
        plies = []
        above, visit = root, root.best_child
        while visit is not None and visit.node["bound"] == "exact":
            if self.taken(above, visit) != above.score:
                break
            plies.append(str(visit.node["ply"]))
            above, visit = visit, visit.best_child
        return plies

    def totals(self) -> dict[str, int]:
        """Counts over all rows of the document."""
        rows: list[dict[str, Any]] = []
        waiting = list(self.roots)
        while waiting:
            row = waiting.pop()
            rows.append(row)
            waiting += row.get("children", [])
        outcomes = [row["outcome"] for row in rows]
        return {
            "nodes": sum(outcome not in STUBS for outcome in outcomes),
            "leaves": sum(outcome in ("leaf", "terminal") for outcome in outcomes),
            "prune_events": outcomes.count("pruned"),
            "pruned": sum(row["count"] for row in rows if row["outcome"] == "pruned"),
            "limited": sum(row["count"] for row in rows if row["outcome"] == "limited"),
            "tt_hits": sum(row.get("tt", {}).get("use") in ("cut", "narrow") for row in rows),
        }
