/** `nomen diff`: the breaking changes between two documents, as a gate. */
import { styleText } from 'node:util'
import {
  type ChangeCode,
  changeCodes,
  type Difference,
  DocumentError,
  diff,
  diffMarkdown,
  diffText,
  type OpenApiDocument,
  readDocument,
} from '@nomen/conventions'
import { nearest } from '@nomen/core'
import { type Command, type Flag, flagHelp, readArguments } from './command.ts'
import { CommandError } from './command-error.ts'

const flags: readonly Flag[] = [
  {
    name: 'format',
    value: 'text, json or markdown',
    about: 'markdown for a comment on a pull request; text if not given',
  },
  {
    name: 'versioning',
    value: 'whole or per-noun',
    about: 'what raises its version together; the documents tell if not given',
  },
  {
    name: 'accept',
    value: 'codes',
    about: 'breaking changes that are wanted as they are, such as response-enum-value-added,…',
  },
]

export const diffCommand: Command = {
  name: 'diff',
  help: `Usage: nomen diff <old> <new> [options]

Compares two OpenAPI documents (files or addresses, YAML or JSON) and lists what changed. A breaking change must be under
a new version: of all of the api where that is versioned as a whole, else of the noun that it concerns.

${flagHelp(flags)}

Exit codes: 0 when every breaking change is under a new version, or there is none; 1 when one is not; 2 when called
wrongly or when a document cannot be read.`,
  async run(given) {
    const args = readArguments(flags, given, ['old document', 'new document'])
    const [old, next] = args.positionals
    if (old === undefined || next === undefined)
      throw new CommandError('nomen diff needs two documents.', 'Such as: nomen diff released.json openapi.json')
    const format = chosen('format', args.text('format') ?? 'text', formats)
    const kind = args.text('versioning')
    const versioning = kind === undefined ? undefined : chosen('versioning', kind, ['whole', 'per-noun'] as const)
    const accept = (args.text('accept') ?? '').split(',').flatMap((code) => (code.trim() ? knownCode(code.trim()) : []))
    const difference = diff(await read(old), await read(next), { accept, ...(versioning && { versioning }) })
    console.log(writers[format](difference))
    if (difference.demands.length > 0) process.exitCode = 1
  },
}

const formats = ['text', 'json', 'markdown'] as const

const writers: Record<(typeof formats)[number], (difference: Difference) => string> = {
  text: (difference) => diffText(difference, (style, text) => styleText(style, text)),
  json: ({ versioning, demands, changes }) =>
    JSON.stringify({ isInOrder: demands.length === 0, versioning, demands, changes }, undefined, 2),
  markdown: (difference) => diffMarkdown(difference).trimEnd(),
}

/** A document that cannot be read says nothing of breaking changes: the call is wrong, the gate is neither open nor shut. */
async function read(source: string): Promise<OpenApiDocument> {
  try {
    return await readDocument(source)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new CommandError(error.message, 'Name two OpenAPI documents: a file or an address each.')
  }
}

function chosen<Choice extends string>(flag: string, given: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((one) => one === given)
  if (choice) return choice
  throw new CommandError(`--${flag} cannot be "${given}".`, `Give one of ${choices.join(', ')}.`)
}

function knownCode(given: string): ChangeCode {
  const code = changeCodes.find((one) => one === given)
  if (code) return code
  const near = nearest(given, changeCodes)
  throw new CommandError(
    `There is no code "${given}" to accept.${near ? ` Did you mean "${near}"?` : ''}`,
    'docs/diff.md lists them.',
  )
}
