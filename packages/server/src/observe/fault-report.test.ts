import { describe, expect, it, vi } from 'vitest'
import { OutcomeUnknown, StoreUnavailable } from '../store/error.ts'
import { faultReport } from './fault-report.ts'

describe('the report of faults', () => {
  it('tells every bug', () => {
    const said: string[] = []
    const tell = faultReport((message, error) => said.push(`${message} ${error}`))
    tell(new Error('one'))
    tell(new StoreUnavailable('gone'))
    tell(new Error('two'))
    expect(said).toEqual([
      'A request failed. Error: one',
      'A request failed. StoreUnavailable: gone',
      'A request failed. Error: two',
    ])
  })

  it('tells of a database that is away at once, and then every ten seconds how many requests failed', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const said: string[] = []
      const tell = faultReport((message) => said.push(message))
      for (let times = 0; times < 100; times++) tell(new StoreUnavailable('gone'))
      tell(new OutcomeUnknown('perhaps'))
      expect(said).toEqual(['A request failed.'])
      vi.advanceTimersByTime(10_000)
      tell(new StoreUnavailable('gone'))
      tell(new StoreUnavailable('gone'))
      expect(said).toEqual(['A request failed.', 'A request failed, and 100 before it.'])
    } finally {
      vi.useRealTimers()
    }
  })
})
