// Usage as a running service has counted it: the same as its access logs say, over restarts and several processes.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { UsageReport } from '@nomen/core/usage'
import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { temporaryFolder } from './folder.ts'
import { nomen, type Served, serve } from './nomen.ts'

const service = 'apps/directory/service.ts'

interface Place {
  readonly flags: readonly string[]
  readonly log: string
}

/** What a service leaves behind, for the next one to go on with. */
function place(): Place {
  const folder = temporaryFolder()
  const log = join(folder, 'access.log')
  return { flags: ['--database', `sqlite:${join(folder, 'directory.db')}`, '--access-log', log], log }
}

/** Each on a connection of its own, so that all processes have their share. */
async function askAll({ base }: Served, agent: string): Promise<void> {
  const paths = ['/user', '/user/1', '/user/by-email/nobody', '/v1/role', '/nothing', '/%75ser/2', '/user/']
  await Promise.all(paths.map((path) => ask(`${base}${path}`, { headers: { 'user-agent': agent } })))
}

async function stopped(served: Served): Promise<void> {
  served.kill('SIGTERM')
  expect((await served.ended).code).toBe(0)
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
  it('is what its access log says, over several processes and restarts', async () => {
    const { flags, log } = place()
    const environment = { SAMPLE_USERS: '20' }
    for (const agent of ['shop/1', 'billing/2']) {
      const served = await serve([service, ...flags, '--workers', '2'], { environment })
      for (let time = 0; time < 3; time++) await askAll(served, agent)
      await stopped(served)
    }
    const served = await serve([service, ...flags], { environment })
    const [counted, logged] = await Promise.all([reportOf([served.base]), reportOf([log, '--api', service])])
    expect(counted.endpoints).toEqual(logged.endpoints)
    expect([counted.requests, counted.others]).toEqual([42, 12])

    const [table, csv, html, gate, free, past] = await Promise.all([
      nomen(['usage', served.base]),
      nomen(['usage', `${served.base}/`, '--format', 'csv']),
      nomen(['usage', served.base, '--format', 'html']),
      nomen(['usage', served.base, '--retire', 'v1']),
      nomen(['usage', served.base, '--retire', 'DELETE /department/{id}']),
      nomen(['usage', served.base, '--to', '3d']),
    ])
    expect(table.output).toMatch(/^GET {4}\/user +6 {2}in use by billing \(3\), shop \(3\)$/m)
    expect(table.output).toContain('42 requests from ')
    expect(past.output).toMatch(/^Asked for all to \d{4}-\d\d-\d\d\.\nThe service has counted nothing in that time\.$/m)
    expect(csv.output).toContain('GET,/user,directory.user.list,in use,agent,billing,3,0,')
    expect(html.output).toContain('<h1>Who calls what</h1>')
    expect([gate.code, gate.output]).toEqual([1, expect.stringContaining('GET /v1/role is still called by\n')])
    expect([free.code, free.output]).toEqual([0, expect.stringContaining('or as long as the service has counted.')])
  })

  it('lacks no more than the last seconds after a process was killed', async () => {
    const { flags } = place()
    const served = await serve([service, ...flags])
    await askAll(served, 'shop/1')
    await reportOf([served.base])
    await askAll(served, 'shop/1')
    served.kill('SIGKILL')
    await served.ended
    const { requests } = await reportOf([(await serve([service, ...flags])).base])
    expect(requests).toBeGreaterThanOrEqual(7)
    expect(requests).toBeLessThanOrEqual(14)
  })

  it('says what is wrong', async () => {
    const { flags } = place()
    const { base } = await serve([service, ...flags], { environment: { USAGE: 'off' } })
    const fault = async (...given: readonly string[]) => {
      const { code, errors } = await nomen(['usage', ...given])
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
    expect(off).toContain(`1 nomen: ${base}/usage answers 404. There is nothing at "/usage".`)
    expect(off).toContain('--usage off')
    expect(nobody).toContain(`1 nomen: Nothing answers at ${nowhere}: connect ECONNREFUSED`)
    expect(many).toContain('2 nomen: A service is asked by itself.')
    expect(api).toContain('2 nomen: --api is for access logs.')
    expect(address).toContain('2 nomen: "http://" is no address.')
    expect([flag.code, flag.errors]).toEqual([2, expect.stringContaining('--usage is "maybe".')])
  })
})
