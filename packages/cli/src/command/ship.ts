/** `nomen ship`: sends access logs to a central log service, and stores the position up to which it has sent them. */
import { basename } from 'node:path'
import type { Endpoint } from '@nomen/core/usage'
import { openShipper, type ShipFigures, type Shipper } from '@nomen/server/ship'
import { type Arguments, type Command, type Flag, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { wholeNumber } from '../flag/whole-number.ts'
import { docsPage } from '../output/docs-page.ts'
import { countText, duration, numberText } from '../output/number-text.ts'
import { Progress } from '../output/progress.ts'
import { stopSignal } from '../process/stop-signal.ts'
import { serveMetrics } from '../ship/metrics-server.ts'
import { shipFlags, shipSettings } from '../ship/ship-flag.ts'
import { shippedLogs } from '../ship/shipped-logs.ts'
import { endpointsOf } from '../usage/endpoints.ts'

/** The maximum time of retries with `--once`. */
const onceTimeoutMs = 60_000

const flags: readonly Flag[] = [
  { name: 'to', environment: 'SHIP_TO', value: 'URL', about: 'destination of the lines, see below' },
  { name: 'once', about: 'send the existing lines and exit, for cron; exits with 1 if not all were delivered' },
  { name: 'new-only', about: 'on the first run, skip existing lines' },
  {
    name: 'position',
    value: 'file',
    about: 'file that stores how much of the log was sent; use one file per destination (default: <log>.shipped.json)',
  },
  {
    name: 'service',
    environment: 'SHIP_SERVICE',
    value: 'name',
    about: 'name of the service (default: the name of the log)',
  },
  {
    name: 'api',
    value: 'source',
    about: 'a service file or an OpenAPI document; adds the endpoint (http.route) to each line',
  },
  ...shipFlags,
  { name: 'metrics', value: 'port', about: 'serve the metrics of this command at http://127.0.0.1:<port>/metrics' },
]

export const shipCommand: Command = {
  name: 'ship',
  flags,
  usage: 'ship [log or folder] --to <URL> [options]',
  description: `Sends the lines of an access log (default: data/access.log), or of every log in a folder: rotated files first (also .gz),
then new lines. When a log is rotated, the command continues with the new file. Delivery is at least once: the command
retries until the destination acknowledges a line, so a line may arrive twice after a failure. Lines are lost only if
their file is deleted before they are sent.`,
  notes: `  syslog+tcp://host:601                 RFC 5424 over TCP
  syslog+tls://host:6514                the same over TLS
  loki+https://user:password@host       Loki's push API
  otlp+http://host:4318                 OpenTelemetry, OTLP over HTTP in JSON
  opensearch+https://host:9200/index    the bulk API of OpenSearch

Put credentials in the URL, preferably with SHIP_TO, or as headers: SHIP_HEADERS="name=value,name=value". The command
never prints them. Stop with Ctrl+C or SIGTERM: the command finishes the lines that it is sending.
See ${docsPage('shipping.md')}`,
  async run(argv) {
    const args = readArguments(flags, argv, ['log or folder'])
    const to = args.text('to')
    if (to === undefined)
      throw new CommandError(
        'ship needs a destination.',
        'Set --to or SHIP_TO, for example --to loki+http://127.0.0.1:3100.',
      )
    const logs = shippedLogs(args.positionals[0] ?? 'data/access.log', args.isOn('once'))
    if (logs.length > 1 && args.text('position') !== undefined)
      throw new CommandError(
        `--position is one file, but there are ${logs.length} logs.`,
        'Remove --position, or specify one log.',
      )
    const progress = new Progress('Shipping', process.stderr, 'line')
    const source = args.text('api')
    const { endpoints } = source === undefined ? { endpoints: [] } : await endpointsOf(source)
    const shippers = logs.map((log) =>
      shipperOf(log, to, args, endpoints, (notice) => progress.printLine(`nomen: ${notice}`)),
    )
    await ship(shippers, args, progress)
  },
}

function shipperOf(
  log: string,
  to: string,
  args: Arguments,
  endpoints: readonly Endpoint[],
  onNotice: (notice: string) => void,
): Shipper {
  const position = args.text('position')
  const options = {
    ...shipSettings(to, args.text),
    log,
    service: args.text('service') ?? basename(log, '.log'),
    endpoints,
    isNewOnly: args.isOn('new-only'),
    ...(position !== undefined && { position }),
  }
  return openShipper(options, onNotice)
}

async function ship(shippers: readonly Shipper[], args: Arguments, progress: Progress): Promise<void> {
  const figures = () => totalOf(shippers.map((shipper) => shipper.figures()))
  const port = wholeNumber(args, 'metrics', undefined, [0, 65_535])
  const metrics = port === undefined ? undefined : await serveMetrics(port, figures)
  if (metrics) console.log(`Metrics: ${metrics.address}`)
  const timer = process.stderr.isTTY ? setInterval(() => progress.update(progressState(figures())), 200) : undefined
  const signal = stopSignal()
  const stop = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => stop.resolve())
  let isDone = true
  if (args.isOn('once')) {
    const finished = Promise.all(shippers.map((shipper) => shipper.once(onceTimeoutMs)))
    isDone = await Promise.race([finished.then((all) => all.every(Boolean)), stop.promise.then(() => false)])
  } else {
    for (const shipper of shippers) shipper.start()
    console.log(`Shipping ${shippers.length === 1 ? 'the log' : `${shippers.length} logs`}. Stop with Ctrl+C.`)
    await stop.promise
  }
  await Promise.all(shippers.map((shipper) => shipper.stop()))
  clearInterval(timer)
  progress.clear()
  metrics?.close()
  reportEnd(figures(), progress.seconds)
  if (!isDone) process.exitCode = 1
}

function reportEnd({ sent, rejected, lagBytes }: ShipFigures, seconds: number): void {
  const notes = [
    ...(rejected > 0 ? [`${countText(rejected, 'line')} rejected`] : []),
    ...(lagBytes > 0 ? [`${numberText(lagBytes)} bytes not sent`] : []),
  ]
  console.log([`${countText(sent, 'line')} shipped in ${duration(seconds)}`, ...notes].join(', '))
}

function progressState({ sent, retried, rejected, lagBytes, lagSeconds }: ShipFigures) {
  const notes = [
    ...(lagBytes > 0 ? [`${numberText(lagBytes)} bytes to go`] : []),
    ...(lagSeconds >= 5 ? [`${duration(Math.round(lagSeconds))} behind`] : []),
    ...(retried > 0 ? [`${numberText(retried)} retried`] : []),
    ...(rejected > 0 ? [`${numberText(rejected)} rejected`] : []),
  ]
  return { count: sent, notes }
}

function totalOf(all: readonly ShipFigures[]): ShipFigures {
  const total = (figureOf: (figures: ShipFigures) => number) =>
    all.reduce((count, figures) => count + figureOf(figures), 0)
  return {
    lagBytes: total(({ lagBytes }) => lagBytes),
    lagSeconds: Math.max(0, ...all.map(({ lagSeconds }) => lagSeconds)),
    sent: total(({ sent }) => sent),
    retried: total(({ retried }) => retried),
    rejected: total(({ rejected }) => rejected),
  }
}
