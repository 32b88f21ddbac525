"""`sightline completions`: shell completions for commands, options and their values."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from sightline.commands.arguments import parser
from sightline.names import COMMAND


def completions(options: argparse.Namespace) -> int:
    """Print the completions of one shell."""
    write = {"bash": bash, "zsh": zsh, "fish": fish}[options.shell]
    print("\n".join(write(parser())))
    return 0


def commands_of(top: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """The commands by name."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action.choices
    return {}


def options_of(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The visible options of a command."""
    return (each for each in command._actions if each.option_strings and each.help is not argparse.SUPPRESS)


def takes_value(option: argparse.Action) -> bool:
    """Whether an option is followed by a value."""
    return option.nargs != 0


def _values(option: argparse.Action) -> str:
    return " ".join(map(str, option.choices or ()))


def _positional_values(command: argparse.ArgumentParser) -> str:
    return " ".join(_values(each) for each in command._actions if not each.option_strings).strip()


def bash(top: argparse.ArgumentParser) -> Iterator[str]:
    """For bash: a function that checks the command and the previous word."""
    commands = commands_of(top)
    yield f"# {COMMAND} completions for bash; save as ~/.local/share/bash-completion/completions/{COMMAND}"
    yield f"_{COMMAND}() {{"
    yield "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}"
    yield "    if [[ $COMP_CWORD -eq 1 ]]; then"
    yield f'        COMPREPLY=($(compgen -W "{" ".join(commands)} --help --version" -- "$cur"))'
    yield "        return"
    yield "    fi"
    yield "    case $command:$prev in"
    for name, command in commands.items():
        for option in filter(takes_value, options_of(command)):
            words = "|".join(f"{name}:{flag}" for flag in option.option_strings)
            reply = "-f" if option.type is Path else f'-W "{_values(option)}"'
            yield f'        {words}) COMPREPLY=($(compgen {reply} -- "$cur")); return ;;'
    yield "    esac"
    yield "    case $command:$cur in"
    for name, command in commands.items():
        flags = " ".join(flag for option in options_of(command) for flag in option.option_strings)
        yield f'        {name}:-*) COMPREPLY=($(compgen -W "{flags}" -- "$cur")) ;;'
        if values := _positional_values(command):
            yield f'        {name}:*) COMPREPLY=($(compgen -W "{values}" -- "$cur")) ;;'
    yield '        *) COMPREPLY=($(compgen -f -- "$cur")) ;;'
    yield "    esac"
    yield "}"
    yield f"complete -o filenames -F _{COMMAND} {COMMAND}"


def zsh(top: argparse.ArgumentParser) -> Iterator[str]:
    """For zsh: descriptions of the commands, then `_arguments` for the chosen one."""
    commands = commands_of(top)
    yield f"#compdef {COMMAND}"
    yield f"# {COMMAND} completions for zsh; save as _{COMMAND} in a folder of $fpath"
    yield f"_{COMMAND}() {{"
    yield "    local -a commands=("
    for name, command in commands.items():
        yield f"        {_zsh_quoted(f'{name}:{command.description}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then"
    yield "        _describe command commands"
    yield "        return"
    yield "    fi"
    yield "    case $words[2] in"
    for name, command in commands.items():
        yield f"        {name})"
        yield "            _arguments -s \\"
        for option in options_of(command):
            yield f"                {_zsh_option(option)} \\"
        values = _positional_values(command)
        yield f"                {_zsh_quoted(f'*:value:({values})' if values else '*:file:_files')}"
        yield "            ;;"
    yield "    esac"
    yield "}"
    yield f'_{COMMAND} "$@"'


def _zsh_option(option: argparse.Action) -> str:
    flags = option.option_strings
    text = (option.help or "").replace("[", "(").replace("]", ")").replace(":", "\\:")
    value = ""
    if takes_value(option):
        value = ":file:_files" if option.type is Path else f":value:({_values(option)})"
    described = _zsh_quoted(f"[{text}]{value}")
    if len(flags) == 1:
        return f"{flags[0]}{described}"
    return f"'({' '.join(flags)})'{{{','.join(flags)}}}{described}"


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish(top: argparse.ArgumentParser) -> Iterator[str]:
    """For fish: one line per command and option."""
    yield f"# {COMMAND} completions for fish; save as ~/.config/fish/completions/{COMMAND}.fish"
    for name, command in commands_of(top).items():
        text = _fish_quoted(command.description)
        yield f"complete -c {COMMAND} -f -n __fish_use_subcommand -a {name} -d {text}"
        chosen = f"complete -c {COMMAND} -n '__fish_seen_subcommand_from {name}'"
        if values := _positional_values(command):
            yield f"{chosen} -f -a '{values}'"
        for option in options_of(command):
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.option_strings
            )
            value = ""
            if takes_value(option):
                value = " -r" if option.type is Path else f" -x -a '{_values(option)}'"
            yield f"{chosen} {flags}{value} -d {_fish_quoted(option.help)}"


def _fish_quoted(text: str | None) -> str:
    return "'" + (text or "").replace("\\", "\\\\").replace("'", "\\'") + "'"
