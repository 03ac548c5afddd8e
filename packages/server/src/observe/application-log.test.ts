import { describe, expect, it } from 'vitest'
import { type ApplicationLog, applicationLog, type LogLevel, logLevels } from './application-log.ts'

interface Options {
  readonly level?: LogLevel
  readonly isPlain?: boolean
}

/** The lines that a log writes. */
async function logLines(options: Options, work: (log: ApplicationLog) => void): Promise<string[]> {
  const lines: string[] = []
  work(applicationLog({ isPlain: false, ...options, stream: { write: (line) => lines.push(line) } }))
  return lines
}

function circle(): object {
  const circular: { self?: object } = {}
  return Object.assign(circular, { self: circular })
}

function ownCause(): Error {
  const error = new Error('first')
  return Object.assign(error, { cause: error })
}

function wrong(): never {
  throw new Error('It cannot be read.')
}

describe('the application log', () => {
  it.each<[LogLevel, number]>([
    ['error', 1],
    ['warn', 2],
    ['info', 3],
    ['debug', 4],
  ])('of level %s writes entries of this severity and above', async (level, count) => {
    const lines = await logLines({ level }, (log) => {
      for (const name of logLevels) log[name]({}, name)
    })
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(logLevels.slice(0, count))
  })

  it('writes an event as one line of JSON, whatever is in it', async () => {
    const err = Object.assign(new TypeError('second\nline', { cause: new Error('first') }), { code: 'ENOSPC' })
    const [line = ''] = await logLines({}, (log) => log.error({ err, size: 10n, none: undefined }, 'It "failed".\n'))
    expect(line).toMatch(/^[^\n]+\n$/)
    expect(JSON.parse(line)).toEqual({
      level: 'error',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      size: 10,
      err: {
        type: 'TypeError',
        message: 'second\nline: first',
        code: 'ENOSPC',
        stack: expect.stringMatching(
          /^TypeError: second\nline\n.+application-log\.test\.ts.+\ncaused by: Error: first\n/s,
        ),
      },
      msg: 'It "failed".\n',
    })
  })

  it.each([
    ['JSON', false, (error: Error) => error],
    ['text', true, (error: Error) => error],
    ['JSON', false, (error: Error) => Object.freeze(error)],
  ])('writes as %s no other properties of an error, because they may be secret', async (_, isPlain, prepare) => {
    const request = { headers: { authorization: 's3cret' } }
    const err = prepare(Object.assign(new Error('No answer.'), { request }))
    const lines = await logLines({ isPlain }, (log) => log.error({ err }, 'It failed.'))
    expect(lines.join()).toContain('No answer.')
    expect(lines.join()).not.toContain('s3cret')
  })

  it.each<[string, () => unknown]>([
    ['leads back to itself', () => circle()],
    ['is an error that leads back to itself', () => Object.assign(new Error('first'), { cause: circle() })],
    ['is its own cause', () => ownCause()],
    ['rejects to be written', () => ({ toJSON: () => wrong() })],
    ['rejects to be read', () => Object.defineProperty(new Error('first'), 'cause', { get: wrong, enumerable: true })],
    ['cannot be changed', () => Object.freeze(new Error('first'))],
    ['has no prototype', () => Object.assign(Object.create(null), { own: circle() })],
    ['is null', () => null],
  ])('writes an entry that %s as one line', async (_, thrown) => {
    const err = thrown()
    const work = (log: ApplicationLog) => log.error({ requestId: 'abc', err }, 'It failed.')
    const [line = ''] = await logLines({}, work)
    const entry = JSON.parse(line)
    expect(entry).toMatchObject({ level: 'error', msg: 'It failed.', requestId: 'abc' })
    expect(entry).toHaveProperty('err')
    if (err instanceof Error)
      expect(entry.err).toEqual({
        type: 'Error',
        message: expect.stringMatching(/^first/),
        stack: expect.stringContaining('Error: first\n'),
      })
    const [text = ''] = await logLines({ isPlain: true }, work)
    expect(text).toContain('It failed. requestId=abc')
    expect(text).toContain(err instanceof Error ? '\n  Error: first\n' : ' err=')
  })

  it('writes a readable format', async () => {
    const err = new Error('second', { cause: new Error('first') })
    const [text = ''] = await logLines({ isPlain: true }, (log) =>
      log.warn({ err, requestId: 'abc', count: 2 }, 'It failed.'),
    )
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d warn {2}It failed\. requestId=abc count=2\n {2}Error: second\n(?: .*\n)* {2}caused by: Error: first\n(?: .*\n)+$/,
    )
  })
})
