/** `nomen diff`: the breaking changes between two documents or two declarations, as a gate. */
import { styleText } from 'node:util'
import { type ChangeCode, changeCodes, type Difference, diff, diffMarkdown, diffText } from '@nomen/conventions'
import { nearest } from '@nomen/core'
import { type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { comparisons } from '../source/diff.ts'

const formats = ['text', 'json', 'markdown'] as const
const kinds = ['whole', 'per-noun'] as const

const flags: readonly Flag[] = [
  {
    name: 'format',
    value: 'name',
    choices: ['text', 'json', 'markdown'],
    about: 'text unless given, json, or markdown for a comment on a pull request',
  },
  {
    name: 'versioning',
    value: 'kind',
    choices: ['whole', 'per-noun'],
    about: 'whole or per-noun, where the documents do not tell',
  },
  { name: 'api', value: 'name', about: 'the one api of a service file that is to be compared' },
  { name: 'accept', value: 'codes', about: 'breaking changes that are wanted as they are: code,code' },
]

export const diffCommand: Command = {
  name: 'diff',
  flags,
  help: `Usage: nomen diff <old> <new> [options]

Compares two OpenAPI documents (files or addresses, YAML or JSON) or two service files, and lists what changed. A breaking
change must be under a new version: of all of the api where that is versioned as a whole, else of the noun it concerns.

${flagHelp(flags)}

Exit codes: 0 when every breaking change is under a new version, or there is none; 1 when one is not; 2 when called
wrongly, or when something cannot be read.`,
  async run(given) {
    const args = readArguments(flags, given, ['old document or service file', 'new one'])
    const [old, next] = args.positionals
    if (old === undefined || next === undefined)
      throw new CommandError('nomen diff needs two documents.', 'Such as: nomen diff released.json openapi.json')
    const format = oneOf('format', formats, args.text('format')) ?? 'text'
    const versioning = oneOf('versioning', kinds, args.text('versioning'))
    const accept = (args.text('accept') ?? '').split(',').flatMap((code) => (code.trim() ? knownCode(code.trim()) : []))
    const options = { accept, ...(versioning && { versioning }) }
    const compared = (await comparisons(old, next, args.text('api'))).map(({ name, ...sides }) => {
      return { name, difference: diff(sides.old, sides.next, options) }
    })
    console.log(writers[format](compared))
    if (compared.some(({ difference }) => difference.demands.length > 0)) process.exitCode = 1
  },
}

interface Compared {
  readonly name: string
  readonly difference: Difference
}

const writers: Record<(typeof formats)[number], (compared: readonly Compared[]) => string> = {
  text: (compared) =>
    compared
      .map(({ name, difference }) => {
        const text = diffText(difference, (style, text) => styleText(style, text))
        return compared.length > 1 ? `${styleText('bold', `# ${name}`)}\n${text}` : text
      })
      .join('\n\n'),
  json: (compared) => {
    const isInOrder = compared.every(({ difference }) => difference.demands.length === 0)
    const apis = compared.map(({ name, difference }) => ({ name, ...difference }))
    return JSON.stringify({ isInOrder, apis }, undefined, 2)
  },
  markdown: (compared) => compared.map(({ name, difference }) => diffMarkdown(difference, name).trimEnd()).join('\n\n'),
}

function oneOf<Choice extends string>(flag: string, choices: readonly Choice[], given?: string): Choice | undefined {
  if (given === undefined) return undefined
  const choice = choices.find((one) => one === given)
  if (choice) return choice
  throw new CommandError(`--${flag} cannot be "${given}".`, `Give one of ${choices.join(', ')}.`)
}

function knownCode(given: string): ChangeCode {
  const code = changeCodes.find((one) => one === given)
  if (code) return code
  const near = nearest(given, changeCodes)
  const hint = near ? ` Did you mean "${near}"?` : ''
  throw new CommandError(`There is no code "${given}" to accept.${hint}`, 'docs/diff.md lists them.')
}
