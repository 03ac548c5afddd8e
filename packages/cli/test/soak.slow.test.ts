// A long run under mixed load: what the service holds, and how long its answers take, do not grow.
import { join } from 'node:path'
import { unhurried } from '@nomen/testing/prove'
import { expect, it } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { serve } from './nomen.ts'
import { growth, median } from './slope.ts'
import { type Stretch, soak } from './soak.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 0)
/** In a run that is to be short, stretches of a second; then nothing is said of time. */
const stretches = minutes > 0 ? Math.max(15, Math.round(minutes)) : 12
const length = minutes > 0 ? (minutes * 60_000) / stretches : 1000
const warm = Math.ceil(stretches / 5)
const mebibyte = 1024 * 1024

function row({ requests, p50, p99, heap, rss, handles }: Stretch): string {
  const [held, resident] = [heap, rss].map((bytes) => (bytes / mebibyte).toFixed(1))
  return `| ${requests} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${held} | ${resident} | ${handles} |`
}

it('holds no more and takes no longer at the end than at the start', {
  timeout: minutes * 70_000 + 120_000,
}, async () => {
  const folder = temporaryFolder()
  const tap = join(folder, 'tap')
  const database = `sqlite:${join(folder, 'directory.db')}`
  const preload = `--import=${join(import.meta.dirname, 'tap.ts')}`
  const served = await serve(['apps/directory', '--database', database, '--access-log', join(folder, 'access.log')], {
    environment: { SAMPLE_USERS: '200', ...unhurried, TAP_FILE: tap, NODE_OPTIONS: preload },
  })
  console.log('| requests | p50 ms | p99 ms | heap MiB | resident MiB | handles |\n|---|---|---|---|---|---|')
  const all = await soak(served, { stretches, length, clients: 6, tap, onStretch: (one) => console.log(row(one)) })
  const settled = all.slice(warm)
  const of = (name: keyof Stretch) => settled.map((stretch) => stretch[name])
  expect(growth(of('heap'))).toBeLessThan(Math.max(2 * mebibyte, median(of('heap')) * 0.1))
  expect(growth(of('rss'))).toBeLessThan(Math.max(16 * mebibyte, median(of('rss')) * 0.15))
  expect(growth(of('handles'))).toBeLessThan(2)
  if (minutes > 0) expect(growth(of('p99'))).toBeLessThan(median(of('p99')))
  served.kill('SIGTERM')
  expect(await served.ended).toMatchObject({ code: 0, errors: '' })
})
