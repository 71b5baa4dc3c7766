"""The store of the simulation: the one in memory (tests/support/model_store.py) in its own weather, by true time (ms).

`torn` dies in the middle of what it writes; an old backup is put back and nobody says so; and it lies as a broken-into
one would, under signatures that nobody made.
"""

from __future__ import annotations

import msgspec

from pos_app.domain.shipping import Answer, Head, Signed, Verdict, read_header
from pos_app.services.errors import ConnectFailed
from tests.support.model_store import LIES, Batch, Durable, Held, ModelStore
from tests.verification.simulation.clock import World
from tests.verification.simulation.story import Act


class SimStore(ModelStore):
    """One for all tills of a story; `acts` are its own weather."""

    def __init__(self, world: World, acts: tuple[Act, ...]) -> None:
        super().__init__(lambda: world.now)
        self._acts = tuple(act for act in acts if act.verb.startswith("store_"))
        self._batches = 0
        self._backup: Durable | None = None
        self._tears = {act.value for act in self._acts if act.verb == "store_torn"}
        self.lies = self._lie

    def is_now(self, weather: str) -> bool:
        """Whether one of its acts is at work, or somebody set it so."""
        if super().is_now(weather):
            return True
        verb, now = f"store_{weather}", self.now()
        return any(each.verb == verb and each.at <= now < each.at + each.value for each in self._acts)

    def lied_since(self, at: int) -> bool:
        """Whether it told lies between then and now."""
        now = self.now()
        return any(
            each.verb == f"store_{LIES}" and each.at <= now and at < each.at + each.value
            for each in self._acts
        )

    def back_up(self) -> None:
        """A backup is taken."""
        self._backup = self.backup()

    def put_back(self) -> None:
        """The old backup is put back, where there is one."""
        if self._backup is not None:
            self.restore(self._backup)

    def keep(self, held: Held, batch: Batch) -> None:
        """As any store; or it dies before anything of it is written."""
        self._batches += 1
        if self._batches in self._tears:
            raise ConnectFailed("the store died")
        super().keep(held, batch)

    def _lie(self, head: Head) -> Head:
        """As a broken-into store would: another history, under a signature that is not this counter's."""
        if not self.is_now(LIES):
            return head
        made_up = self.forged(head.proof) if head.proof else None
        if self.now() // 10_000 % 2:
            return Head(seq=head.seq + 7, mac=b"\2" * 32, epoch=head.epoch, proof=made_up)
        return Head(seq=max(1, head.seq), mac=b"\3" * 32, epoch=head.epoch, proof=None)

    @staticmethod
    def forged(proof: Signed) -> Signed:
        """A header of this counter's that says something else, under a signature that nobody made."""
        header = msgspec.structs.replace(read_header(proof.header), mac=b"\4" * 32)
        return Signed(header=msgspec.msgpack.encode(header), signature=b"\1" * 64)

    def answer(self, answer: Answer, signed: Signed) -> Answer:
        """A liar makes forks up."""
        if self.is_now(LIES) and self.now() // 5_000 % 2:
            return Answer(verdict=Verdict.FORK, head=answer.head, held=self.forged(signed))
        return answer
