// Rotation of the access log by the service or by another program.
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { serve, waitUntil } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const startServer = (path: string, ...flags: string[]) =>
  serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', path, ...flags], {
    environment: { SAMPLE_USERS: '5' },
  })

/** Empty if the log does not exist yet: it is created shortly after the first request. */
const targets = (path: string) =>
  existsSync(path) ? [...readFileSync(path, 'utf8').matchAll(/"GET (\S+)/g)].map(([, target]) => target) : []

describe('the access log', () => {
  it('is created again after it was moved, with SIGHUP or without', async () => {
    const path = join(temporaryFolder(), 'access.log')
    const server = await startServer(path)
    for (const [number, hasSignal] of [true, false].entries()) {
      await sendRequest(`${server.base}/user/${number}`)
      await waitUntil(() => targets(path).includes(`/user/${number}`), 5000, 'the line is written')
      renameSync(path, `${path}.${number}`)
      if (hasSignal) server.kill('SIGHUP')
      await sendRequest(`${server.base}/department/${number}`)
      await waitUntil(() => targets(path).length > 0, 5000, 'the log is created again')
    }
    expect(targets(`${path}.0`)).toEqual(['/user/0'])
    expect(targets(`${path}.1`)).toEqual(['/department/0', '/user/1'])
    expect(targets(path)).toEqual(['/department/1'])
  })

  it('is rotated when it reaches its maximum size', async () => {
    const path = join(temporaryFolder(), 'access.log')
    const server = await startServer(path, '--access-log-size', '300')
    for (let number = 0; number < 5; number++) {
      await sendRequest(`${server.base}/user/${number}`)
      await waitUntil(
        () => readdirSync(join(path, '..')).some((name) => targetsIn(path, name).includes(`/user/${number}`)),
        5000,
        'the line is in one of the files',
      )
    }
    expect(readdirSync(join(path, '..')).length).toBeGreaterThan(1)
  })
})

function targetsIn(path: string, name: string): (string | undefined)[] {
  return name.endsWith('.gz') || name.endsWith('.part') ? [] : targets(join(path, '..', name))
}
