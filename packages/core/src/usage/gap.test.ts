import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gapsOf } from './gap.ts'

/** 2026-11-02, a Monday, in days since the epoch. */
const monday = Date.parse('2026-11-02') / 86_400_000

/** Gaps of a log, as offsets; `pattern` has a character for each day: `x` has lines, `.` has none. */
function gaps(pattern: string, requests = 200): readonly number[] {
  const counts = [...pattern].map((sign) => (sign === 'x' ? requests : 0))
  return gapsOfCounts(counts)
}

function gapsOfCounts(counts: readonly number[]): readonly number[] {
  const days = counts.flatMap((count, index) => (count > 0 ? [[monday + index, count] as const] : []))
  return gapsOf(new Map(days), monday, monday + counts.length - 1).map((day) => day - monday)
}

const week = 'xxxxx..'

describe('a service with requests every day', () => {
  it.each([
    ['a day', `${'x'.repeat(15)}.${'x'.repeat(14)}`, [15]],
    ['two days', `${'x'.repeat(15)}..${'x'.repeat(14)}`, [15, 16]],
    ['the first day', `.${'x'.repeat(30)}`, [0]],
    ['the last day', `${'x'.repeat(30)}.`, [30]],
    ['four single days of a quarter', 'xxxxxxxxxxxxxxxxxxxxxx.'.repeat(4), [22, 45, 68, 91]],
  ])('has a gap if %s is missing', (_, pattern, expected) => {
    expect(gaps(pattern)).toEqual(expected)
  })

  it.each([
    ['most of the period', `${'x'.repeat(5)}${'.'.repeat(24)}x`],
    ['weeks', `${'x'.repeat(10)}${'.'.repeat(20)}x`],
    ['10 days twice', `${'x'.repeat(5)}${'.'.repeat(10)}xxxxx${'.'.repeat(10)}xxxxx`],
    ['everything between two days', `x${'.'.repeat(28)}x`],
  ])('has a gap if %s is missing', (_, pattern) => {
    expect(gaps(pattern)).not.toEqual([])
  })

  it('has no gap if every day has lines', () => {
    expect(gaps('x'.repeat(40))).toEqual([])
    expect(gaps('x')).toEqual([])
  })
})

describe('a service without requests at weekends', () => {
  it('has no gap at weekends', () => {
    expect(gaps(week.repeat(5))).toEqual([])
    expect(gaps(week.repeat(2))).toEqual([])
  })

  it('has no gap if one weekend has requests', () => {
    expect(gaps(`${week}xxxxxx.${week}${week}${week}`)).toEqual([])
  })

  it.each([
    ['a Wednesday', `${week}${week}xx.xx..${week}${week}`, [16]],
    ['Friday to Monday', `${week}xxxx....xxxx..${week}${week}`, [11, 14]],
    ['a week', `${week}${week}.......${week}${week}`, [14, 15, 16, 17, 18]],
  ])('has a gap if %s is missing', (_, pattern, expected) => {
    expect(gaps(pattern)).toEqual(expected)
  })
})

describe('a service with requests on some days', () => {
  it.each([
    ['every second day', 'x.'.repeat(20)],
    ['every third day', 'x..'.repeat(14)],
    ['once a week', 'x......'.repeat(6)],
    ['irregularly', 'xx.x..xxx.x.x...x.xx..x.xxx.x.xx..xx.x'],
    ['irregularly and rarely', 'x..x....x.x...xx.....x...x..x......x..x'],
  ])('has no gap: %s', (_, pattern) => {
    expect(gaps(pattern)).toEqual([])
  })

  it('has a gap if weeks are missing', () => {
    expect(gaps(`${'xx.x..xxx.x.x..x'.repeat(3)}${'.'.repeat(14)}xx.x..xxx.x.x`)).not.toEqual([])
  })
})

describe('a service with few requests', () => {
  it('has no gap if fewer than 10 requests would be expected', () => {
    expect(gaps('xxxxxxx.xxxxxxxxxxxxxxxxxxxxx', 9)).toEqual([])
    expect(gaps('xxxxxxx.xxxxxxxxxxxxxxxxxxxxx', 10)).toEqual([7])
    expect(gaps('xxxxxxx....xxxxxxxxxxxxxxxxxx', 2)).toEqual([])
    expect(gaps('xxxxxxx.....xxxxxxxxxxxxxxxxx', 2)).toEqual([7, 8, 9, 10, 11])
  })

  it.each([0.5, 1, 2, 4])('rarely has a gap if %f requests a day arrive at random', (average) => {
    const runs = 300
    const random = randomNumbers()
    const silent = Array.from({ length: runs }, () => {
      const counts = Array.from({ length: 30 }, () => requestsOfDay(average, random))
      return gapsOfCounts([1, ...counts, 1])
    })
    expect(silent.filter((days) => days.length > 0).length / runs).toBeLessThan(0.05)
  })
})

/** The same numbers in every run. */
function randomNumbers(): () => number {
  let state = 1
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** A random number with a Poisson distribution. */
function requestsOfDay(average: number, random: () => number): number {
  let count = 0
  for (let product = random(); product > Math.exp(-average); product *= random()) count++
  return count
}

it('finds only days without lines, in order, whatever the log has', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('x', '.'), { minLength: 1, maxLength: 60 }), (marks) => {
      const found = gaps(marks.join(''))
      expect(found).toEqual(found.filter((day) => marks[day] === '.').sort((a, b) => a - b))
    }),
  )
})
