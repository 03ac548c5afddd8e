/** `nomen usage`: reports which applications call which endpoints, and whether an endpoint can be removed. */
import { nearest } from '@nomen/core'
import { type Endpoint, type EndpointReport, LineReader, type UsageReport, usageReport } from '@nomen/core/usage'
import { type Arguments, type Command, type Flag, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { choiceOf } from '../flag/choice.ts'
import { wholeNumber } from '../flag/whole-number.ts'
import { isUrl } from '../input-file.ts'
import { countText, duration, numberText } from '../output/number-text.ts'
import { Progress } from '../output/progress.ts'
import { writeOutput } from '../output/write-output.ts'
import { endpointsOf } from '../usage/endpoints.ts'
import { type LogSource, logSources } from '../usage/log-source.ts'
import { type RequestedPeriod, requestedPeriod } from '../usage/requested-period.ts'
import { doubtsOf } from '../usage/retirement.ts'
import { serviceUsage } from '../usage/service-usage.ts'
import { usageCsv } from '../usage/usage-csv.ts'
import { usagePage } from '../usage/usage-page.ts'
import { applicationsOf, callerName, coverage, usageTable, warnings } from '../usage/usage-table.ts'

const formats = ['table', 'json', 'csv', 'html'] as const

const flags: readonly Flag[] = [
  {
    name: 'api',
    value: 'source',
    about:
      'for access logs: a service file or folder, or an OpenAPI document, with the endpoints ' +
      '(default: service.ts in this folder)',
  },
  {
    name: 'quiet-after',
    value: 'days',
    about: 'report an endpoint as quiet (unused) after this number of days without a call (default: 30)',
  },
  {
    name: 'retire',
    value: 'endpoint',
    about:
      'check whether an endpoint can be removed: "GET /v1/user/{id}", an operation ID, a path, or a version such as v1',
  },
  {
    name: 'allow-gaps',
    about: 'for --retire: treat days without data as days without calls',
  },
  {
    name: 'from',
    value: 'time',
    about:
      'start of the report: a day (2026-11-01) or a number of days ago (30d); for access logs also a time ' +
      '(2026-11-01T08:00:00Z) or a number of hours ago (12h)',
  },
  { name: 'to', value: 'time', about: 'end of the report, in the same formats; a day is included completely' },
  { name: 'token', environment: 'USAGE_TOKEN', value: 'text', about: 'bearer token for the service' },
  {
    name: 'format',
    value: 'name',
    choices: formats,
    about: 'output format: table, json, csv, or html for a page with a heat map (default: table)',
  },
  { name: 'output', value: 'file', about: 'write into this file instead of standard output' },
]

export const usageCommand: Command = {
  name: 'usage',
  flags,
  usage: `usage <access logs …> [options]
usage <URL of a service> [options]`,
  description: `Reports for every endpoint which applications call it: requests, errors and the last call. The source is a running
service (http://localhost:3000), which counts its calls, or access logs: files (also .gz), folders, or - for standard
input. The logs are those of nomen serve, or of Apache or nginx in the combined or common format. The application is the
product in the User-Agent header; for a browser, the origin of the Referer header. Requests without these headers are
reported under the authenticated user. Requests from the console are in the report, but do not count as use.`,
  notes: `"Never called" means that the data contains no call of the endpoint. The report shows the period of the data, and its gaps:
days for which data may be missing. --retire needs data that covers at least --quiet-after days, without gaps and with at most 1 % unreadable lines.

Exit codes: 0 done, 1 failed, 2 invalid arguments. With --retire: 0 safe to remove, 1 still called (or failed), 2 not enough
data (or invalid arguments).`,
  async run(argv) {
    const args = readArguments(flags, argv, 'any')
    const format = choiceOf(args, 'format', formats, 'table')
    const quietAfter = wholeNumber(args, 'quiet-after', 30, [1, 99_999])
    const period = requestedPeriod(args, Date.now())
    const retiredEndpoint = args.text('retire')
    const reportFlag = ['format', 'output'].find((flag) => args.text(flag) !== undefined)
    if (retiredEndpoint !== undefined && reportFlag !== undefined)
      throw new CommandError(
        `--retire cannot be combined with --${reportFlag}.`,
        `Remove --${reportFlag}: the result of --retire is a text on standard output.`,
      )
    const report = await reportOf(args, { quietAfter, period, retiredEndpoint })
    if (retiredEndpoint !== undefined)
      return reportRetirement(report, matchingEndpoints(report.endpoints, retiredEndpoint), args.isOn('allow-gaps'))
    const output = args.text('output')
    writeOutput(formatReport(report, format, output === undefined), output)
  },
}

interface ReportOptions {
  readonly quietAfter: number
  readonly period: RequestedPeriod | undefined
  readonly retiredEndpoint: string | undefined
}

/** The report of the logs or of the service. Checks `retiredEndpoint` before it reads the logs, which may take long. */
async function reportOf(args: Arguments, { quietAfter, period, retiredEndpoint }: ReportOptions): Promise<UsageReport> {
  const [first, ...others] = args.positionals
  if (first === undefined)
    throw new CommandError(
      'usage needs access logs or the URL of a service.',
      'For example: nomen usage data/access.log',
    )
  if (!args.positionals.some(isUrl)) {
    const sources = logSources(args.positionals)
    const { endpoints, pages } = await endpointsOf(args.text('api'))
    if (retiredEndpoint !== undefined) matchingEndpoints(endpoints, retiredEndpoint)
    const reader = new LineReader(endpoints, period?.span, pages)
    await readAll(sources, reader)
    const report = usageReport(endpoints, reader, quietAfter, period?.past)
    return { ...report, ...(period && { requested: period.requested }) }
  }
  if (others.length > 0)
    throw new CommandError(
      'usage cannot combine a service with other sources.',
      'Use either one service URL or access logs.',
    )
  if (args.text('api') !== undefined)
    throw new CommandError('--api is only for access logs.', 'Remove --api: a service knows its endpoints.')
  return serviceUsage(first, { quietAfter, period, token: args.text('token') })
}

async function readAll(sources: readonly LogSource[], reader: LineReader): Promise<void> {
  const progress = new Progress('Reading')
  const totalBytes = sources.reduce((sum, { size = Number.NaN }) => sum + size, 0)
  let bytesBefore = 0
  for (const source of sources) {
    try {
      for await (const { bytes, bytesRead } of source.chunks()) {
        reader.read(bytes)
        const count = reader.tally.requests + reader.tally.outside.requests
        progress.update(Number.isNaN(totalBytes) ? { count } : { count, share: (bytesBefore + bytesRead) / totalBytes })
      }
    } catch (error) {
      progress.clear()
      const reason = error instanceof Error ? error.message : `${error}`
      throw new CommandError(`${source.name} cannot be read: ${reason}.`, 'Use logs that are complete and readable.', 1)
    }
    bytesBefore += source.size ?? 0
    // The last line of a file may have no newline.
    reader.end()
  }
  progress.clear()
  if (process.stderr.isTTY)
    console.error(`${countText(reader.tally.requests, 'request')} in ${duration(progress.seconds)}`)
}

function formatReport(report: UsageReport, format: (typeof formats)[number], isOnTerminal: boolean): string {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`
  if (format === 'csv') return usageCsv(report)
  if (format === 'html') return usagePage(report)
  const isColored = isOnTerminal && process.stdout.isTTY === true && process.env.NO_COLOR === undefined
  return `${usageTable(report, isColored)}\n`
}

/** The indexes of the endpoints that match an operation ID, a path, a method with a path, or a version. */
function matchingEndpoints(endpoints: readonly Endpoint[], text: string): ReadonlySet<number> {
  const isMatch = ({ id, method, path }: Endpoint) =>
    /^v\d+$/.test(text) ? path.startsWith(`/${text}/`) : [id, path, `${method} ${path}`].includes(text)
  const indexes = new Set(endpoints.flatMap((endpoint, index) => (isMatch(endpoint) ? [index] : [])))
  if (indexes.size > 0) return indexes
  const suggestion = nearest(
    text,
    endpoints.flatMap(({ id, method, path }) => [id, path, `${method} ${path}`]),
  )
  throw new CommandError(
    `Unknown endpoint "${text}".`,
    suggestion ? `Did you mean "${suggestion}"?` : 'Run nomen usage without --retire for a list.',
  )
}

/** Reports whether the endpoints can be removed: only if the data covers the whole period and has no call of them. */
function reportRetirement(report: UsageReport, indexes: ReadonlySet<number>, areGapsAllowed: boolean): void {
  const endpoints = report.endpoints.filter((_, index) => indexes.has(index))
  const endpointsInUse = endpoints.filter(({ verdict }) => verdict === 'in use')
  const isInUse = endpointsInUse.length > 0
  const doubts = isInUse ? [] : doubtsOf(report, areGapsAllowed).map(({ detail, fix }) => `${detail} ${fix}`)
  const period = countText(report.quietAfter, 'day')
  if (isInUse)
    console.log(
      `Not safe to remove: ${subjectOf(endpointsInUse.length, endpoints.length)} called in the last ${period}.`,
    )
  else if (doubts.length === 0)
    console.log(`Safe to remove: ${subjectOf(endpoints.length, endpoints.length)} not called for ${period} or longer.`)
  for (const line of [...coverage(report), ...warnings(report)]) console.log(line)
  for (const endpoint of endpointsInUse) console.log(callersText(endpoint))
  if (isInUse) process.exitCode = 1
  if (doubts.length > 0)
    throw new CommandError(
      'There is not enough data to say whether the endpoint can be removed.',
      doubts.join('\n  '),
      2,
    )
}

/** `the endpoint was`, `the 5 endpoints were`, `2 of the 5 endpoints were` */
function subjectOf(count: number, all: number): string {
  if (all === 1) return 'the endpoint was'
  return `${count < all ? `${count} of ` : ''}the ${all} endpoints ${count === 1 ? 'was' : 'were'}`
}

function callersText({ method, path, callers }: EndpointReport): string {
  const lines = applicationsOf(callers).map(
    (caller) => `  ${callerName(caller)}: ${numberText(caller.requests)}, last ${caller.last}`,
  )
  return [`${method} ${path} is still called by`, ...lines].join('\n')
}
