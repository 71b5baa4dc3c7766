"""One target in a process of its own: changes of what lies in its corpus, as fast as it goes; works everywhere."""

from __future__ import annotations

import argparse
import random
import time
from functools import partial
from pathlib import Path

from tests.verification.fuzz.blind import blind
from tests.verification.fuzz.playing import Player, lay_seeds
from tests.verification.fuzz.targets import TARGETS, Target

KEPT = Path("build/fuzz")
ROUND = 256


def main() -> None:
    """Plays for a time, or until it is killed."""
    wanted = argparse.ArgumentParser()
    wanted.add_argument("target", choices=TARGETS)
    wanted.add_argument("--seconds", type=float, required=True)
    wanted.add_argument("--tally", type=Path, required=True)
    options = wanted.parse_args()
    target = TARGETS[options.target]
    corpus = KEPT / "corpus" / target.name
    lay_seeds(target, corpus)
    player = Player(target.name, target.play(), KEPT / "failures" / target.name, options.tally)
    starts = [file.read_bytes() for file in corpus.iterdir()]
    ends, seed = time.monotonic() + options.seconds, time.time_ns()
    while time.monotonic() < ends:
        play_some(target, player, starts, seed, ROUND)
        seed += ROUND
    player.save()


def play_some(target: Target, player: Player, starts: list[bytes], seed: int, count: int) -> None:
    """So many inputs from a seed on: the same each time."""
    dice = random.Random(seed)
    words, mutate, most = target.words(), target.mutate(), target.most_bytes
    for number in range(count):
        data = dice.choice(starts)
        changed = partial(blind, dice=dice, words=words, others=starts)
        if mutate is not None:
            player(mutate(data, most, seed + number, changed))
            continue
        for _ in range(dice.choice((1, 1, 2, 4))):
            data = changed(data, most)
        player(data[:most])


if __name__ == "__main__":
    main()
