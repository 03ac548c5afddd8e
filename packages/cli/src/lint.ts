/** `nomen lint`: holds declarations, or an OpenAPI document of whatever origin, against the conventions. */
import { existsSync, readFileSync } from 'node:fs'
import {
  DocumentError,
  githubReport,
  humanReport,
  jsonReport,
  type LintReport,
  lintApis,
  lintDocument,
  type RuleInfo,
  rules,
  sarifReport,
} from '@nomen/conventions'
import { nearest } from '@nomen/core'
import { type Arguments, type Command, type Flag, flagHelp, readArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { explained, listOf } from './explained.ts'
import { loadService } from './load-service.ts'

const formats: Readonly<Record<string, (report: LintReport) => string>> = {
  human: (report) => humanReport(report, { isColoured: process.stdout.hasColors?.() === true }),
  json: jsonReport,
  sarif: sarifReport,
  github: githubReport,
}

const flags: readonly Flag[] = [
  { name: 'format', value: 'name', choices: Object.keys(formats), about: 'human unless given; json, sarif, github' },
  { name: 'dictionary', value: 'file', about: 'words that are singular though they do not look it, one a line' },
  {
    name: 'explain',
    value: 'rule',
    about: 'lint nothing, and tell of a rule: what it means, a bad and a good example; all lists them',
  },
  { name: 'ignore', value: 'codes', about: 'rules that do not count, with commas between them' },
]

export const lintCommand: Command = {
  name: 'lint',
  flags,
  help: `Usage: nomen lint [document, service file or folder] [options]

Holds an api against the conventions: an OpenAPI document (3.x, YAML or JSON, a file or an http address), or what a
service file declares. Without a name it takes the service.ts that lies here.

${flagHelp(flags)}

A document can ask for exceptions itself, at any place in it: x-nomen-ignore: [{ code: plural-path-segment, reason: … }].
Exit codes: 0 no errors (there may be warnings), 1 errors, 2 called wrongly.`,
  async run(given) {
    const args = readArguments(flags, given, ['document, service file or folder'])
    const explained = args.text('explain')
    if (explained !== undefined) return console.log(explain(explained, args.positionals))
    const format = args.text('format') ?? 'human'
    const write = Object.hasOwn(formats, format) ? formats[format] : undefined
    if (!write) {
      throw new CommandError(`There is no format "${format}".`, `Choose one of ${Object.keys(formats).join(', ')}.`)
    }
    const report = await lint(args.positionals[0] ?? '.', args)
    const text = write(report)
    if (text !== '') console.log(text)
    if (report.findings.some(({ severity }) => severity === 'error')) process.exitCode = 1
  },
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

async function lint(source: string, args: Arguments): Promise<LintReport> {
  const options = { dictionary: dictionaryOf(args), ignore: ignoredOf(args) }
  const isAddress = /^https?:\/\//i.test(source)
  if (!isAddress && !/\.(ya?ml|json)$/i.test(source)) {
    const service = await loadService(source)
    return lintApis(service.apis, source, options)
  }
  if (!isAddress && !existsSync(source)) {
    throw new CommandError(`There is no document at ${source}.`, 'Name a file that is there, or an http address.')
  }
  try {
    return await lintDocument(source, options)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new CommandError(error.message, 'nomen lint takes OpenAPI 3, as YAML or JSON.', 1)
  }
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
