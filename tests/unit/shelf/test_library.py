"""The library keeps within its budget, the log not used for longest goes first, and none that is open."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.shelf.library import BUDGET, Library
from plyscope.visualizer.shelf.log_cache import LogCache
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.folder_lock import hold
from plyscope.visualizer.store.log import Log
from tests.unit.logs import log_of, there
from tests.unit.same_logs import assert_same
from tests.unit.shelf.conftest import Here

HOLD = """
import sys
from pathlib import Path
from plyscope.visualizer.store import disk
log = disk.load(Path(sys.argv[1]))
print(log.n_rows, flush=True)
sys.stdin.read()
"""


def kept(cache: LogCache, name: str, used: float) -> str:
    """Keep a log of three nodes and a stub under this name, used at that time; returns its id."""
    children = [{"ply": "a", "score": 1}, {"ply": "b", "score": 2}, {"outcome": "pruned", "count": 4}]
    place = cache.save(log_of({"score": 2, "children": children}), name, None, Path("/logs") / name)
    os.utime(cache.folder / place / disk.META, (used, used))
    cache.make_room(besides=place)
    return place


def test_a_converted_log_is_listed_with_its_file_its_nodes_its_size_and_its_last_use(
    cache: LogCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    older, newer = kept(cache, "older.json", 1000), kept(cache, "newer.json", 2000)
    logs = cache.library.logs()
    assert [(log.id, log.name, log.used) for log in logs] == [
        (newer, "newer.json", 2000),
        (older, "older.json", 1000),
    ]
    assert (logs[0].source, logs[0].n_nodes, logs[0].is_current) == ("/logs/newer.json", 3, True)
    assert logs[0].n_bytes == sum(file.stat().st_size for file in (cache.folder / newer).iterdir())
    assert cache.load(older) is not None  # opening a log is using it
    assert [log.id for log in cache.library.logs()] == [older, newer]
    # A damaged one is listed without facts and goes first.
    (cache.folder / older / disk.META).write_text("{")
    good, bad = cache.library.logs()
    assert [(log.id, log.name, log.n_nodes, log.is_current) for log in (good, bad)] == [
        (newer, "newer.json", 3, True),
        (older, None, None, False),
    ]
    monkeypatch.setenv(BUDGET, str(good.n_bytes))
    assert [log.id for log in cache.library.keep_budget()] == [older]


def test_what_is_open_stays_and_counts_and_goes_once_it_is_closed(
    cache: LogCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    oldest, newer = kept(cache, "oldest.json", 1000), kept(cache, "newer.json", 2000)
    n_bytes = sum(each.n_bytes for each in cache.library.logs())
    with monkeypatch.context() as patch:  # where none is stated it is at most half of what there could be
        patch.delenv(BUDGET, raising=False)
        for free, budget in ((10**6, (10**6 + n_bytes) // 2), (10**12, 10 * 10**9)):
            patch.setattr("shutil.disk_usage", lambda path, free=free: SimpleNamespace(free=free))
            assert cache.library.budget() == budget
    log = there(cache.load(oldest))
    os.utime(cache.folder / oldest / disk.META, (1000, 1000))
    size = max(each.n_bytes for each in cache.library.logs())
    monkeypatch.setenv(BUDGET, str(int(1.5 * size)))
    assert [each.id for each in cache.library.keep_budget()] == [newer]
    monkeypatch.setenv(BUDGET, "0")
    assert cache.library.keep_budget() == []
    del log
    assert [each.id for each in cache.library.keep_budget()] == [oldest]
    # The log not used for longest goes when a new one is kept.
    monkeypatch.setenv(BUDGET, str(int(2.5 * size)))
    first, second, third = (kept(cache, f"{used}.json", used) for used in (2000, 1000, 3000))
    assert [log.id for log in cache.library.logs()] == [third, first]
    assert cache.load(second) is None


def test_a_log_that_is_open_in_another_process_is_not_removed(cache: LogCache) -> None:
    place = kept(cache, "log.json", 1000)
    (cache.folder / f"{place}.mapping").write_text("null")  # goes with its log
    command = [sys.executable, "-c", HOLD, str(cache.folder / place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "4\n"
        assert not cache.library.remove(place)
        assert cache.load(place) is not None
        other.kill()  # the system lets go what a killed process held
        other.wait()
        assert cache.library.remove(place)
    assert cache.library.remove(place)
    assert list(cache.folder.iterdir()) == []


def test_a_viewer_removes_what_the_dead_left_and_not_what_is_being_written(
    here: Here, tmp_path: Path
) -> None:
    library = tmp_path / "cache" / "library"
    for name in (".dead-a", ".written-b"):
        (library / name / "new").mkdir(parents=True)
    lock = there(hold(library / ".written-b", alone=True))
    here()
    assert [each.name for each in library.iterdir()] == [".written-b"]
    lock.release()
    here()
    assert list(library.iterdir()) == []


def test_the_environment_states_the_budget_before_a_log_is_read(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stated, n_bytes in (("500M", 5 * 10**8), ("1.5 gb", 1.5 * 10**9), ("7", 7)):
        monkeypatch.setenv(BUDGET, stated)
        assert Library(tmp_path).budget() == n_bytes
    for stated in ("much", "-1", "1e9", "5 parsecs"):
        monkeypatch.setenv(BUDGET, stated)
        with pytest.raises(LogError, match=f"{BUDGET}='{stated}' is no amount of disk"):
            here()


def killed(road: str, source: Path, cache: Path, times: int) -> tuple[str, list[list[str]]]:
    """Kill so many processes at random moments; the name of what they make, and what there was after each."""
    seed = random.randrange(2**31)
    temporary = source.parent / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-m", "tests.unit.shelf.converter", road, source, cache, str(times), str(seed)]
    environment = os.environ | {"TMPDIR": str(temporary)}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert len(told["left"]) >= times
    assert told["half"] > 0, f"no moment of writing was met, seed {seed}"
    return told["place"], told["left"]


def many_rows(path: Path) -> Log:
    """A log of 4,000 rows, as `path` has it, to which it is written."""
    above = [{"id": n, "parent": (n - 1) // 3, "score": n, "ply": f"p{n}"} for n in range(1, 4000)]
    write_log_file(read_log("\n".join(map(json.dumps, [{"id": 0}, *above])).encode()), path)
    return read_log_file(path)


FORMS = ("log.json", "log.jsonl", "log.json.gz", "log.jsonl.zst", "log.plyb", "log.parquet")
UNLIKE = [("path", "log.json"), ("path", "log.plyb"), ("path", "log.parquet"), ("upload", "log.jsonl")]
"""Roads and files of which no two are read alike."""
ALL = [*(("path", name) for name in FORMS), ("upload", "log.json"), ("upload", "log.jsonl")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("road", "name", "times"),
    [
        *((*each, 8) for each in UNLIKE),
        *(pytest.param(*each, 50, marks=pytest.mark.sweep) for each in ALL),
    ],
)
def test_a_converter_that_is_killed_at_any_moment_loses_nothing_and_leaves_nothing(
    tmp_path: Path, road: str, name: str, times: int
) -> None:
    source = tmp_path / name
    written = many_rows(source)
    before = source.read_bytes()
    cache = LogCache(tmp_path / "cache", RememberedMappings(tmp_path / "cache" / "data"))
    other = kept(cache, "other.json", 1000)
    place, left = killed(road, source, cache.library.folder.parent, times)
    assert all(set(each) <= {other, place} for each in left), left
    assert source.read_bytes() == before
    assert cache.load(other) is not None
    log = cache.load(place)
    if log is None:
        assert place not in left[-1]
    else:
        assert_same(log, written)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if ("path", name) in UNLIKE else pytest.mark.sweep) for name in FORMS],
)
def test_a_writer_that_is_killed_at_any_moment_leaves_the_whole_file_or_none(
    tmp_path: Path, name: str
) -> None:
    source = tmp_path / name
    written = many_rows(source)
    _, left = killed(name, source, tmp_path / "cache", 8)
    assert all(set(each) <= {name} for each in left), left
    target = tmp_path / "written" / name
    assert target.exists() == (name in left[-1])
    if target.exists():
        assert_same(read_log_file(target), written)


def test_what_is_known_of_files_goes_with_the_log_they_were_converted_to(
    cache: LogCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By clearing, by the budget, and where the file itself was written again."""
    paths = [tmp_path / name for name in ("a.json", "copy-of-a.json", "b.json")]
    contents = ["a" * 64, "a" * 64, "b" * 64]
    for path, content in zip(paths, contents, strict=True):
        path.write_text(content)
    first, second = (cache.save(log_of({"score": 1}), contents[at], None, paths[at]) for at in (0, 2))
    for path, content in zip(paths, contents, strict=True):
        cache.knows(path, content)
    index = cache.folder / "index"
    assert cache.library.forget_files() == 0
    assert len(list(index.iterdir())) == 3
    assert cache.library.remove(first)
    assert cache.library.forget_files() == 2
    assert [cache.known_digest(path) for path in paths] == [None, None, "b" * 64]
    paths[2].write_text("written again")
    cache.knows(paths[2], "c" * 64)
    assert cache.library.forget_files() == 1
    assert [each.read_text() for each in index.iterdir()] == ["b" * 64]
    monkeypatch.setenv(BUDGET, "1")
    assert [each.id for each in cache.library.keep_budget()] == [second]
    assert list(index.iterdir()) == []
