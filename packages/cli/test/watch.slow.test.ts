// What a service tells of itself while several processes serve it.
import { readExposition } from '@nomen/testing/exposition'
import { describe, expect, it } from 'vitest'
import { ask, keptConnection } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { serve } from './nomen.ts'
import { untilReached, workersOf } from './worker-of.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { rule, service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note, {})] })
  const who = rule(note, ({ title }) => (title === 'who' ? { detail: String(process.pid) } : undefined))
  export default service({ name: 'notes', apis: [notes], rules: [who] })
`
const question = { path: '/note', body: { title: 'who' } }

describe('nomen serve --workers', () => {
  it('tells the metrics of all workers, whichever is asked', async () => {
    const served = await serve(['--workers', '2'], { folder: serviceFolder({ 'service.ts': noteService }) })
    await untilReached(served, question, 2)
    const agents = [keptConnection(), keptConnection(), keptConnection()]
    for (const agent of agents) for (let count = 0; count < 3; count++) await ask(`${served.base}/note`, { agent })
    for (const agent of agents) {
      const found = readExposition((await ask(`${served.base}/metrics`, { agent })).bytes.toString())
      const lists = found
        .get('nomen_http_requests_total')
        ?.samples.filter(({ labels }) => labels.method === 'GET' && labels.route === '/note')
      expect(lists?.map(({ labels }) => labels.worker).sort()).toEqual(['1', '2'])
      expect(lists?.reduce((sum, { value }) => sum + value, 0)).toBe(9)
      const up = found.get('nomen_worker_up')?.samples.map(({ labels, value }) => [labels.worker, value])
      expect(up).toEqual([
        ['1', 1],
        ['2', 1],
      ])
    }
  })

  it('tells that a worker is away', async () => {
    const served = await serve(['--workers', '2'], { folder: serviceFolder({ 'service.ts': noteService }) })
    const [, second] = await untilReached(served, question, 2)
    process.kill(second ?? 0, 'SIGSTOP')
    // Those that are halted still get connections: whoever answers is the other one.
    const halted = workersOf(served.pid).indexOf(second ?? 0)
    const scrapes = [1, 2].map(() => ask(`${served.base}/metrics`, { agent: keptConnection() }))
    const text = (await Promise.race(scrapes)).bytes.toString()
    process.kill(second ?? 0, 'SIGCONT')
    await Promise.all(scrapes)
    const up = readExposition(text).get('nomen_worker_up')?.samples
    expect(up?.map(({ value }) => value)).toEqual(halted === 0 ? [0, 1] : [1, 0])
  })

  it('counts requests of one address together', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const served = await serve(['--workers', '2', '--rate-limit', '19/h'], { folder })
    const agents = Array.from({ length: 6 }, () => keptConnection())
    const asked = Array.from({ length: 60 }, (_, count) => {
      const agent = agents[count % agents.length]
      return ask(`${served.base}/note`, agent ? { agent } : {})
    })
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(19)
    expect(statuses.filter((status) => status === 429)).toHaveLength(41)
  })
})
