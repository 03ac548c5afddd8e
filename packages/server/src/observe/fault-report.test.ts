import { describe, expect, it, vi } from 'vitest'
import { OutcomeUnknown, StoreUnavailable } from '../store/fault/error.ts'
import { faultReport } from './fault-report.ts'

describe('the report of faults', () => {
  it('has every bug', () => {
    const messages: string[] = []
    const report = faultReport((message, error) => messages.push(`${message} ${error}`))
    report(new Error('one'))
    report(new StoreUnavailable('gone'))
    report(new Error('two'))
    expect(messages).toEqual([
      'A request failed. Error: one',
      'A request failed. StoreUnavailable: gone',
      'A request failed. Error: two',
    ])
  })

  it('has an unavailable database at once, and then the number of failed requests every ten seconds', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const messages: string[] = []
      const report = faultReport((message) => messages.push(message))
      for (let times = 0; times < 100; times++) report(new StoreUnavailable('gone'))
      report(new OutcomeUnknown('perhaps'))
      expect(messages).toEqual(['A request failed.'])
      vi.advanceTimersByTime(10_000)
      report(new StoreUnavailable('gone'))
      report(new StoreUnavailable('gone'))
      expect(messages).toEqual(['A request failed.', '101 requests failed. This is the last one.'])
    } finally {
      vi.useRealTimers()
    }
  })
})
