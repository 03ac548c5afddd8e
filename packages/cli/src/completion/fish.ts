/** Completion for fish. */
import type { Flag } from '../command.ts'
import { type Completed, helpFlag } from './completed.ts'

export function fishScript(commands: readonly Completed[]): string {
  const names = commands.map(
    ({ name, summary }) => `complete -c nomen -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}\n`,
  )
  return `# Completion of nomen for fish, made by: nomen completion fish
${names.join('')}${commands.flatMap(commandLines).join('')}`
}

function commandLines({ name, flags, words }: Completed): readonly string[] {
  const begin = `complete -c nomen -n '__fish_seen_subcommand_from ${name}'`
  return [
    ...[...flags, helpFlag].map((flag) => `${begin} ${flagPart(flag)}\n`),
    ...(words.length > 0 ? [`${begin} -f -a ${quoted(words.join(' '))}\n`] : []),
  ]
}

function flagPart({ name, value, about, choices }: Flag): string {
  const taken = value === undefined ? '' : choices ? ` -x -a ${quoted(choices.join(' '))}` : ' -r'
  return `-l ${name}${taken} -d ${quoted(about)}`
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
