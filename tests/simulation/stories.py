"""python -m tests.simulation.stories: every story, crash point and single fault, and some pairs and triples."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec

from tests.simulation.canonical import Canonical, crash_points, end_of, several_faults, single_faults, stories
from tests.simulation.checker import judge
from tests.simulation.run import play
from tests.simulation.story import Story

RESULTS = Path("build/stories.json")


class Tally(msgspec.Struct):
    """What one story came to."""

    title: str
    crashes: int = 0
    singles: int = 0
    several: int = 0
    problems: list[str] = []


def all_of(canonical: Canonical, several: int, seed: int) -> Tally:
    """Everything that is tried on one story."""
    tally = Tally(canonical.title, problems=[])
    story = canonical.story()
    run = play(story)
    if end_of(run) != canonical.end:
        tally.problems.append(f"ends {end_of(run)}, not {canonical.end}")
    for crashed, after in crash_points(story):
        tally.crashes += 1
        tally.problems += [f"{crashed.crashes}: {each}" for each in judge(after.history)]
    for faulty in single_faults(story, range(1, run.calls + 1)):
        tally.singles += 1
        tally.problems += _found(faulty)
    for faulty in several_faults(story, run.calls, several, seed):
        tally.several += 1
        tally.problems += _found(faulty)
    return tally


def _found(story: Story) -> Iterator[str]:
    return (f"{story.faults}: {each}" for each in judge(play(story).history))


def main() -> int:
    """0 when every story holds."""
    wanted = argparse.ArgumentParser(prog="stories", description=__doc__)
    wanted.add_argument("--several", type=int, default=500, help="random pairs and triples of faults a story")
    wanted.add_argument("--resume", action="store_true", help="skip the stories already tried; other chances")
    options = wanted.parse_args()
    began = time.perf_counter()
    done = json.loads(RESULTS.read_text("utf-8")) if options.resume and RESULTS.exists() else {}
    todo = [canonical for canonical in stories() if canonical.title not in done]
    with ProcessPoolExecutor(2) as pool:
        jobs = [pool.submit(all_of, canonical, options.several, len(done)) for canonical in todo]
        for job in jobs:
            tally = job.result()
            done[tally.title] = msgspec.to_builtins(tally)
            RESULTS.parent.mkdir(exist_ok=True)
            RESULTS.write_text(json.dumps(done, indent=1), "utf-8")
            for problem in tally.problems[:5]:
                sys.stdout.write(f"{tally.title}: {problem}\n")
    count = {name: sum(each[name] for each in done.values()) for name in ("crashes", "singles", "several")}
    problems = sum(len(each["problems"]) for each in done.values())
    sys.stdout.write(
        f"{len(done)} stories, {count['crashes']} crash points, {count['singles']} single faults, "
        f"{count['several']} pairs and triples, {problems} violations, {time.perf_counter() - began:.0f} s\n"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
