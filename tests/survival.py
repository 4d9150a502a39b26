"""What a viewer survives, in figures: a crowd of clients, killed processes, an hour of use.

python -m tests.survival crowd            p99 of answers to 90 and to 200 clients, an upload and checks beside
python -m tests.survival kills [N]        N readers, checks, viewers, searches, parents of each kind (100)
python -m tests.survival soak [MINUTES]   50 clients open, walk, check, paste and delete (10)

Each begins viewers of its own on the loopback, with folders of their own, and ends them. Needs /proc.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from tests.benchmarks.first_page import PLYSCOPE, answering, free_port
from tests.conftest import ROOT
from tests.parents import PARENTS, WAYS, environment, kill, outliving
from tests.patience import wait_for

LOG: Final = ROOT / "examples" / "textbook-alpha-beta.json"
CROWDS: Final = (90, 200)
REQUESTS_OF_EACH: Final = 30
SECONDS_BETWEEN_REQUESTS: Final = 0.5
WALKERS: Final = 50
PIECE: Final = 2**23
MB: Final = 2**20
SEARCHES: Final = {
    "search from a node on": "nodes/1/search?agent=depth=14",
    "what-if search": "weights/search?weights=threes:9",
    "exact search": "explain/exact?node={chosen}&versus={bounded}&which=rival",
}
"""Where each kind of search of a viewer is begun, asked for and dropped."""


@dataclass
class Viewer:
    """A viewer in a process of its own."""

    port: int
    pid: int
    spent: list[float] = field(default_factory=list)
    """Seconds of each answer."""
    refused: list[int] = field(default_factory=list)
    """Other answers than those expected."""

    def of_it(self, name: str) -> str:
        """A file of /proc about it."""
        return Path(f"/proc/{self.pid}/{name}").read_text()

    @property
    def n_bytes(self) -> int:
        """Its memory that no file backs."""
        return 1024 * int(self.of_it("status").split("RssAnon:")[1].split()[0])

    @property
    def n_files(self) -> int:
        """Its open descriptors."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    @property
    def children(self) -> list[int]:
        """The processes that it has begun."""
        return [int(pid) for task in os.listdir(f"/proc/{self.pid}/task")
                for pid in self.of_it(f"task/{task}/children").split()]  # fmt: skip


class Client:
    """One connection, opened again where the server closes it behind an answer."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer, self._streams = viewer, None

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    async def ask(self, method: str, path: str, body: bytes = b"", *, may_be: tuple[int, ...] = ()) -> Any:
        """Ask, count how long that takes, and return the answer."""
        began = time.perf_counter()
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._viewer.port)
        reader, writer = self._streams
        head = f"{method} /api/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        said = (await reader.readuntil(b"\r\n\r\n")).lower()
        n_bytes = int(said.split(b"content-length:")[1].split()[0]) if b"content-length:" in said else 0
        answer = await reader.readexactly(n_bytes)
        if b"connection: close" in said:
            self.close()
        self._viewer.spent.append(time.perf_counter() - began)
        status = int(said.split()[1])
        if status >= 300 and status not in may_be:
            self._viewer.refused.append(status)
        return json.loads(answer) if answer else {}

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


@contextmanager
def viewing(home: Path, *files: Path) -> Iterator[Viewer]:
    """A viewer of these files that has answered."""
    port = free_port()
    command = [PLYSCOPE, "view", *map(str, files), "--no-browser", "--port", str(port)]
    with (
        patch.dict(os.environ, {f"PLYSCOPE_{name}": str(home / name) for name in ("DATA", "CACHE")}),
        answering(command, port) as (process, *_),
    ):
        yield Viewer(port, process.pid)


def large_log(n_nodes: int, about: str = "") -> bytes:
    """A log of so many leaves; with more than 140,000 a process of its own reads it."""
    leaves = ",".join(
        f'{{"ply":"c{i}","score":{i % 50},"depth":3,"note":"{"x" * 60}"}}' for i in range(n_nodes)
    )
    return f'{{"plyscope":1,"about":"{about}","root":{{"score":49,"children":[{leaves}]}}}}'.encode()


async def upload(client: Client, data: bytes) -> str:
    """Send a log in pieces, and return its id."""
    begun = await client.ask("POST", f"uploads?n_bytes={len(data)}")
    for at in range(0, len(data), PIECE):
        told = await client.ask("PUT", f"uploads/{begun['upload']}?at={at}", data[at : at + PIECE])
    return str(told["log"]["id"])


async def ready(client: Client, log: str) -> str:
    """Wait for a log to be read; return its state."""
    while (told := await client.ask("GET", f"logs/{log}/summary?wait=5"))["state"] == "reading":
        pass
    return str(told["state"])


# Commands --------------------------------------------------------------------------------------------


async def crowd(viewer: Viewer, n_clients: int) -> list[float]:
    """The seconds of the answers to so many clients, each asking twice a second, once all have begun."""
    async with Client(viewer) as client:
        log = (await client.ask("GET", "logs"))["default"]
        await client.ask("POST", f"logs/{log}/reading?wait=10")

    async def ask(number: int) -> list[float]:
        own = Viewer(viewer.port, viewer.pid, refused=viewer.refused)
        async with Client(own) as client:
            for turn in range(1 + REQUESTS_OF_EACH):
                # By the clock: those that one stall held up would ask together ever after.
                due = began + (turn + number / n_clients) * SECONDS_BETWEEN_REQUESTS
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                await client.ask("GET", f"logs/{log}/nodes/0?limit=20")
        return own.spent[1:]

    busy = multiprocessing.Process(target=upload_and_check, args=[viewer], daemon=True)
    busy.start()
    began = time.perf_counter()
    spent = await asyncio.gather(*map(ask, range(n_clients)))
    busy.terminate()
    busy.join()
    return sorted(itertools.chain(*spent))


def upload_and_check(viewer: Viewer) -> None:
    """Send a large log and have it checked, again and again, in a process beside the clients."""
    data = large_log(150_000, str(viewer.pid))

    async def beside() -> None:
        for number in itertools.count():
            async with Client(viewer) as client:
                sent = await upload(client, data + b" " * number)
                await ready(client, sent)
                await client.ask("POST", f"logs/{sent}/check")
                await client.ask("GET", f"logs/{sent}/check?wait=10")
                await client.ask("DELETE", f"logs/{sent}")

    asyncio.run(beside())


def tell_crowd(home: Path) -> None:
    """Print the p99 for each crowd, and their ratio."""
    p99 = []
    for n_clients in CROWDS:
        with viewing(home, LOG) as viewer:
            spent = asyncio.run(crowd(viewer, n_clients))
        p99.append(spent[int(0.99 * len(spent))])
        median, told = spent[len(spent) // 2], f"{len(spent):,} answers, {len(viewer.refused)} refused"
        print(f"{n_clients:4} clients, {told}: median {1000 * median:.1f} ms, p99 {1000 * p99[-1]:.1f} ms")
    print(f"p99 with {CROWDS[1]} is {p99[1] / p99[0]:.2f} times that with {CROWDS[0]}")


async def kill_reader(viewer: Viewer, log: str, where: str) -> str:
    """Send a log, kill the process that reads it, and return what is said of it then."""
    async with Client(viewer) as client:
        log = await upload(client, large_log(150_000, str(random.random())))
        await asyncio.sleep(random.random() * 0.2)
        kill(viewer.children)
        state = await ready(client, log)
        await client.ask("DELETE", f"logs/{log}", may_be=(404,))
        return state


async def kill_job(viewer: Viewer, log: str, where: str) -> str:
    """Begin a check or a search, kill the process that does it, and return what is said of it then."""
    there = where if where.startswith("explain") else where.partition("?")[0]
    async with Client(viewer) as client:
        await client.ask("DELETE", f"logs/{log}/{there}", may_be=(404,))
        await client.ask("POST", f"logs/{log}/{where}")
        await asyncio.sleep(random.random() * (0.2 if where == "check" else 1))
        kill(viewer.children)
        while (told := await client.ask("GET", f"logs/{log}/{there}"))["state"] == "running":
            await asyncio.sleep(0.01)
        await client.ask("DELETE", f"logs/{log}/{there}", may_be=(404,))
        return str(told["state"])


async def pair(viewer: Viewer, log: str) -> dict[str, int]:
    """The chosen ply of a log, and one beside it of which a search could say more."""
    async with Client(viewer) as client:
        chosen = (await client.ask("GET", f"logs/{log}/explain"))["chosen"]["id"]
        plies = (await client.ask("GET", f"logs/{log}/nodes/0?limit=20"))["children"]["items"]
        return {
            "chosen": chosen,
            "bounded": next(each["id"] for each in plies if each.get("bound") == "upper"),
        }


def tell_killed_searches(home: Path, n_kills: int) -> None:
    """Print what became of searches of a viewer whose process was killed."""
    searched = home / "searched.json"
    asked = ["search", "connect_four", "--depth", "8", "-o", searched]
    subprocess.run([PLYSCOPE, *asked], check=True, capture_output=True)
    with viewing(home, searched) as viewer:
        log = asyncio.run(first_log(viewer))
        ids = asyncio.run(pair(viewer, log))
        for doing, where in SEARCHES.items():
            tell_states(viewer, log, doing, n_kills, kill_job, where.format(**ids))


def tell_states(
    viewer: Viewer, log: str, doing: str, n_kills: int, kill_one: Callable[..., Any], where: str
) -> None:
    """Kill so many of a kind, and print what became of them."""
    states = [asyncio.run(kill_one(viewer, log, where)) for _ in range(n_kills)]
    counts = ", ".join(f"{states.count(state)} {state}" for state in sorted(set(states)))
    print(
        f"{len(states)} killed, {doing}: {counts}; {len(viewer.refused)} refused, "
        f"{viewer.n_files} files, {len(viewer.children)} processes",
        flush=True,
    )


def tell_killed_parents(n_kills: int) -> None:
    """Print how many processes outlive a parent that a signal ended."""
    for parent in PARENTS:
        counts = []
        for way in WAYS:
            begun, left = map(sum, zip(*(outliving(parent, way) for _ in range(n_kills)), strict=True))
            counts.append(f"{left} of {begun} processes left by {way.name}")
        print(f"{n_kills} ended each way, {parent}: {', '.join(counts)}", flush=True)


def tell_kills(home: Path, n_kills: int) -> None:
    """Print what became of what was killed."""
    large = home / "large.json"
    large.write_bytes(large_log(200_000))
    with viewing(home, large) as viewer:
        log = asyncio.run(first_log(viewer))
        tell_states(viewer, log, "reader", n_kills, kill_reader, "")
        tell_states(viewer, log, "check", n_kills, kill_job, "check")
    n_left = 0
    for _ in range(n_kills):
        with viewing(home, large) as viewer:
            asyncio.run(begin_all(viewer))
            children = viewer.children
            time.sleep(random.random() * 0.2)
            os.kill(viewer.pid, signal.SIGKILL)
            wait_for(lambda: not any(map(environment, children)))  # noqa: B023
            n_left += len(children)
    with viewing(home, large) as viewer:
        asyncio.run(first_log(viewer))
        n_parts = sum(each.suffix == ".part" for each in (home / "DATA").rglob(".*"))
    print(f"{n_kills} killed viewers: their {n_left} processes ended with them, the next one opens its logs; "
          f"{n_parts} parts of uploads wait for their day")  # fmt: skip


async def first_log(viewer: Viewer) -> str:
    async with Client(viewer) as client:
        log = str((await client.ask("GET", "logs"))["default"])
        await client.ask("POST", f"logs/{log}/reading")
        assert await ready(client, log) == "ready"
        return log


async def begin_all(viewer: Viewer) -> None:
    """Have a viewer read, check and take an upload."""
    async with Client(viewer) as client:
        await client.ask("POST", f"uploads?n_bytes={3 * PIECE}")
        log = await first_log(viewer)
        await client.ask("POST", f"logs/{log}/check")


def state(viewer: Viewer) -> str:
    held = f"{viewer.n_bytes / MB:.1f} MB, {viewer.n_files} files, {len(viewer.children)} processes"
    return f"{len(viewer.spent):,} answers, {held}, {len(viewer.refused)} refused"


async def soak(viewer: Viewer, seconds: float) -> None:
    """Fifty clients open, walk, check, paste and delete; a line a minute, and at the end."""
    log = await first_log(viewer)
    ends, n_rounds = time.monotonic() + seconds, itertools.count()

    async def walk(number: int) -> None:
        async with Client(viewer) as client:
            while time.monotonic() < ends:
                await client.ask("GET", f"logs/{log}")
                for node in range(5):
                    await client.ask("GET", f"logs/{log}/nodes/{node}?limit=20")
                data = large_log(random.randrange(1, 3000), f"{number} {next(n_rounds)}")
                paste = (await client.ask("POST", "logs", data))["id"]
                await client.ask("POST", f"logs/{paste}/check")
                while (await client.ask("GET", f"logs/{paste}/check?wait=5"))["state"] == "running":
                    pass
                await client.ask("DELETE", f"logs/{paste}")

    walkers = [asyncio.create_task(walk(number)) for number in range(WALKERS)]
    while time.monotonic() < ends:
        await asyncio.sleep(min(60.0, seconds / 5))
        print(state(viewer), flush=True)
    await asyncio.gather(*walkers)
    await asyncio.sleep(2)
    print(f"at rest: {state(viewer)}: {sorted(set(viewer.refused))}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.survival", description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("crowd", "kills", "soak"))
    parser.add_argument("much", type=float, nargs="?", help="kills, or minutes")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if asked.what == "crowd":
            tell_crowd(home)
        elif asked.what == "kills":
            n_kills = int(asked.much or 100)
            tell_kills(home, n_kills)
            tell_killed_searches(home, n_kills)
            tell_killed_parents(n_kills)
        else:
            with viewing(home, LOG) as viewer:
                asyncio.run(soak(viewer, 60 * (asked.much or 10)))


if __name__ == "__main__":
    main()
