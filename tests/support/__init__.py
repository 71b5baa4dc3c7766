"""What tests of every layer share; it must hold no tests. Look here before writing a helper.

Drivers and builders, one of each:

- `driver.py`: `Driver`, the one way to work a window: look, touch, type, wait until it says so; and the `Keyboard`.
- `till.py`: `StartedTill`, a Driver of a whole till at a sandbox; `tills` and `enrol` for fixtures.
- `stage.py`: `Stage`, a Driver of the till's window alone, fed by the test; `STATES`, all it can show.
- `sandbox.py`: `Sandbox`, its process and what can be done to it; `sandbox_client.py`, a stranger's client of it.
- `builders.py`: sales, attempts, people and records, as they are written.
- `published.py`: the same as they are published to a window, with its configuration.
- `forked.py`: `start_verb`, a verb's process without what its start takes; `fork_server.py` is what it is forked off.
- `command_line.py`: `arguments`, the options of a till on given files.

And a journal in memory (`memory_journal.py`), waiting (`living.py`, `patience.py`, `patient_qtbot.py`,
`patient_verbs.py`), ids that repeat (`drawn.py`), ports that nobody else is given (`ports.py`), permissions that count
(`unprivileged.py`). The engine without threads is led by `tests/unit/engine/rig.py`.
"""
