/** `nomen diff`: reports breaking changes between two versions of an API, for use in CI. */
import { styleText } from 'node:util'
import { type ChangeCode, changeCodes, type Difference, diff, diffMarkdown, diffText } from '@nomen/conventions'
import { nearest } from '@nomen/core'
import { type Command, type Flag, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { choiceOf } from '../flag/choice.ts'
import { docsPage } from '../output/docs-page.ts'
import { comparisons } from '../source/diff.ts'

const formats = ['text', 'json', 'markdown'] as const
const kinds = ['whole', 'per-noun'] as const

const flags: readonly Flag[] = [
  {
    name: 'format',
    value: 'name',
    choices: formats,
    about: 'output format: text, json, or markdown for a comment on a pull request (default: text)',
  },
  {
    name: 'versioning',
    value: 'kind',
    choices: kinds,
    about: 'how the API is versioned: whole or per-noun (default: as in the documents, else derived from the paths)',
  },
  { name: 'api', value: 'name', about: 'compare only this API of a service file' },
  {
    name: 'accept',
    value: 'codes',
    about: 'codes of breaking changes to allow without a new version, comma-separated',
  },
]

export const diffCommand: Command = {
  name: 'diff',
  flags,
  usage: 'diff <old> <new> [options]',
  description: `Compares two versions of an API, and lists the changes. Each of the two is an OpenAPI document (file or URL, YAML or JSON)
or a service file. A breaking change needs a new version: of the whole API, or of the noun if each noun has its own version.`,
  notes: `Exit codes: 0 no breaking change, or every breaking change is allowed by a new version, a past sunset date or --accept.
1 a breaking change is not allowed. 2 invalid arguments, or a document that cannot be read.`,
  async run(argv) {
    const args = readArguments(flags, argv, ['old', 'new'])
    const [old, next] = args.positionals
    if (old === undefined || next === undefined)
      throw new CommandError(
        'diff needs two versions of an API.',
        'Each is an OpenAPI document (file or URL) or a service file. For example: nomen diff released.json service.ts',
      )
    const format = choiceOf(args, 'format', formats, 'text')
    const versioning = choiceOf(args, 'versioning', kinds, undefined)
    const accept = (args.text('accept') ?? '')
      .split(',')
      .flatMap((code) => (code.trim() ? changeCodeOf(code.trim()) : []))
    const options = { accept, ...(versioning && { versioning }) }
    const differences = (await comparisons(old, next, args.text('api'))).map(({ name, ...sides }) => {
      return { name, difference: diff(sides.old, sides.next, options) }
    })
    console.log(writers[format](differences))
    if (differences.some(({ difference }) => difference.requiredVersions.length > 0)) process.exitCode = 1
  },
}

interface NamedDifference {
  readonly name: string
  readonly difference: Difference
}

const writers: Record<(typeof formats)[number], (compared: readonly NamedDifference[]) => string> = {
  text: (compared) =>
    compared
      .map(({ name, difference }) => {
        const text = diffText(difference, (style, text) => styleText(style, text))
        return compared.length > 1 ? `${styleText('bold', `# ${name}`)}\n${text}` : text
      })
      .join('\n\n'),
  json: (compared) => {
    const isReleasable = compared.every(({ difference }) => difference.requiredVersions.length === 0)
    const apis = compared.map(({ name, difference }) => ({ name, ...difference }))
    return JSON.stringify({ isReleasable, apis }, undefined, 2)
  },
  markdown: (compared) => compared.map(({ name, difference }) => diffMarkdown(difference, name).trimEnd()).join('\n\n'),
}

function changeCodeOf(text: string): ChangeCode {
  const code = changeCodes.find((name) => name === text)
  if (code) return code
  const suggestion = nearest(text, changeCodes)
  const hint = suggestion ? ` Did you mean "${suggestion}"?` : ''
  throw new CommandError(`--accept: unknown change code "${text}".${hint}`, `All codes are in ${docsPage('diff.md')}`)
}
