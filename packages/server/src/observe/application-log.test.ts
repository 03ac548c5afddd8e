import { describe, expect, it } from 'vitest'
import { type ApplicationLogOptions, applicationLog, type LogLevel, logLevels } from './application-log.ts'

/** The lines that a log writes of some events. */
function written(options: ApplicationLogOptions, work: (log: ReturnType<typeof applicationLog>) => void): string[] {
  const lines: string[] = []
  work(applicationLog({ ...options, write: (line) => lines.push(line) }))
  return lines
}

function circle(): object {
  const own: { self?: object } = {}
  return Object.assign(own, { self: own })
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
  ])('of level %s writes what is as urgent', (level, count) => {
    const lines = written({ level, isPlain: false }, (log) => {
      for (const one of logLevels) log[one](one)
    })
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(logLevels.slice(0, count))
  })

  it('writes an event as one line of JSON, whatever is in it', () => {
    const cause = Object.assign(new Error('first'), { code: 'ENOSPC' })
    const error = new TypeError('second\nline', { cause })
    const [line = ''] = written({ isPlain: false }, (log) =>
      log.error('It "failed".\n', { error, size: 10n, none: undefined }),
    )
    expect(line).not.toContain('\n')
    expect(JSON.parse(line)).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: 'error',
      message: 'It "failed".\n',
      size: '10',
      error: {
        name: 'TypeError',
        message: 'second\nline',
        stack: expect.stringContaining('application-log.test.ts'),
        cause: { name: 'Error', message: 'first', code: 'ENOSPC', stack: expect.any(String) },
      },
    })
  })

  it.each<[string, () => unknown]>([
    ['leads back to itself', () => circle()],
    ['is an error that leads back to itself', () => Object.assign(new Error('first'), { cause: circle() })],
    ['is its own cause', () => ownCause()],
    ['refuses to be written', () => ({ toJSON: () => wrong() })],
    ['refuses to be read', () => Object.defineProperty(new Error('first'), 'cause', { get: wrong, enumerable: true })],
    ['has no prototype', () => Object.assign(Object.create(null), { own: circle() })],
  ])('writes what %s in one line all the same', (_, thrown) => {
    const error = thrown()
    const [line = ''] = written({ isPlain: false }, (log) => log.error('It failed.', { requestId: 'abc', error }))
    expect(JSON.parse(line)).toMatchObject({ level: 'error', message: 'It failed.', requestId: 'abc' })
    const told = JSON.parse(line).error
    if (error instanceof Error) expect(told).toEqual({ name: 'Error', message: 'first', stack: expect.any(String) })
    else expect(told).toEqual(expect.any(String))
    const [text = ''] = written({ isPlain: true }, (log) => log.error('It failed.', { requestId: 'abc', error }))
    expect(text).toContain('It failed. requestId=abc')
  })

  it('writes text for people', () => {
    const error = new Error('second', { cause: new Error('first') })
    const [text = ''] = written({ isPlain: true }, (log) =>
      log.warn('It failed.', { error, requestId: 'abc', count: 2 }),
    )
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d warn {2}It failed\. requestId=abc count=2\n {2}Error: second\n(?: .*\n)* {2}caused by Error: first\n/,
    )
  })
})
