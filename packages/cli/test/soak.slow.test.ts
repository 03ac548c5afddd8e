// A long run under mixed load: memory and latency do not grow.
import { join } from 'node:path'
import { withoutLoadShedding } from '@nomen/testing/prove'
import { expect, it } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { serve } from './nomen.ts'
import { growth, median } from './slope.ts'
import { type Interval, soak } from './soak.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 0)
/** A short run has intervals of one second, and does not check latency. */
const intervals = minutes > 0 ? Math.max(15, Math.round(minutes)) : 12
const durationMs = minutes > 0 ? (minutes * 60_000) / intervals : 1000
const warmUpIntervals = Math.ceil(intervals / 5)
const mebibyte = 1024 * 1024

function row({ requests, p50, p99, heap, rss, handles }: Interval): string {
  const [heapText, rssText] = [heap, rss].map((bytes) => (bytes / mebibyte).toFixed(1))
  return `| ${requests} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${heapText} | ${rssText} | ${handles} |`
}

it('memory and latency are the same at the end as at the start', {
  timeout: minutes * 70_000 + 120_000,
}, async () => {
  const folder = temporaryFolder()
  const usageFile = join(folder, 'usage.json')
  const database = `sqlite:${join(folder, 'directory.db')}`
  const preload = `--import=${join(import.meta.dirname, 'tap.ts')}`
  const server = await serve(['apps/directory', '--database', database, '--access-log', join(folder, 'access.log')], {
    environment: { SAMPLE_USERS: '200', ...withoutLoadShedding, TAP_FILE: usageFile, NODE_OPTIONS: preload },
  })
  console.log('| requests | p50 ms | p99 ms | heap MiB | resident MiB | handles |\n|---|---|---|---|---|---|')
  const allIntervals = await soak(server, {
    intervals,
    durationMs,
    clients: 6,
    usageFile,
    onInterval: (interval) => console.log(row(interval)),
  })
  const settled = allIntervals.slice(warmUpIntervals)
  const valuesOf = (name: keyof Interval) => settled.map((interval) => interval[name])
  expect(growth(valuesOf('heap'))).toBeLessThan(Math.max(2 * mebibyte, median(valuesOf('heap')) * 0.1))
  expect(growth(valuesOf('rss'))).toBeLessThan(Math.max(16 * mebibyte, median(valuesOf('rss')) * 0.15))
  expect(growth(valuesOf('handles'))).toBeLessThan(2)
  if (minutes > 0) expect(growth(valuesOf('p99'))).toBeLessThan(median(valuesOf('p99')))
  server.kill('SIGTERM')
  expect(await server.exit).toMatchObject({ code: 0, errors: '' })
})
