// The usage counts of a running service match its access logs, over restarts and several processes.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { UsageReport } from '@nomen/core/usage'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen, type RunningServer, serve } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const service = 'apps/directory/service.ts'

interface Setup {
  readonly flags: readonly string[]
  readonly log: string
}

/** The files of a service, for a restart. */
function setup(): Setup {
  const folder = temporaryFolder()
  const log = join(folder, 'access.log')
  return { flags: ['--database', `sqlite:${join(folder, 'directory.db')}`, '--access-log', log], log }
}

/** Sends each request on a new connection, so that all processes receive some. */
async function requestAll({ base }: RunningServer, agent: string): Promise<void> {
  const paths = ['/user', '/user/1', '/user/by-email/nobody', '/v1/role', '/nothing', '/%75ser/2', '/user/']
  await Promise.all(paths.map((path) => sendRequest(`${base}${path}`, { headers: { 'user-agent': agent } })))
}

async function stopServer(server: RunningServer): Promise<void> {
  server.kill('SIGTERM')
  expect((await server.exit).code).toBe(0)
}

async function reportOf(source: readonly string[]): Promise<UsageReport> {
  const { code, output, errors } = await nomen(['usage', ...source, '--format', 'json'])
  expect([code, errors]).toEqual([0, ''])
  return JSON.parse(output)
}

async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

describe('nomen usage of a running service', () => {
  it('matches its access log, over several processes and restarts', async () => {
    const { flags, log } = setup()
    const environment = { SAMPLE_USERS: '20' }
    for (const agent of ['shop/1', 'billing/2']) {
      const server = await serve([service, ...flags, '--workers', '2'], { environment })
      for (let time = 0; time < 3; time++) await requestAll(server, agent)
      await stopServer(server)
    }
    const restarted = await serve([service, ...flags], { environment })
    const [counted, logged] = await Promise.all([reportOf([restarted.base]), reportOf([log, '--api', service])])
    expect(counted.endpoints).toEqual(logged.endpoints)
    expect([counted.requests, counted.others]).toEqual([42, 12])

    const [table, csv, html, gate, free, past] = await Promise.all([
      nomen(['usage', restarted.base]),
      nomen(['usage', `${restarted.base}/`, '--format', 'csv']),
      nomen(['usage', restarted.base, '--format', 'html']),
      nomen(['usage', restarted.base, '--retire', 'v1']),
      nomen(['usage', restarted.base, '--retire', 'DELETE /department/{id}']),
      nomen(['usage', restarted.base, '--to', '3d']),
    ])
    expect(table.output).toMatch(/^GET {4}\/user +6 {2}in use by billing \(3\), shop \(3\)$/m)
    expect(table.output).toContain('42 requests from ')
    expect(past.output).toMatch(
      /^Requested period: until \d{4}-\d\d-\d\d\.\nThe service has counted no requests in that period\.$/m,
    )
    expect(csv.output).toContain('GET,/user,directory.user.list,in use,agent,billing,3,0,')
    expect(html.output).toContain('<h1>API usage</h1>')
    expect([gate.code, gate.output]).toEqual([1, expect.stringContaining('GET /v1/role is still called by\n')])
    expect([free.code, free.errors]).toEqual([
      2,
      expect.stringContaining(
        'There is not enough data to say whether the endpoint can be removed.\n  The service has counted for',
      ),
    ])
  })

  it('misses at most the last seconds after a process was killed', async () => {
    const { flags } = setup()
    const server = await serve([service, ...flags])
    await requestAll(server, 'shop/1')
    await reportOf([server.base])
    await requestAll(server, 'shop/1')
    server.kill('SIGKILL')
    await server.exit
    const { requests } = await reportOf([(await serve([service, ...flags])).base])
    expect(requests).toBeGreaterThanOrEqual(7)
    expect(requests).toBeLessThanOrEqual(14)
  })

  it('reports errors', async () => {
    const { flags } = setup()
    const { base } = await serve([service, ...flags], { environment: { USAGE: 'off' } })
    const fault = async (...args: readonly string[]) => {
      const { code, errors } = await nomen(['usage', ...args])
      expect(errors).not.toContain('    at ')
      return `${code} ${errors}`
    }
    const nowhere = await freeAddress()
    const [off, nobody, many, api, address, flag] = await Promise.all([
      fault(base),
      fault(nowhere),
      fault(base, 'access.log'),
      fault(base, '--api', service),
      fault('http://'),
      nomen(['serve', service, ...flags, '--usage', 'maybe']),
    ])
    expect(off).toContain(`1 nomen: ${base}/usage returned 404. The path "/usage" does not exist.`)
    expect(off).toContain('--usage off')
    expect(nobody).toContain(`1 nomen: No response from ${nowhere}: connect ECONNREFUSED`)
    expect(many).toContain('2 nomen: usage cannot combine a service with other sources.')
    expect(api).toContain('2 nomen: --api is only for access logs.')
    expect(address).toContain('2 nomen: "http://" is not a URL.')
    expect([flag.code, flag.errors]).toEqual([2, expect.stringContaining('--usage must be on or off, but is "maybe".')])
  })
})
