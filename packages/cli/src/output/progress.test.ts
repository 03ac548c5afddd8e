import { Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Progress } from './progress.ts'

/** A stream that keeps what is written. */
class Screen extends Writable {
  text = ''
  readonly isTTY: boolean
  readonly columns: number

  constructor(isTTY: boolean, columns = 100) {
    super({ decodeStrings: false })
    this.isTTY = isTTY
    this.columns = columns
  }

  override _write(text: string, _: string, done: () => void): void {
    this.text += text
    done()
  }

  /** The last line of a terminal. */
  get lastLine(): string {
    const line = this.text.split('\n').at(-1)?.split('\r').at(-1) ?? ''
    return line.replaceAll('\u001b[2K', '').replaceAll('\u001b[K', '')
  }

  getColorDepth(): number {
    return 1
  }
}

function progressOn(screen: Screen): Progress {
  return new Progress('Loading user', screen as unknown as NodeJS.WriteStream)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.stubEnv('TERM', 'xterm')
  vi.stubEnv('NO_COLOR', '1')
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

describe('on a terminal', () => {
  it('shows a bar, the rate and the time that is left', () => {
    const screen = new Screen(true)
    const progress = progressOn(screen)
    vi.advanceTimersByTime(2000)
    progress.update({ count: 10_000, share: 0.25 })
    expect(screen.lastLine).toBe('Loading user ██████░░░░░░░░░░░░░░░░░░  25%  10,000 records  5,000/s  6 s left')
    vi.advanceTimersByTime(1000)
    progress.update({ count: 20_000, share: 0.5, notes: ['3 rejected'] })
    expect(screen.lastLine).toBe(
      'Loading user ████████████░░░░░░░░░░░░  50%  20,000 records  6,667/s  3 s left  3 rejected',
    )
  })

  it('shows the rate of the last seconds', () => {
    const screen = new Screen(true)
    const progress = progressOn(screen)
    for (let second = 1; second <= 20; second++) {
      vi.advanceTimersByTime(1000)
      progress.update({ count: second <= 10 ? 0 : (second - 10) * 1000, share: second / 40 })
    }
    expect(screen.lastLine).toContain('10,000 records  1,000/s')
  })

  it('updates at most ten times per second', () => {
    const screen = new Screen(true)
    const progress = progressOn(screen)
    for (let at = 0; at < 1000; at++) {
      vi.advanceTimersByTime(1)
      progress.update({ count: at })
    }
    expect(screen.text.split('\r').length - 1).toBe(10)
  })

  it('never fills more than one line, however narrow', () => {
    for (const columns of [20, 40, 60, 80]) {
      const screen = new Screen(true, columns)
      const progress = progressOn(screen)
      vi.advanceTimersByTime(1000)
      progress.update({ count: 1_234_567, share: 0.123, notes: ['1,234 waiting for others', '99 rejected'] })
      expect(screen.lastLine.length, `${columns}`).toBeLessThan(columns)
    }
  })

  it('prints messages above the bar, and erases the bar', () => {
    const screen = new Screen(true)
    const progress = progressOn(screen)
    vi.advanceTimersByTime(1000)
    progress.update({ count: 1, share: 0.5 })
    progress.printLine('line 2: No.')
    expect(screen.text.endsWith('\r\u001b[2Kline 2: No.\n')).toBe(true)
    vi.advanceTimersByTime(1000)
    progress.update({ count: 2, share: 1 })
    expect(screen.lastLine).toContain('100%')
    progress.clear()
    expect(screen.lastLine).toBe('')
    const before = screen.text
    progress.clear()
    expect(screen.text).toBe(before)
  })

  it('has no bar if the total is not known', () => {
    const screen = new Screen(true)
    const progress = progressOn(screen)
    vi.advanceTimersByTime(1000)
    progress.update({ count: 500 })
    expect(screen.lastLine).toBe('Loading user  500 records  500/s')
  })
})

describe('elsewhere', () => {
  it('writes a plain line every five seconds', () => {
    const screen = new Screen(false)
    const progress = progressOn(screen)
    for (let second = 1; second <= 12; second++) {
      vi.advanceTimersByTime(1000)
      progress.update({ count: second * 1000, share: second / 20 })
    }
    expect(screen.text).toBe(
      'Loading user  25%  5,000 records  1,000/s  15 s left\nLoading user  50%  10,000 records  1,000/s  10 s left\n',
    )
  })

  it('writes no sequences of a terminal, also where TERM is dumb', () => {
    vi.stubEnv('TERM', 'dumb')
    const screen = new Screen(true)
    const progress = progressOn(screen)
    vi.advanceTimersByTime(6000)
    progress.update({ count: 1, share: 0.1 })
    progress.printLine('line 2: No.')
    progress.clear()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain them
    expect(screen.text).not.toMatch(/[\u001b\r]/)
  })
})
