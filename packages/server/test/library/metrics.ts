/** Counting requests and writing the text for Prometheus, against prom-client. */
import { deepStrictEqual } from 'node:assert'
import { operations as operationsOf } from '@nomen/core'
import { directory } from '@nomen/directory'
import { exposition } from '../../src/observe/metrics/exposition.ts'
import { HttpMeter } from '../../src/observe/metrics/http.ts'
import { MetricRegistry } from '../../src/observe/metrics/registry.ts'
import { compare, library } from './compare.ts'

type Labels = Readonly<Record<string, string>>
type NewMetric = new (
  options: object,
) => { inc(labels: Labels, by?: number): void; observe(labels: Labels, by: number): void }
interface PromClient {
  readonly Registry: new () => { metrics(): Promise<string> }
  readonly Counter: NewMetric
  readonly Histogram: NewMetric
}

const count = 300_000
const statuses = [200, 200, 200, 304, 404]
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const operations = operationsOf(directory)
const registry = new MetricRegistry()
const meter = new HttpMeter(operations, registry)
const meters = operations.map((operation) => meter.of(operation))
const { Registry, Counter, Histogram } = await library<PromClient>('prom-client')
const theirs = new Registry()
const options = (name: string, ...labelNames: string[]) => ({ name, labelNames, help: 'help', registers: [theirs] })
const requests = new Counter(options('nomen_http_requests_total', 'method', 'route', 'status'))
const durations = new Histogram({ ...options('nomen_http_request_duration_seconds', 'method', 'route'), buckets })
const bytes = new Counter(options('nomen_http_response_bytes_total', 'method', 'route'))

const contenders = {
  ours() {
    for (let index = 0; index < count; index++)
      meters[index % meters.length]?.count(statuses[index % 5] ?? 0, (index % 1024) / 64, 700)
    return count
  },
  'prom-client'() {
    for (let index = 0; index < count; index++) {
      const { method, path: route } = operations[index % operations.length] ?? { method: '', path: '' }
      requests.inc({ method, route, status: `${statuses[index % 5]}` })
      durations.observe({ method, route }, (index % 1024) / 64 / 1000)
      bytes.inc({ method, route }, 700)
    }
    return count
  },
}
const texts = { ours: async () => exposition(await registry.families()), 'prom-client': () => theirs.metrics() }

/** Samples with labels in one order and rounded sums. */
function samples(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines
    .map((line) => {
      const [, name, labels = '', value] = /^(\w+)\{(.*)\} (.*)$/.exec(line) ?? []
      return `${name} ${labels.split(',').sort()} ${Number(value).toPrecision(9)}`
    })
    .sort()
}

await compare('requests counted', contenders)
deepStrictEqual(samples(await texts.ours()), samples(await texts['prom-client']()))
/** Lines of 50 scrapes. */
async function lines(scrape: () => Promise<string>): Promise<number> {
  let count = 0
  for (let index = 0; index < 50; index++) count += (await scrape()).split('\n').filter((line) => line !== '').length
  return count
}
console.log()
await compare('lines of text', { ours: () => lines(texts.ours), 'prom-client': () => lines(texts['prom-client']) })
