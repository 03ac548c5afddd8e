/** `nomen check`: checks a running service in any language against the conventions. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CheckError, type CheckReport, checkJunit, checkService, checks, DocumentError } from '@nomen/conventions'
import { type Arguments, type Command, type Flag, readArguments } from '../command.ts'
import { CommandError, unknownName } from '../command-error.ts'
import { choiceOf } from '../flag/choice.ts'
import { wholeNumber } from '../flag/whole-number.ts'
import { isMissingFile } from '../input-file.ts'
import { checkReport } from '../output/check-report.ts'
import { explanationText, listOf } from '../output/explanation-text.ts'
import { Progress } from '../output/progress.ts'
import { stopSignal } from '../process/stop-signal.ts'

const tokenVariable = 'CHECK_TOKEN'
const formats = ['text', 'json', 'junit'] as const
const kinds = ['whole', 'per-noun'] as const

/** Limits of all numbers. */
const limits = [1, 999_999_999] as const

const flags: readonly Flag[] = [
  { name: 'document', value: 'file or URL', about: 'the OpenAPI document (default: /openapi.json below the base URL)' },
  { name: 'write', about: 'also create, change and delete records; created records are deleted at the end' },
  { name: 'explain', value: 'code', about: 'explain a check and exit; "all" lists all checks' },
  { name: 'strict', about: 'where the conventions allow several behaviors, require the one that Nomen services have' },
  {
    name: 'fuzz',
    value: 'number',
    about: 'also send this number of malformed requests; with --write they may change and delete any record',
  },
  {
    name: 'versioning',
    value: 'kind',
    choices: kinds,
    about:
      'whole: one version for all paths; per-noun: a version for each noun (default: as in the document, else whole)',
  },
  {
    name: 'access-log',
    value: 'file',
    about: 'also check that this access log of the service has a line for every request',
  },
  { name: 'seed', value: 'text', about: 'repeat the random choices of an earlier run' },
  {
    name: 'max-requests',
    value: 'number',
    about: 'maximum number of requests, not counting those of --fuzz (default: 5000)',
  },
  { name: 'timeout', value: 'seconds', about: 'maximum time for a response (default: 10)' },
  { name: 'token', environment: tokenVariable, value: 'text', about: 'bearer token for the service; never printed' },
  {
    name: 'format',
    value: 'name',
    choices: formats,
    about: 'output format: text, json or junit (default: text)',
  },
]

export const checkCommand: Command = {
  name: 'check',
  flags,
  usage: 'check <base URL> [options]',
  description: `Checks a running service, in any language, against the conventions: its OpenAPI document and its responses. Sends only
reads unless you set --write.`,
  notes: `Each failure shows the expected and the actual behavior, and a curl command that reproduces it. "Not specified" means
that the conventions leave a choice, "skipped" that a check could not run. Neither is a failure.

Exit codes: 0 no failures, 1 failures or no response, 2 invalid arguments.`,
  async run(argv) {
    const args = readArguments(flags, argv, ['base URL'])
    const explainedCode = args.text('explain')
    if (explainedCode !== undefined) return console.log(explain(explainedCode))
    const base = baseOf(args)
    const format = choiceOf(args, 'format', formats, 'text')
    const progress = new Progress(`Checking ${base}`, process.stderr, 'request')
    const signal = stopSignal()
    try {
      const checking = checkService({
        base,
        document: args.text('document'),
        isWriting: args.isOn('write'),
        isStrict: args.isOn('strict'),
        fuzz: wholeNumber(args, 'fuzz', 0, limits),
        versioning: choiceOf(args, 'versioning', kinds, undefined),
        accessLog: accessLogOf(args),
        seed: args.text('seed'),
        maxRequests: wholeNumber(args, 'max-requests', 5000, limits),
        timeoutMs: wholeNumber(args, 'timeout', 10, limits) * 1000,
        token: args.text('token'),
        tokenVariable,
        signal,
        onProgress: ({ requests, checked, planned, failed }) =>
          progress.update({
            count: requests,
            ...(planned > 0 && { share: checked / planned }),
            notes: failed > 0 ? [`${failed} failed`] : [],
          }),
      })
      const report = await progress.during(checking)
      console.log(formatReport(report, format))
      if (signal.aborted) throw new CommandError('The check was interrupted.', 'The report is incomplete.', 1)
      if (report.counts.failed > 0) process.exitCode = 1
    } catch (error) {
      throw withFix(error)
    }
  },
}

function explain(name: string): string {
  if (name === 'all') return listOf(Object.entries(checks).map(([code, [description]]) => [code, description]))
  const check = Object.entries(checks).find(([code]) => code === name)
  if (check) return explanationText(name, check[1][0], check[1][1])
  throw unknownName('Unknown check', name, Object.keys(checks), 'Run "nomen check --explain all" for a list.')
}

function formatReport(report: CheckReport, format: (typeof formats)[number]): string {
  if (format === 'json') return JSON.stringify(report, null, 2)
  return format === 'junit' ? checkJunit(report).trimEnd() : checkReport(report)
}

function baseOf(args: Arguments): string {
  const [base] = args.positionals
  if (base === undefined)
    throw new CommandError('check needs the URL of a service.', 'For example: nomen check http://127.0.0.1:3000')
  const url = URL.parse(base)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return `${url.origin}${url.pathname}`.replace(/\/$/, '')
  throw new CommandError(`"${base}" is not an http or https URL.`, 'Use a URL such as http://127.0.0.1:3000')
}

/** The log may not exist before the first request, but its folder must. */
function accessLogOf(args: Arguments): string | undefined {
  const path = args.text('access-log')
  if (path === undefined || statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) return path
  throw new CommandError(
    `--access-log is ${path}, and its folder does not exist.`,
    'Set it to the access log file that the service writes.',
  )
}

function withFix(error: unknown): unknown {
  if (error instanceof DocumentError)
    return new CommandError(
      error.message,
      'Set --document to the OpenAPI document of the service.',
      isMissingFile(error) ? 2 : 1,
    )
  if (error instanceof CheckError) return new CommandError(error.message, error.fix, 1)
  return error
}
