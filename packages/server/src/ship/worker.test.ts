import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { ShipWorker } from './worker.ts'

it('stops although its thread crashes at that moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const notices: string[] = []
  const created = once(process, 'worker')
  const options = { log: join(folder, 'access.log'), to: 'loki+http://127.0.0.1:9', service: 'notes' }
  const worker = new ShipWorker(options, (notice) => notices.push(notice))
  const [thread]: Worker[] = await created
  const stopped = worker.stop()
  thread?.emit('error', new Error('out of memory'))
  await expect(stopped).resolves.toBeUndefined()
  expect(notices).toEqual(['Shipping access logs failed and will be restarted: out of memory'])
})
