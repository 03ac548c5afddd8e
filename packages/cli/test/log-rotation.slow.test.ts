// The access log of a service that runs for long: rotated by itself, or by others.
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { temporaryFolder } from './folder.ts'
import { serve, until } from './nomen.ts'

const started = (path: string, ...more: string[]) =>
  serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', path, ...more], {
    environment: { SAMPLE_USERS: '5' },
  })

/** None where the log is not there: it appears a moment after the first request. */
const targets = (path: string) =>
  existsSync(path) ? [...readFileSync(path, 'utf8').matchAll(/"GET (\S+)/g)].map(([, target]) => target) : []

describe('the access log', () => {
  it('is begun anew when somebody moves it away, with SIGHUP or without', async () => {
    const path = join(temporaryFolder(), 'access.log')
    const served = await started(path)
    for (const [number, hasSignal] of [true, false].entries()) {
      await ask(`${served.base}/user/${number}`)
      await until(() => targets(path).includes(`/user/${number}`), 5000, 'the line is there')
      renameSync(path, `${path}.${number}`)
      if (hasSignal) served.kill('SIGHUP')
      await ask(`${served.base}/department/${number}`)
      await until(() => targets(path).length > 0, 5000, 'it is begun anew')
    }
    expect(targets(`${path}.0`)).toEqual(['/user/0'])
    expect(targets(`${path}.1`)).toEqual(['/department/0', '/user/1'])
    expect(targets(path)).toEqual(['/department/1'])
  })

  it('is put aside when it is full', async () => {
    const path = join(temporaryFolder(), 'access.log')
    const served = await started(path, '--access-log-size', '300')
    for (let number = 0; number < 5; number++) {
      await ask(`${served.base}/user/${number}`)
      await until(
        () => readdirSync(join(path, '..')).some((name) => targetsIn(path, name).includes(`/user/${number}`)),
        5000,
        'the line is somewhere',
      )
    }
    expect(readdirSync(join(path, '..')).length).toBeGreaterThan(1)
  })
})

function targetsIn(path: string, name: string): (string | undefined)[] {
  return name.endsWith('.gz') || name.endsWith('.part') ? [] : targets(join(path, '..', name))
}
