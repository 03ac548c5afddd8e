/** `nomen check`: checks a running service in any language against the conventions. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CheckError, type CheckReport, checkJunit, checkService, checks, DocumentError } from '@nomen/conventions'
import { nearest } from '@nomen/core'
import { type Arguments, type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { checkReport } from '../output/check-report.ts'
import { explained, listOf } from '../output/explained.ts'
import { Progress } from '../output/progress.ts'
import { stopSignal } from '../process/stop-signal.ts'

const tokenVariable = 'CHECK_TOKEN'

const flags: readonly Flag[] = [
  { name: 'document', value: 'file or URL', about: 'the OpenAPI document; /openapi.json below the base unless given' },
  { name: 'write', about: 'also make, change and delete records; what was made is deleted again' },
  { name: 'explain', value: 'code', about: 'check nothing, and tell what a check is and why; all lists them' },
  { name: 'strict', about: 'what the conventions leave open must be as Nomen decided' },
  {
    name: 'fuzz',
    value: 'number',
    about: 'also send so many bent requests; with --write they change and delete any record',
  },
  {
    name: 'versioning',
    value: 'name',
    choices: ['whole', 'per-noun'],
    about: 'whole unless given; per-noun lets paths have versions of their own',
  },
  { name: 'access-log', value: 'file', about: 'the access log of the service: every request must have its line there' },
  { name: 'seed', value: 'text', about: 'repeats the choices of an earlier run' },
  { name: 'max-requests', value: 'number', about: 'no more requests than this, 5000 unless given' },
  { name: 'timeout', value: 'seconds', about: 'how long an answer may take, 10 unless given' },
  { name: 'token', environment: tokenVariable, value: 'text', about: 'sent as a bearer token, and never shown' },
  { name: 'format', value: 'name', choices: ['text', 'json', 'junit'], about: 'text unless given; json; junit' },
]

export const checkCommand: Command = {
  name: 'check',
  flags,
  help: `Usage: nomen check <base URL> [options]

Checks whether a running service, in any language, keeps the conventions: by its OpenAPI document, and by what it answers.
It is only read unless --write is given.

${flagHelp(flags)}

Every failure comes with what was expected, what came, and a curl line that shows it. What the conventions leave open is
reported as not specified, what cannot be tried as skipped; neither is a failure.
Exit codes: 0 nothing failed, 1 something failed or nothing answers, 2 called wrongly.`,
  async run(given) {
    const args = readArguments(flags, given, ['base URL'])
    const asked = args.text('explain')
    if (asked !== undefined) return console.log(explain(asked))
    const base = baseOf(args)
    const format = oneOf(args, 'format', ['text', 'json', 'junit']) ?? 'text'
    const progress = new Progress(`Checking ${base}`, process.stderr, 'request')
    const signal = stopSignal()
    try {
      const report = await checkService({
        base,
        document: args.text('document'),
        isWriting: args.isOn('write'),
        isStrict: args.isOn('strict'),
        fuzz: wholeNumber(args, 'fuzz', 0),
        versioning:
          args.text('versioning') === undefined ? undefined : oneOf(args, 'versioning', ['whole', 'per-noun']),
        accessLog: accessLogOf(args),
        seed: args.text('seed'),
        maxRequests: wholeNumber(args, 'max-requests', 5000),
        timeout: wholeNumber(args, 'timeout', 10) * 1000,
        token: args.text('token'),
        tokenVariable,
        signal,
        onProgress: ({ requests, done, planned, failed }) =>
          progress.reach({
            count: requests,
            ...(planned > 0 && { share: done / planned }),
            notes: failed > 0 ? [`${failed} failed`] : [],
          }),
      })
      progress.clear()
      console.log(written(report, format))
      if (signal.aborted) throw new CommandError('Stopped before the end.', 'The report is not complete.', 1)
      if (report.counts.failed > 0) process.exitCode = 1
    } catch (error) {
      throw fixed(error)
    } finally {
      progress.clear()
    }
  },
}

function explain(asked: string): string {
  if (asked === 'all') return listOf(Object.entries(checks).map(([code, [what]]) => [code, what]))
  const found = Object.entries(checks).find(([code]) => code === asked)
  if (found) return explained(asked, found[1][0], found[1][1])
  const near = nearest(asked, Object.keys(checks))
  throw new CommandError(
    `There is no check "${asked}".${near ? ` Did you mean "${near}"?` : ''}`,
    'nomen check --explain all lists them.',
  )
}

function written(report: CheckReport, format: 'text' | 'json' | 'junit'): string {
  if (format === 'json') return JSON.stringify(report, null, 2)
  return format === 'junit' ? checkJunit(report).trimEnd() : checkReport(report)
}

function baseOf(args: Arguments): string {
  const [base] = args.positionals
  if (base === undefined)
    throw new CommandError('nomen check needs the address of a service.', 'Such as: nomen check http://127.0.0.1:3000')
  const url = URL.parse(base)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return `${url.origin}${url.pathname}`.replace(/\/$/, '')
  throw new CommandError(`"${base}" is no address.`, 'Give one with http:// or https://, such as http://127.0.0.1:3000')
}

function oneOf<const Name extends string>(args: Arguments, flag: string, names: readonly Name[]): Name | undefined {
  const text = args.text(flag)
  if (text === undefined) return undefined
  const found = names.find((name) => name === text)
  if (found === undefined) throw new CommandError(`--${flag} is "${text}".`, `Give ${names.join(' or ')}.`)
  return found
}

function wholeNumber(args: Arguments, flag: string, usual: number): number {
  const text = args.text(flag)
  if (text === undefined) return usual
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new CommandError(`--${flag} is "${text}".`, 'Give a whole number from 1.')
}

/** A log that nobody has written to yet may still be missing, but not its folder. */
function accessLogOf(args: Arguments): string | undefined {
  const path = args.text('access-log')
  if (path === undefined || statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) return path
  throw new CommandError(
    `--access-log names ${path}, and there is no such folder.`,
    'Name the file that the service writes.',
  )
}

function fixed(error: unknown): unknown {
  if (error instanceof DocumentError)
    return new CommandError(error.message, 'Give the OpenAPI document of the service with --document.', 1)
  if (error instanceof CheckError)
    return new CommandError(
      error.message,
      'Start the service; give --document where its document lies elsewhere, --token where one is needed.',
      1,
    )
  return error
}
