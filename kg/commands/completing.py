"""`kg completion`: what a shell needs to complete commands, options and names."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import get_completion_class

_SHELLS: Final = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that lets a shell complete commands, options, formats and names of queries.

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
