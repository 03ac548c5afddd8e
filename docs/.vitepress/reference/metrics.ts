/** The table of all metrics, from a service that has every part that adds some. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, change, identity, noun, resource, text, webhooks } from '@nomen/core'
import { open, service } from '@nomen/server'
import { readExposition } from '@nomen/testing/exposition'
import { inject } from '@nomen/testing/inject'
import { MetricsRounds } from '../../../packages/cli/src/workers/metrics-round.ts'
import { MetricRegistry } from '../../../packages/server/src/observe/metrics/registry.ts'
import { addShipMetrics } from '../../../packages/server/src/ship/metrics.ts'
import { measurePostgres } from '../../../packages/server/src/store/postgres/metrics.ts'
import { measureReplicas } from '../../../packages/server/src/store/postgres/replica/metrics.ts'
import { measureTallies } from '../../../packages/server/src/store/postgres/tally/metrics.ts'
import { code, escaped, table } from './region.ts'

type Metric = readonly [name: string, type: string, help: string, origin: string]

export async function metricTable(): Promise<string> {
  const metrics = [...(await serviceMetrics()), ...(await otherMetrics())]
  const names = new Set<string>()
  const rows = metrics
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .filter(([name]) => !names.has(name) && names.add(name))
  return table(
    ['name', 'type', 'meaning', 'only with'],
    rows.map(([name, type, help, origin]) => [code(name), type, escaped(help), origin]),
  )
}

/** Metrics of a service on SQLite. */
async function serviceMetrics(): Promise<readonly Metric[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  const note = noun('note', { id: identity(), title: text() }, { history: true })
  const notes = api('notes', {
    versioning: 'whole',
    version: 1,
    writes: 'flat',
    resources: [resource(note), resource(change), webhooks],
  })
  const app = await open(service({ name: 'notes', apis: [notes] }), {
    database: `sqlite:${join(folder, 'notes.db')}`,
    accessLog: join(folder, 'access.log'),
    rateLimit: { number: 1000, windowMs: 1000 },
  })
  try {
    await inject(app, '/v1/note')
    const families = readExposition((await inject(app, '/metrics')).body)
    return [...families].map(([name, { type, help }]) => [name, type, help, serviceOrigin(name)])
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }
}

function serviceOrigin(name: string): string {
  if (name === 'process_open_fds') return 'Linux'
  if (/_commit_|_write_queue_/.test(name)) return 'SQLite'
  if (/_webhook_|_consumers/.test(name)) return '[webhooks](webhooks.md), [durable hooks](hooks.md#durable-hooks)'
  if (name.includes('_followers')) return '[history](history.md)'
  if (name.includes('_limited_')) return '`--rate-limit`'
  return ''
}

/** Metrics of parts that need other programs. Nothing reads their values here. */
async function otherMetrics(): Promise<readonly Metric[]> {
  const pool = {} as Parameters<typeof measurePostgres>[1]
  return [
    ...(await registered('PostgreSQL', (registry) => measurePostgres(registry, pool))),
    ...(await registered('PostgreSQL', (registry) =>
      measureTallies(registry, pool, {} as never, { nouns: new Map() } as never),
    )),
    ...(await registered('[read replicas](postgresql.md#read-replicas)', (registry) =>
      measureReplicas(registry, { figures: [] }),
    )),
    ...(await registered('[log shipping](shipping.md)', (registry) => addShipMetrics(registry, () => ({}) as never))),
    ...(await new MetricsRounds([]).gather()).map(({ name, type, help }): Metric => [name, type, help, '`--workers`']),
  ]
}

async function registered(origin: string, add: (registry: MetricRegistry) => void): Promise<readonly Metric[]> {
  const registry = new MetricRegistry()
  add(registry)
  return (await registry.families()).map(({ name, type, help }): Metric => [name, type, help, origin])
}
