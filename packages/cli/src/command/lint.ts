/** `nomen lint`: holds declarations, and OpenAPI documents of whatever origin, against the conventions. */
import { readFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import {
  DocumentError,
  githubReport,
  humanReport,
  jsonReport,
  junitReport,
  type LintOptions,
  type LintReport,
  lintApis,
  lintDocument,
  lintDocumentText,
  mergedReport,
  type RuleInfo,
  readExceptions,
  rules,
  sarifReport,
} from '@nomen/conventions'
import { nearest } from '@nomen/core'
import { type Arguments, type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { explained, listOf } from '../output/explained.ts'
import { ServiceFileError } from '../service-file/error.ts'
import { loadService } from '../service-file/load.ts'
import { type LintSource, lintSources } from '../source/lint.ts'

const formats: Readonly<Record<string, (report: LintReport) => string>> = {
  text: (report) => humanReport(report, { isColoured: process.stdout.hasColors?.() === true }),
  json: jsonReport,
  sarif: sarifReport,
  github: githubReport,
  junit: junitReport,
}

const flags: readonly Flag[] = [
  {
    name: 'format',
    value: 'name',
    choices: Object.keys(formats),
    about: 'text unless given; json, sarif, github, junit',
  },
  { name: 'dictionary', value: 'file', about: 'words that are singular though they do not look it, one a line' },
  {
    name: 'explain',
    value: 'rule',
    about: 'lint nothing, and tell of a rule: what it means, a bad and a good example; all lists them',
  },
  {
    name: 'exceptions',
    value: 'file',
    about:
      'a list of { code, reason } with file, path or pointer, for documents that cannot make exceptions themselves',
  },
  { name: 'ignore', value: 'codes', about: 'rules that do not count, with commas between them' },
]

export const lintCommand: Command = {
  name: 'lint',
  flags,
  help: `Usage: nomen lint [documents, service files, folders] [options]

Holds apis against the conventions: OpenAPI documents (3.x, YAML or JSON, files or http addresses), or what service files
declare. A pattern in quotes names many, 'apis/**/*.yaml'; - is standard input. Of a folder it takes the service.ts, else the
openapi.yaml or openapi.json; without a name, of the folder here. There is one report of all of them.

${flagHelp(flags)}

A document can ask for exceptions itself, at any place in it: x-nomen-ignore: [{ code: plural-path-segment, reason: … }].
Exit codes: 0 no errors (there may be warnings), 1 errors or a document that cannot be read, 2 called wrongly.`,
  async run(given) {
    const args = readArguments(flags, given, 'any')
    const explained = args.text('explain')
    if (explained !== undefined) return console.log(explain(explained, args.positionals))
    const format = args.text('format') ?? 'text'
    const write = Object.hasOwn(formats, format) ? formats[format] : undefined
    if (!write) {
      throw new CommandError(`There is no format "${format}".`, `Choose one of ${Object.keys(formats).join(', ')}.`)
    }
    const sources = lintSources(args.positionals.length > 0 ? args.positionals : ['.'])
    const options = { dictionary: dictionaryOf(args), ignore: ignoredOf(args), ...(await exceptionsOf(args)) }
    const { reports, faults } = await lintAll(sources, options)
    if (reports.length > 0) tell(mergedReport(reports), write)
    if (faults.length > 0) throw faultOf(faults)
  },
}

function tell(report: LintReport, write: (report: LintReport) => string): void {
  const text = write(report)
  if (text !== '') console.log(text)
  if (report.findings.some(({ severity }) => severity === 'error')) process.exitCode = 1
}

/** What is known of a rule, or the list of all. */
function explain(asked: string, others: readonly string[]): string {
  if (others.length > 0)
    throw new CommandError(`--explain lints nothing, and "${others[0]}" is named.`, 'Leave one of the two out.')
  if (asked === 'all') return listOf(rules.map(({ code, severity, about }) => [code, severity, about]))
  const { code, severity, about, explanation } = ruleOf(asked, 'explain')
  return explained(`${code}  ${severity}`, about, explanation.text, {
    bad: explanation.bad,
    good: explanation.good,
  })
}

interface Linted {
  readonly reports: readonly LintReport[]
  /** Why the others could not be linted. */
  readonly faults: readonly Error[]
}

/** One that cannot be read does not keep the others from being linted. */
async function lintAll(sources: readonly LintSource[], options: LintOptions): Promise<Linted> {
  const reports: LintReport[] = []
  const faults: Error[] = []
  const others: LintSource[] = []
  for (const source of sources) {
    try {
      reports.push(await lint(source, options))
    } catch (error) {
      if (error instanceof DocumentError && error.isOther && source.pattern !== undefined) others.push(source)
      else if (error instanceof DocumentError || error instanceof ServiceFileError) faults.push(error)
      else throw error
    }
  }
  if (others.length > 0) tellOthers(others, sources)
  return { reports, faults }
}

async function lint({ kind, name }: LintSource, options: LintOptions): Promise<LintReport> {
  if (kind === 'input') return lintDocumentText(await textOf(process.stdin), name, options)
  if (kind === 'document') return lintDocument(name, options)
  return lintApis((await loadService(name)).apis, name, options)
}

/** A pattern may match parts of documents, and files that have nothing to do with them. */
function tellOthers(others: readonly LintSource[], sources: readonly LintSource[]): void {
  const [first] = others
  if (others.length === sources.length)
    throw new CommandError(
      `Nothing that matches ${first?.pattern} is an OpenAPI document.`,
      'A document says in its field "openapi" of which version it is.',
    )
  const names = others.map(({ name }) => name).join(', ')
  console.error(`nomen: No OpenAPI documents by themselves, and passed over: ${names}`)
}

function faultOf(faults: readonly Error[]): CommandError {
  const [first, ...others] = faults
  if (first instanceof CommandError && others.length === 0) return first
  const messages = faults.map(({ message }) => message).join('\n')
  return new CommandError(messages, 'nomen lint takes OpenAPI 3, as YAML or JSON.', 1)
}

function dictionaryOf(args: Arguments): readonly string[] {
  const file = args.text('dictionary')
  if (file === undefined) return []
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*$/, '').trim())
      .filter((word) => word !== '')
  } catch (error) {
    const reason = error instanceof Error ? error.message : `${error}`
    throw new CommandError(`The dictionary ${file} cannot be read: ${reason}.`, 'Name a text file, one word a line.')
  }
}

async function exceptionsOf(args: Arguments): Promise<Pick<LintOptions, 'exceptions'>> {
  const file = args.text('exceptions')
  if (file === undefined) return {}
  try {
    return { exceptions: await readExceptions(file) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new CommandError(error.message, 'Write a list: - { code: plural-path-segment, path: /users/**, reason: … }')
  }
}

function ignoredOf(args: Arguments): readonly string[] {
  const codes = (args.text('ignore') ?? '').split(',').flatMap((code) => code.trim() || [])
  return codes.map((code) => ruleOf(code, 'ignore').code)
}

function ruleOf(asked: string, purpose: 'ignore' | 'explain'): RuleInfo {
  const found = rules.find(({ code }) => code === asked)
  if (found) return found
  const near = nearest(
    asked,
    rules.map(({ code }) => code),
  )
  throw new CommandError(
    `There is no rule "${asked}" to ${purpose}.${near ? ` Did you mean "${near}"?` : ''}`,
    'nomen lint --explain all lists them.',
  )
}
