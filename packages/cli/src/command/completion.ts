/** `nomen completion`: writes the completion script of a shell, for commands, flags and their values. */
import { nearest } from '@nomen/core'
import { type Command, type CommandEntry, readArguments } from '../command.ts'
import { alternatives, CommandError } from '../command-error.ts'
import { bashScript } from '../completion/bash.ts'
import type { CompletedCommand } from '../completion/completed-command.ts'
import { fishScript } from '../completion/fish.ts'
import { zshScript } from '../completion/zsh.ts'

const shells: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}
const names = Object.keys(shells)

/** `commands` are all commands of `nomen`. */
export function completionCommand(commands: readonly CommandEntry[]): Command {
  return {
    name: 'completion',
    flags: [],
    usage: `completion ${names.join('|')}`,
    description: `Writes a shell completion script for commands, flags and their values. Run the command again after an update of Nomen.

  bash  nomen completion bash > ~/.local/share/bash-completion/completions/nomen
  zsh   nomen completion zsh > ~/.zfunc/_nomen
        In ~/.zshrc, add fpath+=~/.zfunc before compinit.
  fish  nomen completion fish > ~/.config/fish/completions/nomen.fish`,
    async run(argv) {
      const [shell] = readArguments([], argv, ['shell']).positionals
      const write = shell !== undefined && Object.hasOwn(shells, shell) ? shells[shell] : undefined
      if (!write) throw unknownShell(shell)
      const completed = await Promise.all(
        commands.map(async ({ name, summary, load }) => ({
          name,
          summary,
          ...(name === 'completion' ? { flags: [], words: names } : { flags: (await load()).flags, words: [] }),
        })),
      )
      process.stdout.write(write(completed))
    },
  }
}

function unknownShell(shell: string | undefined): CommandError {
  const suggestion = shell === undefined ? undefined : nearest(shell, names)
  return new CommandError(
    shell === undefined ? 'completion needs a shell.' : `Unknown shell "${shell}".`,
    suggestion ? `Did you mean "${suggestion}"?` : `Use ${alternatives(names)}.`,
  )
}
