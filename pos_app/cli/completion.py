"""What bash, zsh and fish need to complete a line of ours, made from the parser's declarations. It looks at no shop.

Each script walks the line to find which verb it is at, past the values of options, and offers what stands there.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator

from pos_app.cli.grammar import Command, Option


def script(command: Command) -> str:
    """To be read by bash."""
    return "\n".join(_script(command)) + "\n"


def zsh(command: Command) -> str:
    """To be found by zsh as `_pos-app` in a folder of its `fpath`, or read by it."""
    return "\n".join(_zsh(command)) + "\n"


def fish(command: Command) -> str:
    """To be found by fish as `pos-app.fish` in a folder of completions."""
    return "\n".join(_fish(command)) + "\n"


SHELLS: dict[str, Callable[[Command], str]] = {"bash": script, "zsh": zsh, "fish": fish}


def _script(command: Command) -> Iterator[str]:
    everything = tuple(_all(command))
    values = _by_value(everything, _values)
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


def _by_value(everything: tuple[Command, ...], values: Callable[[Option], str]) -> dict[str, list[str]]:
    """What is completed behind an option, and where it is: */--config where every verb that has it says the same."""
    found: dict[str, dict[str, str]] = {}
    for each in everything:
        for option in _options(each):
            for name in option.names if option.value else ():
                at = f"/{each.path.replace(' ', '/')}" if each.path else ""
                found.setdefault(name, {})[at] = values(option)
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


def _zsh(command: Command) -> Iterator[str]:
    everything = tuple(_all(command))
    values = _by_value(everything, _zsh_values)
    valued = sorted({pattern.rpartition("/")[2] for patterns in values.values() for pattern in patterns})
    paths = [shlex.quote(f"/{each.path.replace(' ', '/')}") for each in everything if each.path]
    yield "#compdef pos-app"
    yield "# Completes pos-app in zsh; made by `pos-app completion zsh`."
    yield "_pos_app() {"
    yield "    local at= word before=${words[CURRENT-1]}"
    yield "    local -i past=0"
    yield "    local -a found"
    yield "    for word in ${words[2,CURRENT-1]}; do"
    yield "        if ((past)); then past=0; continue; fi"
    yield f"        case $word in ({' | '.join(valued)}) past=1; continue ;; esac"
    yield f'        case "$at/$word" in ({" | ".join(paths)}) at+=/$word ;; esac'
    yield "    done"
    yield '    case "$at/$before" in'
    for value, patterns in values.items():
        yield f"        ({' | '.join(patterns)}) {value}; return ;;"
    yield "    esac"
    yield '    case "$at" in'
    for each in everything:
        yield f"        ('{'/' if each.path else ''}{each.path.replace(' ', '/')}')"
        yield from _zsh_words(each)
        yield "            ;;"
    yield "    esac"
    yield "}"
    # Found in the fpath it is the function itself; read by somebody's .zshrc it only makes it known.
    yield 'if [ "$funcstack[1]" = _pos_app ]; then _pos_app "$@"; else compdef _pos_app pos-app; fi'


def _zsh_values(option: Option) -> str:
    if option.choices:
        return f"compadd -- {shlex.join(option.choices)}"
    if option.wants_folder:
        return "_files -/"
    return "_files" if option.wants_file else "_message value"


def _zsh_words(command: Command) -> Iterator[str]:
    """An array of "word:what it is", a colon in a word written with a backslash."""
    verbs = [(each.path.rpartition(" ")[2], each.says) for each in command.verbs]
    verbs += [(choice, "") for operand in command.operands for choice in operand.choices]
    options = [(name, option.says) for option in _options(command) for name in option.names]
    for what, words in (("verb", verbs), ("option", options)):
        if words:
            told = (shlex.quote(f"{word.replace(':', chr(92) + ':')}:{says}") for word, says in words)
            yield f"            found=({' '.join(told)})"
            yield f"            _describe {'-o ' if what == 'option' else ''}{what} found"
    if any(operand.value.startswith("FILE") for operand in command.operands):
        yield "            _files"


def _fish(command: Command) -> Iterator[str]:
    everything = tuple(_all(command))
    valued = sorted(
        {name for each in everything for option in _options(each) if option.value for name in option.names}
    )
    yield "# Completes pos-app in fish; made by `pos-app completion fish`."
    yield "function __pos_app_at"
    yield "    set -l at"
    yield "    set -l past 0"
    yield "    for word in (commandline -opc)[2..-1]"
    yield "        if test $past = 1"
    yield "            set past 0"
    yield f"        else if contains -- $word {' '.join(valued)}"
    yield "            set past 1"
    paths = " ".join(_fish_quoted(each.path) for each in everything if each.path)
    yield f'        else if contains -- "$(string join " " -- $at $word)" {paths}'
    yield "            set -a at $word"
    yield "        end"
    yield "    end"
    yield '    test "$at" = "$argv"'
    yield "end"
    yield "complete -c pos-app -f"
    for each in everything:
        here = f"complete -c pos-app -n {_fish_quoted('__pos_app_at ' + each.path).rstrip()}"
        for verb in each.verbs:
            yield f"{here} -a {verb.path.rpartition(' ')[2]} -d {_fish_quoted(verb.says)}"
        for operand in each.operands:
            if operand.choices:
                yield f"{here} -a {_fish_quoted(' '.join(operand.choices))} -d {_fish_quoted(operand.says)}"
            if operand.value.startswith("FILE"):
                yield f"{here} -F"
        for option in _options(each):
            yield f"{here} {_fish_option(option)}"


def _fish_option(option: Option) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.choices:
        names.append(f"-x -a {_fish_quoted(' '.join(option.choices))}")
    elif option.wants_folder:
        names.append("-x -a '(__fish_complete_directories)'")
    elif option.value:
        names.append("-r -F" if option.wants_file else "-x")
    return " ".join([*names, f"-d {_fish_quoted(option.says)}"])


def _fish_quoted(text: str) -> str:
    return "'" + text.replace(chr(92), chr(92) * 2).replace("'", chr(92) + "'") + "'"
