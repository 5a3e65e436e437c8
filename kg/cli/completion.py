"""`kg completion`: shell completion of commands, options, names and files."""

from __future__ import annotations

import os
from typing import Final

import click
from click.shell_completion import (
    BashComplete,
    get_completion_class,
    split_arg_string,
)

_SHELLS: Final = ("bash", "zsh", "fish")


class Bash(BashComplete):
    """Completion for Bash of words with @ or : and of quoted names with spaces, which click lacks.

    Bash splits words at @, = and : before it passes them on, so this class splits the line itself.
    Bash replaces only the text after the last = or :, so only that part of a value is returned.
    """

    source_template = r"""
%(complete_func)s() {
    local IFS=$'\n' completion type value
    local line="${COMP_LINE:0:COMP_POINT}" breaks="${COMP_WORDBREAKS//[^:=]/}" start=""
    local word="${line##*[[:space:]]}" quoted=""
    [[ "${COMP_WORDS[COMP_CWORD]}" == [\"\']* ]] && quoted=1
    [[ $breaks ]] && start="${word%%"${word##*[$breaks]}"}"
    for completion in $(
        env COMP_WORDS="$line" COMP_CWORD="$COMP_CWORD" %(complete_var)s=bash_complete $1
    ); do
        IFS=',' read -r type value <<< "$completion"
        if [[ $type == dir ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == file ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $quoted ]]; then
            COMPREPLY+=("$value")
        else
            COMPREPLY+=("$(printf %%q "${value#"$start"}")")
        fi
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, and the incomplete word at the cursor."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)
        typing = words and (not line[-1:].isspace() or words[-1][-1:].isspace())
        incomplete = words.pop() if typing else ""
        return words[1:], incomplete


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    It completes commands, options, formats, files, named queries and entity names.

    \b
    Example:
      kg completion bash >> ~/.bashrc
      kg completion zsh >> ~/.zshrc
      kg completion fish > ~/.config/fish/completions/kg.fish
    """
    script = get_completion_class(shell)
    if script is None:
        raise click.ClickException(f"click has no completion for {shell}")
    click.echo(script(ctx.find_root().command, {}, "kg", "_KG_COMPLETE").source())
