// Health and metrics of a service with several processes.
import { readExposition } from '@nomen/testing/exposition'
import { describe, expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { serve } from './nomen.ts'
import { keepAliveAgent, sendRequest } from './send-request.ts'
import { waitForWorkers, workersOf } from './worker-of.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { rule, service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note, {})] })
  const who = rule(note, ({ title }) => (title === 'who' ? { detail: String(process.pid) } : undefined))
  export default service({ name: 'notes', apis: [notes], rules: [who] })
`
const workerProbe = { path: '/note', body: { title: 'who' } }

describe('nomen serve --workers', () => {
  it('returns the metrics of all workers from each worker', async () => {
    const server = await serve(['--workers', '2'], { folder: serviceFolder({ 'service.ts': noteService }) })
    await waitForWorkers(server, workerProbe, 2)
    const agents = [keepAliveAgent(), keepAliveAgent(), keepAliveAgent()]
    for (const agent of agents)
      for (let count = 0; count < 3; count++) await sendRequest(`${server.base}/note`, { agent })
    for (const agent of agents) {
      const families = readExposition((await sendRequest(`${server.base}/metrics`, { agent })).bytes.toString())
      const lists = families
        .get('nomen_http_requests_total')
        ?.samples.filter(({ labels }) => labels.method === 'GET' && labels.route === '/note')
      expect(lists?.map(({ labels }) => labels.worker).sort()).toEqual(['1', '2'])
      expect(lists?.reduce((sum, { value }) => sum + value, 0)).toBe(9)
      const up = families.get('nomen_worker_up')?.samples.map(({ labels, value }) => [labels.worker, value])
      expect(up).toEqual([
        ['1', 1],
        ['2', 1],
      ])
    }
  })

  it('reports a worker that does not respond', async () => {
    const server = await serve(['--workers', '2'], { folder: serviceFolder({ 'service.ts': noteService }) })
    const [, second] = await waitForWorkers(server, workerProbe, 2)
    process.kill(second ?? 0, 'SIGSTOP')
    // A stopped process still receives connections; the response comes from the other one.
    const stoppedWorker = workersOf(server.pid).indexOf(second ?? 0)
    const scrapes = [1, 2].map(() => sendRequest(`${server.base}/metrics`, { agent: keepAliveAgent() }))
    const text = (await Promise.race(scrapes)).bytes.toString()
    process.kill(second ?? 0, 'SIGCONT')
    await Promise.all(scrapes)
    const up = readExposition(text).get('nomen_worker_up')?.samples
    expect(up?.map(({ value }) => value)).toEqual(stoppedWorker === 0 ? [0, 1] : [1, 0])
  })

  it('limits the requests of one address across all workers', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const server = await serve(['--workers', '2', '--rate-limit', '19/h'], { folder })
    const agents = Array.from({ length: 6 }, () => keepAliveAgent())
    const options = Array.from({ length: 60 }, (_, count) => {
      const agent = agents[count % agents.length]
      return sendRequest(`${server.base}/note`, agent ? { agent } : {})
    })
    const statuses = (await Promise.all(options)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(19)
    expect(statuses.filter((status) => status === 429)).toHaveLength(41)
  })
})
