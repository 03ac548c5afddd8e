import { describe, expect, it } from 'vitest'
import { type ApplicationLogOptions, applicationLog, type LogLevel, logLevels } from './application-log.ts'

/** The lines that a log writes of some events. */
function written(options: ApplicationLogOptions, work: (log: ReturnType<typeof applicationLog>) => void): string[] {
  const lines: string[] = []
  work(applicationLog({ ...options, write: (line) => lines.push(line) }))
  return lines
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
