"""Make a large log to try a viewer, or your own reader, on: one real search that stops after so many nodes.

    python examples/make_big.py 1000000 big.jsonl
    plyscope view big.jsonl

The search has iterations, scouts, re-searches, reductions, a transposition table and factors, and is the same
at every run. It is in memory until it is written: a million nodes take 0.7 GB. The file's ending says its
form (.jsonl, .json, .plyb, .parquet). The log has stubs beside its nodes, so it has more rows. Of ten million
nodes JSON Lines have 4.4 GB, more than is read: name a .plyb or a .parquet.
"""

import argparse

import plyscope

DEEPEST = 40


def main(arguments: list[str] | None = None) -> None:
    """Search Reversi for so many nodes and write the log; says what it wrote."""
    parser = argparse.ArgumentParser(description="Make a log of one real search that has so many nodes.")
    parser.add_argument("nodes", type=int, help="nodes to search, 1 or more")
    parser.add_argument("path", nargs="?", default="big.jsonl", help="the file to write (big.jsonl)")
    parser.add_argument("--game", default="reversi", help="what to search, as `plyscope games` lists it")
    asked = parser.parse_args(arguments)
    if asked.nodes < 1:
        parser.error(f"nodes is {asked.nodes}, expected 1 or more")
    try:
        log = plyscope.search(
            asked.game,
            depth=DEEPEST,
            nodes=asked.nodes,
            algorithm="pvs",
            iterative=True,
            table=64,
            killers=True,
            lmr=1,
        )
        log.write(asked.path)
    except (plyscope.GameError, plyscope.OptionError, plyscope.LogError) as error:
        parser.error(str(error))
    print(f"{asked.path}: {log.stats.nodes:,} nodes, {len(log):,} rows")
    if log.stats.nodes < asked.nodes:
        print(f"the search ended before {asked.nodes:,} nodes: the game has no more to search")


if __name__ == "__main__":
    main()
