"""A document or lines of ours, read by the tape as far as their bytes have arrived."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.read.forms import lines_form, own_form
from plyscope.visualizer.formats.read.lines import read_lines
from plyscope.visualizer.formats.read.own import read_own
from plyscope.visualizer.formats.read.top import Top, TopOfTree
from plyscope.visualizer.formats.tape.tape import Run
from plyscope.visualizer.store.log import Log


def read_ours(
    data: Any,
    *,
    lines: bool,
    cut: bool = False,
    on_progress: Callable[[float], None] = lambda part: None,
    run: Run = compiled,
    arrived: Arrived = all_there,
    on_top: Callable[[Top], None] | None = None,
    scratch: Path | None = None,
) -> Log | None:
    """The log in bytes or a mapped file, None where a library has to parse it. Raises LogError.

    `cut`: the packed file was cut short; `arrived` returns how much is there; `on_top` gets the top of the
    tree as far as it has come; large texts may be written into the folder `scratch`.
    """
    if lines:
        of_lines = None if on_top is None else TopOfTree(on_top, lines_form().fields).take_records
        return read_lines(
            data, cut=cut, on_progress=on_progress, run=run, arrived=arrived, scratch=scratch, on_top=of_lines
        )
    of_document = None if on_top is None else TopOfTree(on_top, own_form().fields).take
    return read_own(
        data, cut=cut, on_progress=on_progress, run=run, arrived=arrived, scratch=scratch, on_top=of_document
    )
