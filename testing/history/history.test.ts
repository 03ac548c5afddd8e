// The checkers of histories: what they must find, what they must not, and the efficient search against all orders.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkLinearizable, type Model, type TimedStep } from './linearizable.ts'
import { type PairStep, pairModel, type RecordStep, recordModel } from './register.ts'
import { type PageRead, Timeline, type Version } from './snapshot.ts'

const unknown = Number.POSITIVE_INFINITY

/** Steps with their start and end. */
function history<Step>(...steps: readonly (readonly [number, number, Step])[]): readonly TimedStep<Step>[] {
  return steps.map(([start, end, step]) => ({ start, end, step }))
}

const create = (value: string): RecordStep => ({ kind: 'create', value })
const read = (value: string | null): RecordStep => ({ kind: 'read', value })
const write = (value: string, expected?: string): RecordStep => ({ kind: 'write', value, expected })
const remove: RecordStep = { kind: 'delete' }
const not = (value: string): RecordStep => ({ kind: 'not', value })

describe('one record', () => {
  const good: readonly [string, readonly TimedStep<RecordStep>[]][] = [
    ['nothing at all', []],
    ['reads before and after a create', history([0, 1, read(null)], [2, 3, create('a')], [4, 5, read('a')])],
    [
      'a read during a write, of either value',
      history([0, 1, create('a')], [2, 9, write('b')], [3, 4, read('a')], [5, 6, read('b')]),
    ],
    [
      'writes at the same time, in the order that reads tell',
      history([0, 1, create('a')], [2, 9, write('b')], [2, 9, write('c')], [10, 11, read('b')]),
    ],
    [
      'conditions of which one fails',
      history([0, 1, create('a')], [2, 5, write('b', 'a')], [2, 6, not('a')], [7, 8, read('b')]),
    ],
    [
      'a write whose outcome is unknown, done late',
      history([0, 1, create('a')], [2, unknown, write('b')], [3, 4, read('a')], [9, 9.5, read('b')]),
    ],
    [
      'a write whose outcome is unknown, never done',
      history([0, 1, create('a')], [2, unknown, write('b')], [3, 4, read('a')]),
    ],
    ['a delete', history([0, 1, create('a')], [2, 3, remove], [4, 5, read(null)])],
    ['an answer at the moment of the next call', history([0, 1, create('a')], [1, 2, write('b')], [2, 3, read('a')])],
  ]
  const bad: readonly [string, readonly TimedStep<RecordStep>[]][] = [
    ['a stale read', history([0, 1, create('a')], [2, 3, write('b')], [4, 5, read('a')])],
    ['a read that goes back', history([0, 1, create('a')], [2, 9, write('b')], [3, 4, read('b')], [5, 6, read('a')])],
    ['a lost update', history([0, 1, create('a')], [2, 3, write('b', 'a')], [4, 5, write('c', 'a')])],
    [
      'two conditions at once that both held',
      history([0, 1, create('a')], [2, 5, write('b', 'a')], [2, 5, write('c', 'a')]),
    ],
    ['a condition that failed without a reason', history([0, 1, create('a')], [2, 3, not('a')])],
    ['a value that was never written', history([0, 1, create('a')], [2, 3, read('z')])],
    ['a value before it was written', history([0, 1, create('a')], [2, 3, read('b')], [4, 5, write('b')])],
    ['a record after its delete', history([0, 1, create('a')], [2, 3, remove], [4, 5, read('a')])],
    ['a write after its delete', history([0, 1, create('a')], [2, 3, remove], [4, 5, write('b')])],
    ['an identity that was given twice', history([0, 1, create('a')], [2, 3, create('b')])],
    ['two deletes', history([0, 1, create('a')], [2, 5, remove], [3, 6, remove])],
    [
      'an unknown write that was done and undone',
      history([0, 1, create('a')], [2, unknown, write('b')], [3, 4, read('b')], [5, 6, read('a')]),
    ],
  ]

  it.each(good)('may tell of %s', (_, steps) => {
    expect(checkLinearizable(recordModel, steps)).toBeUndefined()
  })

  it.each(bad)('never tells of %s', (_, steps) => {
    expect(checkLinearizable(recordModel, steps)).toMatchObject({ kind: 'not linearizable' })
  })

  it('says which answer nothing explains, and what else was under way', () => {
    const steps = history([0, 1, create('a')], [2, 9, write('b')], [3, 4, read('z')])
    expect(checkLinearizable(recordModel, steps)?.detail).toBe(
      'Nothing explains {"kind":"read","value":"z"} (3.000 to 4.000 ms).\nBefore it, the state was a; at the same time:\n' +
        '  {"kind":"write","value":"b"} (2.000 to 9.000 ms)',
    )
  })
})

it('tells of a pair that is linked and unlinked', () => {
  const [link, unlink]: readonly PairStep[] = [{ kind: 'link' }, { kind: 'unlink' }]
  const isLinked = (is: boolean): PairStep => ({ kind: 'read', isLinked: is })
  const of = (...steps: PairStep[]) =>
    checkLinearizable(
      pairModel,
      steps.map((step, at) => ({ start: at, end: at + 0.5, step })),
    )
  expect(
    of(isLinked(false), link as PairStep, link as PairStep, isLinked(true), unlink as PairStep, isLinked(false)),
  ).toBeUndefined()
  expect(of(link as PairStep, isLinked(false))).toBeDefined()
  expect(of(link as PairStep, unlink as PairStep, unlink as PairStep)).toBeDefined()
})

/** Every order that time allows, one after the other. */
function bruteForce<State, Step>(model: Model<State, Step>, steps: readonly TimedStep<Step>[]): boolean {
  const search = (state: State, left: readonly TimedStep<Step>[]): boolean =>
    left.every(({ end }) => end === unknown) ||
    left.some((one) => {
      if (left.some((other) => other.end < one.start)) return false
      const next = model.apply(state, one.step)
      return (
        next !== undefined &&
        search(
          next,
          left.filter((other) => other !== one),
        )
      )
    })
  return search(model.initial, steps)
}

it('agrees with a search through all orders', () => {
  const value = fc.constantFrom('a', 'b', 'c')
  const recordStep: fc.Arbitrary<RecordStep> = fc.oneof(
    value.map(create),
    fc.option(value).map(read),
    value.map(not),
    fc.tuple(value, fc.option(value, { nil: undefined })).map(([to, from]) => write(to, from)),
    fc.constant(remove),
  )
  const time = fc.record({ start: fc.nat(12), length: fc.nat(6), isUnknown: fc.nat(7).map((one) => one === 7) })
  const timedStep = fc.tuple(time, recordStep).map(([{ start, length, isUnknown }, step]) => {
    // A read whose answer did not come says nothing, and is not in a history.
    const isOpen = isUnknown && !recordModel.isRead(step)
    return { start, end: isOpen ? unknown : start + length, step }
  })
  // Most random histories have nothing to do with a record; these begin with one.
  const begun = fc.array(timedStep, { maxLength: 6 }).map((steps) => [...history([-2, -1, create('a')]), ...steps])
  let right = 0
  fc.assert(
    fc.property(begun, (steps) => {
      const isRight = bruteForce(recordModel, steps)
      if (isRight) right++
      expect(checkLinearizable(recordModel, steps) === undefined).toBe(isRight)
    }),
    { seed: 20_261_116, numRuns: 5000 },
  )
  expect(right).toBeGreaterThan(250)
  expect(right).toBeLessThan(4750)
})

interface Content {
  readonly mark: string
  readonly group: string
}

describe('lists', () => {
  const content = (mark: string, group = 'A'): Content => ({ mark, group })
  const version = (start: number, end: number, is: Content | null): Version<Content> => ({ start, end, content: is })
  /** Record 1 since 1, record 2 from 10 to 20, record 3 since 5, of group B since 30. */
  const timeline = new Timeline(
    new Map([
      [1, [version(0, 1, content('a'))]],
      [2, [version(10, 11, content('b')), version(20, 22, null)]],
      [3, [version(4, 5, content('c')), version(30, 32, content('d', 'B'))]],
      [4, [version(50, unknown, content('e'))]],
    ]),
  )
  const page = (start: number, end: number, marks: readonly string[], more: Partial<PageRead<Content>> = {}) => {
    const ids: Record<string, number> = { a: 1, b: 2, c: 3, d: 3, e: 4 }
    const numberOfRecords = more.numberOfRecords ?? marks.length
    const items = marks.map((mark) => ({ id: ids[mark] ?? 9, mark }))
    const pageSize = more.pageSize ?? 10
    const numberOfPages = Math.ceil(numberOfRecords / pageSize)
    return timeline.check({
      ...{
        start,
        end,
        name: 'records',
        fits: () => true,
        pageNumber: 1,
        pageSize,
        numberOfRecords,
        numberOfPages,
        items,
      },
      ...more,
    })
  }
  const ofGroup = (group: string) => ({ fits: (one: Content) => one.group === group })

  it('are right where all of it was there at one moment', () => {
    expect(page(6, 7, ['a', 'c'])).toBeUndefined()
    expect(page(10, 12, ['a', 'c'])).toBeUndefined()
    expect(page(10, 12, ['a', 'b', 'c'])).toBeUndefined()
    expect(page(20, 25, ['a', 'c'])).toBeUndefined()
    expect(page(33, 34, ['a'], ofGroup('A'))).toBeUndefined()
    expect(page(31, 34, ['d'], ofGroup('B'))).toBeUndefined()
    expect(page(60, 61, ['a', 'd'])).toBeUndefined()
    expect(page(60, 61, ['a', 'd', 'e'])).toBeUndefined()
    expect(page(12, 13, ['c'], { pageNumber: 2, pageSize: 2, numberOfRecords: 3 })).toBeUndefined()
    expect(page(12, 13, [], { pageNumber: 3, pageSize: 2, numberOfRecords: 3 })).toBeUndefined()
  })

  it.each<[string, string, () => unknown]>([
    ['a total that is too high', 'total', () => page(6, 7, ['a'], { numberOfRecords: 3, pageSize: 1 })],
    ['a total that is too low', 'total', () => page(12, 13, ['a'], { numberOfRecords: 2, pageSize: 1 })],
    ['a total that counts a deleted record', 'total', () => page(23, 24, ['a'], { numberOfRecords: 3, pageSize: 1 })],
    ['a record too few', 'total', () => page(12, 13, ['a', 'c'])],
    ['one that is missing, with one that may be there', 'total', () => page(60, 61, ['d', 'e'])],
    ['a deleted record', 'snapshot', () => page(23, 24, ['a', 'b', 'c'])],
    ['an old version', 'snapshot', () => page(33, 34, ['a', 'c'])],
    ['versions of two moments', 'snapshot', () => page(9, 40, ['a', 'b', 'd'])],
    ['a record that does not fit', 'page', () => page(6, 7, ['a', 'c'], ofGroup('B'))],
    ['a record that nobody wrote', 'page', () => page(6, 7, ['a', 'c', 'z'])],
    ['another order', 'page', () => page(6, 7, ['c', 'a'])],
    ['a record twice', 'page', () => page(6, 7, ['a', 'a'])],
    ['a page of another length', 'page', () => page(12, 13, ['a'], { numberOfRecords: 3 })],
    ['another number of pages', 'page', () => page(12, 13, ['a', 'b', 'c'], { numberOfPages: 2 })],
    ['the second page in place of the first', 'total', () => page(12, 13, ['c'], { pageSize: 1, numberOfRecords: 3 })],
    [
      'the first page in place of the second',
      'total',
      () => page(12, 13, ['a'], { pageNumber: 2, pageSize: 1, numberOfRecords: 3 }),
    ],
    ['a group of which one is no more', 'snapshot', () => page(33, 34, ['a', 'c'], ofGroup('A'))],
  ])('are wrong with %s', (_, kind, check) => {
    expect(check()).toMatchObject({ kind })
  })
})
