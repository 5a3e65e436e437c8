"""`kg completion`: what a shell needs to complete commands, options, names and files."""

from __future__ import annotations

import os
from typing import Final

import click
from click.shell_completion import BashComplete, add_completion_class, get_completion_class, split_arg_string

_SHELLS: Final = ("bash", "zsh", "fish")


@add_completion_class
class _Bash(BashComplete):
    """Bash, with two things that click's own class lacks: words with @ or : in them, and quoted names with spaces.

    Bash ends words at @, = and : in what it passes on, so the line itself is split into words here. It replaces
    what stands behind the last = or :, so of each value only that part is handed back.
    """

    source_template = r"""
%(complete_func)s() {
    local IFS=$'\n' completion type value
    local line="${COMP_LINE:0:COMP_POINT}" breaks="${COMP_WORDBREAKS//[^:=]/}" start=""
    local word="${line##*[[:space:]]}" quoted=""
    [[ "${COMP_WORDS[COMP_CWORD]}" == [\"\']* ]] && quoted=1
    [[ $breaks ]] && start="${word%%"${word##*[$breaks]}"}"
    for completion in $(env COMP_WORDS="$line" COMP_CWORD="$COMP_CWORD" %(complete_var)s=bash_complete $1); do
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
        """The words before the cursor, and the one that is being typed, from the line up to the cursor."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)
        typing = words and (not line[-1:].isspace() or words[-1][-1:].isspace())
        incomplete = words.pop() if typing else ""
        return words[1:], incomplete


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that lets a shell complete commands, options, formats, files, queries and entities.

    \b
    Example:
      kg completion bash >> ~/.bashrc
      kg completion zsh >> ~/.zshrc
      kg completion fish > ~/.config/fish/completions/kg.fish
    """
    made = get_completion_class(shell)
    if made is None:
        raise click.ClickException(f"click knows no completion for {shell}")
    click.echo(made(ctx.find_root().command, {}, "kg", "_KG_COMPLETE").source())
