/** `nomen lint`: checks declarations, and OpenAPI documents of any service, against the conventions. */
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
import { type Arguments, type Command, type Flag, readArguments } from '../command.ts'
import { CommandError, unknownName } from '../command-error.ts'
import { choiceOf } from '../flag/choice.ts'
import { explanationText, listOf } from '../output/explanation-text.ts'
import { ServiceFileError } from '../service-file/error.ts'
import { loadService } from '../service-file/load.ts'
import { type LintSource, lintSources } from '../source/lint.ts'

const formatNames = ['text', 'json', 'sarif', 'github', 'junit'] as const

const formats: Readonly<Record<(typeof formatNames)[number], (report: LintReport) => string>> = {
  text: (report) => humanReport(report, { isColored: process.stdout.hasColors?.() === true }),
  json: jsonReport,
  sarif: sarifReport,
  github: githubReport,
  junit: junitReport,
}

const flags: readonly Flag[] = [
  {
    name: 'format',
    value: 'name',
    choices: formatNames,
    about: 'output format: text, json, sarif, github or junit (default: text)',
  },
  { name: 'dictionary', value: 'file', about: 'file of singular words that look plural, one per line' },
  {
    name: 'explain',
    value: 'rule',
    about: 'explain a rule with a bad and a good example, and exit; "all" lists all rules',
  },
  {
    name: 'exceptions',
    value: 'file',
    about:
      'file of exceptions for documents that you cannot change: a list of { code, reason }, each optionally with file, path or pointer',
  },
  { name: 'ignore', value: 'codes', about: 'rules to ignore, comma-separated' },
]

export const lintCommand: Command = {
  name: 'lint',
  flags,
  usage: 'lint [documents, service files, folders] [options]',
  description: `Checks OpenAPI documents (3.x, YAML or JSON, files or URLs) or the APIs of service files against the conventions. Use a
quoted pattern for many files ('apis/**/*.yaml'), and - for standard input. In a folder (default: the current one) the
command reads service.ts, or else openapi.yaml or openapi.json. One report covers all files.`,
  notes: `Any object in a document can list exceptions: x-nomen-ignore: [{ code: plural-path-segment, reason: … }].

Exit codes: 0 no errors (warnings are allowed), 1 errors, 2 invalid arguments, or a document that cannot be read.`,
  async run(argv) {
    const args = readArguments(flags, argv, 'any')
    const rule = args.text('explain')
    if (rule !== undefined) return console.log(explain(rule, args.positionals))
    const write = formats[choiceOf(args, 'format', formatNames, 'text')]
    const sources = lintSources(args.positionals.length > 0 ? args.positionals : ['.'])
    const options = { dictionary: dictionaryOf(args), ignore: ignoredOf(args), ...(await exceptionsOf(args)) }
    const { reports, faults } = await lintAll(sources, options)
    if (reports.length > 0) print(mergedReport(reports), write)
    if (faults.length > 0) throw faultOf(faults)
  },
}

function print(report: LintReport, write: (report: LintReport) => string): void {
  const text = write(report)
  if (text !== '') console.log(text)
  if (report.findings.some(({ severity }) => severity === 'error')) process.exitCode = 1
}

/** The explanation of a rule, or the list of all rules. */
function explain(name: string, others: readonly string[]): string {
  if (others.length > 0)
    throw new CommandError(`--explain cannot be combined with "${others[0]}".`, 'Remove one of them.')
  if (name === 'all') return listOf(rules.map(({ code, severity, about }) => [code, severity, about]))
  const { code, severity, about, explanation } = ruleOf(name)
  return explanationText(`${code}  ${severity}`, about, explanation.text, {
    bad: explanation.bad,
    good: explanation.good,
  })
}

interface LintResults {
  readonly reports: readonly LintReport[]
  /** Errors of the sources that could not be linted. */
  readonly faults: readonly Error[]
}

/** Lints all sources. An unreadable source does not stop the others. */
async function lintAll(sources: readonly LintSource[], options: LintOptions): Promise<LintResults> {
  const reports: LintReport[] = []
  const faults: Error[] = []
  const notDocuments: LintSource[] = []
  for (const source of sources) {
    try {
      reports.push(await lint(source, options))
    } catch (error) {
      if (error instanceof DocumentError && error.isOther && source.pattern !== undefined) notDocuments.push(source)
      else if (error instanceof DocumentError || error instanceof ServiceFileError) faults.push(error)
      else throw error
    }
  }
  if (notDocuments.length > 0) reportSkipped(notDocuments, sources)
  return { reports, faults }
}

async function lint({ kind, name }: LintSource, options: LintOptions): Promise<LintReport> {
  if (kind === 'input') return lintDocumentText(await textOf(process.stdin), name, options)
  if (kind === 'document') return lintDocument(name, options)
  return lintApis((await loadService(name)).apis, name, options)
}

/** A pattern may match parts of documents, and unrelated files. */
function reportSkipped(notDocuments: readonly LintSource[], sources: readonly LintSource[]): void {
  const [first] = notDocuments
  if (notDocuments.length === sources.length)
    throw new CommandError(
      `No file that matches ${first?.pattern} is an OpenAPI document.`,
      'An OpenAPI document has its version in the field "openapi".',
    )
  const names = notDocuments.map(({ name }) => name).join(', ')
  console.error(`nomen: Skipped files that are not OpenAPI documents: ${names}`)
}

function faultOf(faults: readonly Error[]): CommandError {
  const [first, ...others] = faults
  if (first instanceof CommandError && others.length === 0) return first
  const messages = faults.map(({ message }) => message).join('\n')
  return new CommandError(messages, 'nomen lint reads OpenAPI 3.x documents in YAML or JSON.')
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
    throw new CommandError(
      `The dictionary ${file} cannot be read: ${reason}.`,
      'Use a text file with one word per line.',
    )
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
  return codes.map((code) => ruleOf(code).code)
}

function ruleOf(name: string): RuleInfo {
  const rule = rules.find(({ code }) => code === name)
  if (rule) return rule
  const codes = rules.map(({ code }) => code)
  throw unknownName('Unknown rule', name, codes, 'Run "nomen lint --explain all" for a list.')
}
