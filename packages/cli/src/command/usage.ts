/** `nomen usage`: who calls which endpoint, from access logs or a running service, and whether an endpoint could go. */
import { nearest } from '@nomen/core'
import { type Endpoint, type EndpointReport, LineReader, type UsageReport, usageReport } from '@nomen/core/usage'
import { type Arguments, type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { counted, duration, grouped } from '../output/figure.ts'
import { Progress } from '../output/progress.ts'
import { writeOutput } from '../output/write.ts'
import { type AskedSpan, askedSpan } from '../usage/asked-span.ts'
import { endpointsOf } from '../usage/endpoints.ts'
import { type LogSource, logSources } from '../usage/log-source.ts'
import { isAddress, serviceUsage } from '../usage/service-usage.ts'
import { usageCsv } from '../usage/usage-csv.ts'
import { usagePage } from '../usage/usage-page.ts'
import { callerName, coverage, usageTable, warnings } from '../usage/usage-table.ts'

const flags: readonly Flag[] = [
  {
    name: 'api',
    value: 'source',
    about: 'the endpoints: a service file or folder, or an OpenAPI document; service.ts here unless given',
  },
  {
    name: 'quiet-after',
    value: 'days',
    about: 'after so many days without a call an endpoint is quiet, 30 unless given',
  },
  {
    name: 'retire',
    value: 'endpoint',
    about:
      'may it go? "GET /v1/user/{id}", an id, a path, or a version such as v1: exits with 1 if anyone still calls it',
  },
  {
    name: 'from',
    value: 'time',
    about: 'only requests from then on: a day (2026-11-01), a moment (2026-11-01T08:00:00Z), or 30d, 12h before now',
  },
  { name: 'to', value: 'time', about: 'only requests until then, in the same forms; a day is included' },
  { name: 'token', environment: 'USAGE_TOKEN', value: 'text', about: 'sent to a service as a bearer token' },
  {
    name: 'format',
    value: 'name',
    choices: ['table', 'json', 'csv', 'html'],
    about: 'table unless given; json, csv, or html for a page with a heat map',
  },
  { name: 'output', value: 'file', about: 'write into this file instead of standard output' },
]

const formats = ['table', 'json', 'csv', 'html']

export const usageCommand: Command = {
  name: 'usage',
  flags,
  help: `Usage: nomen usage <access logs …> [options]
       nomen usage <address of a service> [options]

Says of every endpoint who calls it: how often, with how many errors, when last. Logs are files, compressed (.gz) or not,
folders of them, or - for standard input; lines of Apache and nginx in the combined format are read too. A caller is
the product that the user agent names, else the site that a browser's page is of, else the user. A service counts by the
same rules: its address, such as http://localhost:3000, gives the report of all that it has counted itself.

${flagHelp(flags)}

"Never called" is true only for what was logged or counted: the window that this covers is always told, and the days without.`,
  async run(given) {
    const args = readArguments(flags, given, 'any')
    const format = args.text('format') ?? 'table'
    if (!formats.includes(format))
      throw new CommandError(`There is no format "${format}".`, `Use ${formats.join(', ')}.`)
    const quietAfter = daysOf(args.text('quiet-after'))
    const span = askedSpan(args, Date.now())
    const retired = args.text('retire')
    const report = await reportOf(args, { quietAfter, span, retired })
    if (retired !== undefined) return retire(report, matching(report.endpoints, retired))
    const output = args.text('output')
    writeOutput(written(report, format, output === undefined), output)
  },
}

interface Asked {
  readonly quietAfter: number
  readonly span: AskedSpan | undefined
  readonly retired: string | undefined
}

/** From whichever source is named. What is to be retired must be known before much is read. */
async function reportOf(args: Arguments, { quietAfter, span, retired }: Asked): Promise<UsageReport> {
  const [first, ...rest] = args.positionals
  if (first === undefined)
    throw new CommandError('nomen usage needs access logs, or a service.', 'Such as: nomen usage data/access.log')
  if (!args.positionals.some(isAddress)) {
    const sources = logSources(args.positionals)
    const endpoints = await endpointsOf(args.text('api'))
    if (retired !== undefined) matching(endpoints, retired)
    const reader = new LineReader(endpoints, span?.moments)
    await readAll(sources, reader)
    return { ...usageReport(endpoints, reader, quietAfter), ...(span && { asked: span.asked }) }
  }
  if (rest.length > 0)
    throw new CommandError('A service is asked by itself.', 'Name one address, or access logs without any.')
  if (args.text('api') !== undefined)
    throw new CommandError('--api is for access logs.', 'Leave it out: a service knows its endpoints.')
  return serviceUsage(first, { quietAfter, span, token: args.text('token') })
}

function daysOf(text: string | undefined): number {
  if (text === undefined) return 30
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new CommandError(`--quiet-after is "${text}".`, 'Give a number of days, such as 30.')
}

async function readAll(sources: readonly LogSource[], reader: LineReader): Promise<void> {
  const progress = new Progress('Reading')
  const whole = sources.reduce((sum, { size = Number.NaN }) => sum + size, 0)
  let before = 0
  for (const source of sources) {
    try {
      for await (const { bytes, read } of source.pieces()) {
        reader.read(bytes)
        const count = reader.tally.requests + reader.tally.outside.requests
        progress.reach(Number.isNaN(whole) ? { count } : { count, share: (before + read) / whole })
      }
    } catch (error) {
      progress.clear()
      const reason = error instanceof Error ? error.message : `${error}`
      throw new CommandError(`${source.name} cannot be read: ${reason}.`, 'Name logs that are whole and readable.', 1)
    }
    before += source.size ?? 0
    // The last line of a file is a line, also where it has no end.
    reader.end()
  }
  progress.clear()
  if (process.stderr.isTTY)
    console.error(`${counted(reader.tally.requests, 'request')} in ${duration(progress.seconds)}`)
}

function written(report: UsageReport, format: string, isShown: boolean): string {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`
  if (format === 'csv') return usageCsv(report)
  if (format === 'html') return usagePage(report)
  const isColoured = isShown && process.stdout.isTTY === true && process.env.NO_COLOR === undefined
  return `${usageTable(report, isColoured)}\n`
}

/** The indexes of the endpoints that the words stand for. */
function matching(endpoints: readonly Endpoint[], given: string): ReadonlySet<number> {
  const fits = ({ id, method, path }: Endpoint) =>
    /^v\d+$/.test(given) ? path.startsWith(`/${given}/`) : [id, path, `${method} ${path}`].includes(given)
  const found = new Set(endpoints.flatMap((endpoint, index) => (fits(endpoint) ? [index] : [])))
  if (found.size > 0) return found
  const near = nearest(
    given,
    endpoints.flatMap(({ id, method, path }) => [id, path, `${method} ${path}`]),
  )
  throw new CommandError(
    `There is no endpoint "${given}".`,
    near ? `Did you mean "${near}"?` : 'nomen usage lists them.',
    1,
  )
}

/** Says whether the endpoints may go. What was not logged cannot be known. */
function retire(report: UsageReport, asked: ReadonlySet<number>): void {
  const endpoints = report.endpoints.filter((_, index) => asked.has(index))
  const called = endpoints.filter(({ verdict }) => verdict === 'in use')
  for (const line of [...coverage(report), ...warnings(report)]) console.log(line)
  if (!report.window) {
    const isService = report.source === 'service'
    throw new CommandError(
      `Nothing is known: ${isService ? 'the service has counted nothing' : 'the logs hold no request'}${report.asked ? ' of that time' : ''}.`,
      isService ? 'Let it count for a while, or name access logs.' : 'Name logs of the time in question.',
      1,
    )
  }
  if (called.length === 0) {
    console.log(
      `Safe: nobody has called ${endpoints.length === 1 ? 'it' : `any of the ${endpoints.length} endpoints`} for ${counted(report.quietAfter, 'day')}, or as long as ${report.source === 'service' ? 'the service has counted' : 'the logs reach'}.`,
    )
    return
  }
  for (const endpoint of called) console.log(stillCalled(endpoint))
  process.exitCode = 1
}

function stillCalled({ method, path, callers }: EndpointReport): string {
  const lines = callers.map((caller) => `  ${callerName(caller)}: ${grouped(caller.requests)}, last ${caller.last}`)
  return [`${method} ${path} is still called by`, ...lines].join('\n')
}
