// Credentials that a client puts into the URL by mistake: no log has them.
import { existsSync, readFileSync } from 'node:fs'
import { identity, noun, parseLine, resource, text } from '@nomen/core'
import { compute, service } from '@nomen/server'
import { applicationLog } from '@nomen/server/internal'
import { expect, it } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi } from './test-service.ts'

const note = noun(
  'note',
  { id: identity(), title: text(), password: text().default('') },
  { computed: { size: text() } },
)
const notes = service({
  name: 'test',
  apis: [plainApi(resource(note))],
  computed: [
    compute(note, 'size', ['title'], () => {
      throw new Error('broken')
    }),
  ],
})

async function logged(path: string, count: number) {
  const lines = () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [])
  await expect.poll(() => lines().length).toBe(count)
  return lines().map((line) => parseLine(line))
}

it('are redacted in the access log, also in the Referer', async () => {
  const accessLog = temporaryPath()
  const { get } = await openService(notes, { accessLog })
  const targets = [
    ['/note?access_token=s3cret', '/note?access_token=[redacted]'],
    ['/note?title=a&ACCESS_TOKEN=s3cret&pageSize=1', '/note?title=a&ACCESS_TOKEN=[redacted]&pageSize=1'],
    ['/nothing?token=s3cret&password=s3cret', '/nothing?token=[redacted]&password=[redacted]'],
    ['/%6eote?api_key=s3cret', '/%6eote?api_key=[redacted]'],
    [
      '/note?client_secret=s3cret&id_token=s3cret&refresh_token=',
      '/note?client_secret=[redacted]&id_token=[redacted]&refresh_token=[redacted]',
    ],
    ['/note?title=token=1&tokens=2', '/note?title=token=1&tokens=2'],
  ] as const
  for (const [target] of targets)
    await get(target, { referer: `https://page.example/sign-in${target.replace(/^[^?]*/, '')}` })
  const entries = await logged(accessLog, targets.length)
  expect(entries.map((entry) => entry?.target)).toEqual(targets.map(([, shown]) => shown))
  expect(entries.map((entry) => entry?.referrer)).toEqual(
    targets.map(([, shown]) => `https://page.example/sign-in${shown.replace(/^[^?]*/, '')}`),
  )
  expect(readFileSync(accessLog, 'utf8')).not.toContain('s3cret')
})

it('are not in the application log either', async () => {
  const lines: string[] = []
  const log = applicationLog({ isPlain: false, stream: { write: (line) => lines.push(line) } })
  const { send, get } = await openService(notes, { log })
  await send('POST', '/note', { title: 'a', password: 's3cret' })
  expect((await get('/note?password=s3cret')).status).toBe(500)
  expect(lines.map((line) => JSON.parse(line).target)).toContain('/note?password=[redacted]')
  expect(lines.join()).not.toContain('s3cret')
})
