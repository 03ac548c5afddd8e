/** `nomen ship`: sends access logs to where logs are kept, and remembers how far it is. */
import { basename } from 'node:path'
import type { Endpoint } from '@nomen/core/usage'
import { openShipper, type ShipFigures, type Shipper } from '@nomen/server/ship'
import { type Arguments, type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { counted, duration, grouped } from '../output/figure.ts'
import { Progress } from '../output/progress.ts'
import { stopSignal } from '../process/stop-signal.ts'
import { serveMetrics } from '../ship/metrics-server.ts'
import { shipFlags, shipSettings } from '../ship/ship-flag.ts'
import { shippedLogs } from '../ship/shipped-logs.ts'
import { endpointsOf } from '../usage/endpoints.ts'

/** How long `--once` tries in vain, in milliseconds. */
const onceWithin = 60_000

const flags: readonly Flag[] = [
  { name: 'to', environment: 'SHIP_TO', value: 'address', about: 'where the lines go, see below' },
  { name: 'once', about: 'send what is there and end: exit code 1 where not all arrived. For cron' },
  { name: 'new-only', about: 'the first time, leave what is there already and send what is written from then on' },
  {
    name: 'position',
    value: 'file',
    about: 'remembers how far the log is shipped, <log>.shipped.json unless given; one for each destination',
  },
  {
    name: 'service',
    environment: 'SHIP_SERVICE',
    value: 'name',
    about: 'name of the service, that of the log unless given',
  },
  {
    name: 'api',
    value: 'source',
    about: 'a service file or an OpenAPI document: records then tell the endpoint of a path (http.route)',
  },
  ...shipFlags,
  { name: 'metrics', value: 'port', about: 'tell lag, sent, retried and rejected at http://127.0.0.1:<port>/metrics' },
]

export const shipCommand: Command = {
  name: 'ship',
  flags,
  help: `Usage: nomen ship [log or folder] --to <address> [options]

Sends the lines of an access log, data/access.log unless named, or of every log of a folder: first what was put aside
(.gz too), then what is written from now on, through every rotation. A line counts when it was acknowledged: what
cannot be delivered is tried again until it can, and nothing is held in memory but the lines under way. A line may
arrive twice after a failure, never not at all, as long as its file is there.

${flagHelp(flags)}

  syslog+tcp://host:601                 RFC 5424 over TCP
  syslog+tls://host:6514                the same over TLS
  loki+https://user:password@host       Loki's push API
  otlp+http://host:4318                 OpenTelemetry, OTLP over HTTP in JSON
  opensearch+https://host:9200/index    the bulk API of OpenSearch

Credentials stand in the address, best given as SHIP_TO, or are headers: SHIP_HEADERS="name=value,name=value". They are
never told. Stop with Ctrl+C or SIGTERM: what is under way is finished. docs/shipping.md says more.`,
  async run(given) {
    const args = readArguments(flags, given, ['log or folder'])
    const to = args.text('to')
    if (to === undefined)
      throw new CommandError(
        'nomen ship needs to know where to.',
        'Such as: --to loki+http://127.0.0.1:3100, or SHIP_TO.',
      )
    const logs = shippedLogs(args.positionals[0] ?? 'data/access.log', args.isOn('once'))
    if (logs.length > 1 && args.text('position') !== undefined)
      throw new CommandError(
        `--position is one file, and there are ${logs.length} logs.`,
        'Leave it out, or name one log.',
      )
    const progress = new Progress('Shipping', process.stderr, 'line')
    const source = args.text('api')
    const endpoints = source === undefined ? [] : await endpointsOf(source)
    const shippers = logs.map((log) =>
      shipperOf(log, to, args, endpoints, (notice) => progress.say(`nomen: ${notice}`)),
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
  const figures = () => sum(shippers.map((shipper) => shipper.figures()))
  const port = args.text('metrics')
  const metrics = port === undefined ? undefined : await serveMetrics(portOf(port), figures)
  if (metrics) console.log(`Metrics are told at ${metrics.address}`)
  const timer = process.stderr.isTTY ? setInterval(() => progress.reach(reached(figures())), 200) : undefined
  const signal = stopSignal()
  const stop = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => stop.resolve())
  let isDone = true
  if (args.isOn('once')) {
    const ended = Promise.all(shippers.map((shipper) => shipper.once(onceWithin)))
    isDone = await Promise.race([ended.then((all) => all.every(Boolean)), stop.promise.then(() => false)])
  } else {
    for (const shipper of shippers) shipper.start()
    console.log(`Shipping ${shippers.length === 1 ? 'the log' : `${shippers.length} logs`}. Stop with Ctrl+C.`)
    await stop.promise
  }
  await Promise.all(shippers.map((shipper) => shipper.stop()))
  clearInterval(timer)
  progress.clear()
  metrics?.close()
  tellEnd(figures(), progress.seconds)
  if (!isDone) process.exitCode = 1
}

function tellEnd({ sent, rejected, lagBytes }: ShipFigures, seconds: number): void {
  const notes = [
    ...(rejected > 0 ? [`${counted(rejected, 'line')} refused`] : []),
    ...(lagBytes > 0 ? [`${grouped(lagBytes)} bytes are left`] : []),
  ]
  console.log([`${counted(sent, 'line')} shipped in ${duration(seconds)}`, ...notes].join(', '))
}

function reached({ sent, retried, rejected, lagBytes, lagSeconds }: ShipFigures) {
  const notes = [
    ...(lagBytes > 0 ? [`${grouped(lagBytes)} bytes to go`] : []),
    ...(lagSeconds >= 5 ? [`${duration(Math.round(lagSeconds))} behind`] : []),
    ...(retried > 0 ? [`${grouped(retried)} sent again`] : []),
    ...(rejected > 0 ? [`${grouped(rejected)} refused`] : []),
  ]
  return { count: sent, notes }
}

function sum(all: readonly ShipFigures[]): ShipFigures {
  const total = (of: (figures: ShipFigures) => number) => all.reduce((so, figures) => so + of(figures), 0)
  return {
    lagBytes: total(({ lagBytes }) => lagBytes),
    lagSeconds: Math.max(0, ...all.map(({ lagSeconds }) => lagSeconds)),
    sent: total(({ sent }) => sent),
    retried: total(({ retried }) => retried),
    rejected: total(({ rejected }) => rejected),
  }
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new CommandError(`--metrics is "${text}".`, 'Give a port from 0 to 65535; 0 takes a free one.')
}
