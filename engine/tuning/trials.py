"""Trials of weights, chosen by Optuna's tree-structured Parzen estimator, kept in its storage, gone on with.

The draws of a trial follow from the seed and its number alone; as many trials run at once as there are
workers, and their results are given to Optuna in order. So a killed tuning that is resumed has the same
result, if searches are limited by depth or nodes and the number of workers is the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import astuple
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plyscope.engine.match.match import DIGEST, Match
from plyscope.engine.match.runner import run
from plyscope.engine.match.score import Score
from plyscope.engine.match.standing import score_of
from plyscope.engine.match.workers import end_with_parent
from plyscope.engine.tuning.tuning import Trial, Tuning, TuningError

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial
    from optuna.trial import Trial as OpenTrial

STUDY: Final = "plyscope"
TUNING: Final = "tuning"
"""The attribute of the study with the tuning."""
SCORE: Final = "score"
FEW: Final = 10
"""Trials that are drawn evenly before any are compared, Optuna's default."""


def tune(
    tuning: Tuning,
    n_trials: int,
    storage: str | None = None,
    *,
    n_workers: int = 1,
    games: Path | None = None,
    resume: bool = False,
    on_trials: Callable[[Sequence[Trial]], None] = lambda trials: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> list[Trial]:
    """Run trials until there are `n_trials`, and return all by number.

    storage  a file of Optuna's journal, or the address of a database; None keeps nothing
    games    a folder for the games of each trial
    resume   go on with the trials that `storage` has, which is refused otherwise
    Raises TuningError where Optuna is not installed, a worker died or the storage has another tuning,
    and OSError.
    """
    study = _study(tuning, storage, resume=resume)
    done = trials_of(study, tuning)
    # Of a database other machines may run these; those of a file were left by a run that was killed.
    left = [] if _is_address(storage) else _running(study)
    with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn"), initializer=end_with_parent) as pool:
        while (left or len(done) < n_trials) and not should_stop():
            batch, left = left[:n_workers], left[n_workers:]
            while len(batch) < min(n_workers, n_trials - len(done)):
                study.sampler = _sampler(tuning.terms.seed, len(study.trials))
                drawn = study.ask(_distributions(tuning))
                batch.append((drawn.number, _weights(drawn)))
            asked = [tuning.match(weights, number) for number, weights in batch]
            paths = [None if games is None else games / games_name(number) for number, _ in batch]
            try:
                scores = list(pool.map(_score, asked, paths))
            except BrokenProcessPool:
                raise TuningError(
                    "a process that plays died, perhaps for want of memory; with a storage the same command "
                    "goes on by --resume"
                ) from None
            for (number, _), score in zip(batch, scores, strict=True):
                study.set_user_attr(f"{SCORE} {number}", list(astuple(score)))
                study.tell(number, score.share)
            done = trials_of(study, tuning)
            on_trials(done)
    return done


def games_name(number: int, *, fresh: bool = False) -> str:
    """The name of the file that has a trial's games, or those of the best that no trial has played.

    >>> games_name(7), games_name(7, fresh=True)
    ('trial-0007.jsonl', 'best-0007-again.jsonl')
    """
    return f"best-{number:04}-again.jsonl" if fresh else f"trial-{number:04}.jsonl"


def replayed(
    tuning: Tuning, trial: Trial, n_games: int, *, n_workers: int = 1, games: Path | None = None
) -> Score:
    """The score of a trial's weights in games that no trial has played."""
    match = tuning.match(trial.weights, trial.number, n_games)
    path = None if games is None else games / games_name(trial.number, fresh=True)
    return score_of(run(match, path, n_workers=n_workers))


def importances(tuning: Tuning, trials: Sequence[Trial]) -> dict[str, float]:
    """The importance of each weight for being among the better trials; the sum is 1.

    By Optuna's PED-ANOVA. Empty where there are too few trials, or all came to the same.
    """
    if len(trials) < FEW or len({trial.value for trial in trials}) < 2:
        return {}
    optuna = _optuna()
    study = optuna.create_study(direction="maximize")
    distributions = _distributions(tuning)
    for trial in trials:
        study.add_trial(
            optuna.trial.create_trial(params=trial.weights, distributions=distributions, value=trial.value)
        )
    evaluator = optuna.importance.PedAnovaImportanceEvaluator()
    found: dict[str, float] = optuna.importance.get_param_importances(study, evaluator=evaluator)
    return found


def trials_of(study: Study, tuning: Tuning) -> list[Trial]:
    """The finished trials of a study, by number."""
    attributes = study.user_attrs
    return [
        Trial(
            each.number,
            _weights(each),
            Score(*attributes[f"{SCORE} {each.number}"]),
            tuning.seed_of(each.number),
        )
        for each in study.trials
        if each.state.name == "COMPLETE"
    ]


def _score(match: Match, path: Path | None) -> Score:
    return score_of(run(match, path))


def _running(study: Study) -> list[tuple[int, dict[str, float]]]:
    return [(each.number, _weights(each)) for each in study.trials if each.state.name == "RUNNING"]


def _is_address(storage: str | None) -> bool:
    return storage is not None and "://" in storage


def _weights(trial: FrozenTrial | OpenTrial) -> dict[str, float]:
    return {name: float(weight) for name, weight in trial.params.items()}


def _distributions(tuning: Tuning) -> dict[str, Any]:
    from optuna.distributions import FloatDistribution

    return {name: FloatDistribution(*ends) for name, ends in tuning.ranges().items()}


def _sampler(seed: int, number: int) -> Any:
    from optuna.samplers import TPESampler

    return TPESampler(n_startup_trials=FEW, constant_liar=True, seed=(seed * 1_000_003 + number) % 2**32)


def _study(tuning: Tuning, storage: str | None, *, resume: bool) -> Study:
    optuna = _optuna()
    stated = tuning.as_json()
    kept: Any = storage
    if storage is not None and not _is_address(storage):
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        kept = JournalStorage(JournalFileBackend(storage))
    study: Study = optuna.create_study(
        storage=kept, study_name=STUDY, direction="maximize", load_if_exists=True
    )
    before = study.user_attrs.get(TUNING)
    if before is None:
        study.set_user_attr(TUNING, stated)
        return study
    if not resume:
        raise TuningError(
            f"{storage} has trials already, {len(study.trials)}: name another storage, or go on with --resume"
        )
    asked = json.loads(json.dumps(stated))
    if DIGEST in before and before[DIGEST] != asked.get(DIGEST):
        raise TuningError(
            f"{storage} has trials of another version of {tuning.game}: bring that version back, or name "
            "another storage"
        )
    # Terms that a storage does not have are None: they may have been added since.
    for name in {**asked, **before}:
        if name != DIGEST and before.get(name) != asked.get(name):
            raise TuningError(
                f"{storage} has another tuning: its {name!r} is {before.get(name)!r}, not {asked.get(name)!r}"
            )
    return study


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise TuningError(
            "tuning needs Optuna: install plyscope with its extra `lab`, as in pip install 'plyscope[lab]'"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
