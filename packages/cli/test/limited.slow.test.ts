// Overload of a service with the limits of a small container: 256 MiB of memory and half a core.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controlGroup } from '@nomen/testing/control-group'
import { isFull } from '@nomen/testing/prove'
import autocannon from 'autocannon'
import { expect, it, onTestFinished } from 'vitest'
import { root, serve } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const seconds = Number(process.env.LIMITED_SECONDS ?? (isFull ? 600 : 20))
const json = { 'content-type': 'application/json' }

it(
  'survives overload with 256 MiB and half a core, and responds afterwards',
  async () => {
    const group = controlGroup(`nomen-limited-${process.pid}`, 256 * 2 ** 20, 0.5)
    // The command is killed before, and its processes may need a moment to leave the group.
    onTestFinished(() => expect.poll(() => group.remove(), { timeout: 10_000 }).toBeUndefined())
    const folder = mkdtempSync(join(tmpdir(), 'nomen-limited-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const files = ['--database', `sqlite:${join(folder, 'directory.db')}`, '--access-log', join(folder, 'access.log')]
    const { base: url, exit } = await serve(['apps/directory/service.ts', ...files], {
      folder: root,
      under: group.under,
      environment: { NODE_OPTIONS: '--max-old-space-size=128', SAMPLE_USERS: '20000' },
    })
    let number = 0
    const { statusCodeStats, errors, timeouts } = await autocannon({
      url,
      connections: 200,
      duration: seconds,
      timeout: 60,
      requests: [
        { path: '/user?pageSize=100&sort=-lastName' },
        { path: '/user/77' },
        { path: '/user?search=an' },
        { method: 'PATCH', path: '/user/78', headers: json, body: '{"lastName":"Overloaded"}' },
        {
          method: 'POST',
          path: '/v1/application',
          headers: json,
          setupRequest: (request) => ({
            ...request,
            body: JSON.stringify({ guid: randomUUID(), name: `application ${number++}`, description: '' }),
          }),
        },
      ],
    })
    const statuses = Object.entries(statusCodeStats ?? {}).map(([status, { count }]) => `${count} × ${status}`)
    console.log(`${seconds} s: ${statuses.join(', ')}; peak ${Math.round(group.peakBytes() / 2 ** 20)} MiB`)
    const live = await sendRequest(`${url}/health/live`)
    expect({ kills: group.kills(), errors, timeouts, live: live.status }).toEqual({
      kills: 0,
      errors: 0,
      timeouts: 0,
      live: 200,
    })
    const unexpected = Object.keys(statusCodeStats ?? {}).filter((status) => !['200', '201', '503'].includes(status))
    expect(unexpected).toEqual([])
    expect(await Promise.race([exit, undefined])).toBeUndefined()
  },
  (seconds + 120) * 1000,
)
