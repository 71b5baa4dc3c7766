"""What bash needs to complete a line of ours, made from the parser's declarations. It looks at no shop."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from pos_app.cli.grammar import Command, Option


def script(command: Command) -> str:
    """To be read by bash, or by zsh after `bashcompinit`."""
    return "\n".join(_script(command)) + "\n"


def _script(command: Command) -> Iterator[str]:
    everything = tuple(_all(command))
    values = _by_value(everything)
    valued = sorted({pattern.rpartition("/")[2] for patterns in values.values() for pattern in patterns})
    paths = [shlex.quote(f"/{each.path.replace(' ', '/')}") for each in everything if each.path]
    yield "# Completes pos-app in bash; made by `pos-app completion`."
    yield "_pos_app() {"
    yield '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb="" at'
    yield "    for ((at = 1; at < COMP_CWORD; at++)); do"
    # What stands behind such an option is no verb, whatever it is called.
    yield f"        case ${{COMP_WORDS[at]}} in {' | '.join(valued)}) ((at++)); continue ;; esac"
    yield f'        case "$verb/${{COMP_WORDS[at]}}" in {" | ".join(paths)}) verb+=/${{COMP_WORDS[at]}} ;; esac'
    yield "    done"
    yield '    case "$verb/$before" in'
    for value, patterns in values.items():
        yield f"        {' | '.join(patterns)}) {value}; return ;;"
    yield "    esac"
    yield '    case "$verb" in'
    for each in everything:
        yield f"        '{'/' if each.path else ''}{each.path.replace(' ', '/')}') {_words(each)} ;;"
    yield "    esac"
    yield "}"
    yield "complete -F _pos_app pos-app"


def _by_value(everything: tuple[Command, ...]) -> dict[str, list[str]]:
    """What is completed behind an option, and where it is: */--config where every verb that has it says the same."""
    found: dict[str, dict[str, str]] = {}
    for each in everything:
        for option in _options(each):
            for name in option.names if option.value else ():
                at = f"/{each.path.replace(' ', '/')}" if each.path else ""
                found.setdefault(name, {})[at] = _values(option)
    patterns: dict[str, list[str]] = {}
    for name, places in found.items():
        if len(set(places.values())) == 1:
            places = {"*": next(iter(places.values()))}
        for at, value in places.items():
            patterns.setdefault(value, []).append(f"{at}/{name}")
    return patterns


def _all(command: Command) -> Iterator[Command]:
    for verb in command.verbs:
        yield from _all(verb)
    yield command


def _options(command: Command) -> tuple[Option, ...]:
    return (*command.options, *command.common)


def _values(option: Option) -> str:
    if option.choices:
        return _of_list(option.choices)
    if option.wants_folder:
        return 'mapfile -t COMPREPLY < <(compgen -d -- "$word")'
    return 'mapfile -t COMPREPLY < <(compgen -f -- "$word")' if option.wants_file else "COMPREPLY=()"


def _words(command: Command) -> str:
    names = [each.path.rpartition(" ")[2] for each in command.verbs]
    names += [choice for operand in command.operands for choice in operand.choices]
    options = [name for option in _options(command) for name in option.names]
    file = any(operand.value.startswith("FILE") for operand in command.operands)
    return _of_list((*names, *options)) + (
        '; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")' if file else ""
    )


def _of_list(words: tuple[str, ...]) -> str:
    return f'mapfile -t COMPREPLY < <(compgen -W {shlex.quote(" ".join(words))} -- "$word")'
