// The checkers of histories: violations that they must find, valid histories, and a comparison with brute force.
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
const readNot = (value: string): RecordStep => ({ kind: 'not', value })

describe('one record', () => {
  const validHistories: readonly [string, readonly TimedStep<RecordStep>[]][] = [
    ['nothing at all', []],
    ['reads before and after a create', history([0, 1, read(null)], [2, 3, create('a')], [4, 5, read('a')])],
    [
      'a read during a write, of either value',
      history([0, 1, create('a')], [2, 9, write('b')], [3, 4, read('a')], [5, 6, read('b')]),
    ],
    [
      'concurrent writes, in the order that reads show',
      history([0, 1, create('a')], [2, 9, write('b')], [2, 9, write('c')], [10, 11, read('b')]),
    ],
    [
      'two conditions, one of which fails',
      history([0, 1, create('a')], [2, 5, write('b', 'a')], [2, 6, readNot('a')], [7, 8, read('b')]),
    ],
    [
      'a write with an unknown outcome that is applied late',
      history([0, 1, create('a')], [2, unknown, write('b')], [3, 4, read('a')], [9, 9.5, read('b')]),
    ],
    [
      'a write with an unknown outcome that is never applied',
      history([0, 1, create('a')], [2, unknown, write('b')], [3, 4, read('a')]),
    ],
    ['a delete', history([0, 1, create('a')], [2, 3, remove], [4, 5, read(null)])],
    ['a response at the time of the next call', history([0, 1, create('a')], [1, 2, write('b')], [2, 3, read('a')])],
  ]
  const invalidHistories: readonly [string, readonly TimedStep<RecordStep>[]][] = [
    ['a stale read', history([0, 1, create('a')], [2, 3, write('b')], [4, 5, read('a')])],
    ['a read that goes back', history([0, 1, create('a')], [2, 9, write('b')], [3, 4, read('b')], [5, 6, read('a')])],
    ['a lost update', history([0, 1, create('a')], [2, 3, write('b', 'a')], [4, 5, write('c', 'a')])],
    [
      'two concurrent conditions that both succeeded',
      history([0, 1, create('a')], [2, 5, write('b', 'a')], [2, 5, write('c', 'a')]),
    ],
    ['a condition that failed without a reason', history([0, 1, create('a')], [2, 3, readNot('a')])],
    ['a value that was never written', history([0, 1, create('a')], [2, 3, read('z')])],
    ['a value before it was written', history([0, 1, create('a')], [2, 3, read('b')], [4, 5, write('b')])],
    ['a record after its delete', history([0, 1, create('a')], [2, 3, remove], [4, 5, read('a')])],
    ['a write after its delete', history([0, 1, create('a')], [2, 3, remove], [4, 5, write('b')])],
    ['an ID that was assigned twice', history([0, 1, create('a')], [2, 3, create('b')])],
    ['two deletes', history([0, 1, create('a')], [2, 5, remove], [3, 6, remove])],
    [
      'a write with an unknown outcome that was applied and reverted',
      history([0, 1, create('a')], [2, unknown, write('b')], [3, 4, read('b')], [5, 6, read('a')]),
    ],
  ]

  it.each(validHistories)('accepts %s', (_, steps) => {
    expect(checkLinearizable(recordModel, steps)).toBeUndefined()
  })

  it.each(invalidHistories)('rejects %s', (_, steps) => {
    expect(checkLinearizable(recordModel, steps)).toMatchObject({ kind: 'not linearizable' })
  })

  it('reports the unexplained response and the concurrent operations', () => {
    const steps = history([0, 1, create('a')], [2, 9, write('b')], [3, 4, read('z')])
    expect(checkLinearizable(recordModel, steps)?.detail).toBe(
      'Nothing explains {"kind":"read","value":"z"} (3.000 to 4.000 ms).\nBefore it, the state was a; at the same time:\n' +
        '  {"kind":"write","value":"b"} (2.000 to 9.000 ms)',
    )
  })
})

it('checks a pair that is linked and unlinked', () => {
  const [link, unlink]: readonly PairStep[] = [{ kind: 'link' }, { kind: 'unlink' }]
  const isLinked = (readLinked: boolean): PairStep => ({ kind: 'read', isLinked: readLinked })
  const pairHistory = (...steps: PairStep[]) =>
    checkLinearizable(
      pairModel,
      steps.map((step, index) => ({ start: index, end: index + 0.5, step })),
    )
  expect(
    pairHistory(
      isLinked(false),
      link as PairStep,
      link as PairStep,
      isLinked(true),
      unlink as PairStep,
      isLinked(false),
    ),
  ).toBeUndefined()
  expect(pairHistory(link as PairStep, isLinked(false))).toBeDefined()
  expect(pairHistory(link as PairStep, unlink as PairStep, unlink as PairStep)).toBeDefined()
})

/** Tries every order that the times allow. */
function bruteForce<State, Step>(model: Model<State, Step>, steps: readonly TimedStep<Step>[]): boolean {
  const search = (state: State, remaining: readonly TimedStep<Step>[]): boolean =>
    remaining.every(({ end }) => end === unknown) ||
    remaining.some((candidate) => {
      if (remaining.some((otherStep) => otherStep.end < candidate.start)) return false
      const next = model.apply(state, candidate.step)
      return (
        next !== undefined &&
        search(
          next,
          remaining.filter((otherStep) => otherStep !== candidate),
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
    value.map(readNot),
    fc.tuple(value, fc.option(value, { nil: undefined })).map(([to, from]) => write(to, from)),
    fc.constant(remove),
  )
  const time = fc.record({ start: fc.nat(12), length: fc.nat(6), isUnknown: fc.nat(7).map((number) => number === 7) })
  const timedStep = fc.tuple(time, recordStep).map(([{ start, length, isUnknown }, step]) => {
    // A read without a response has no information and is not part of a history.
    const isOpen = isUnknown && !recordModel.isRead(step)
    return { start, end: isOpen ? unknown : start + length, step }
  })
  // Most random histories never create the record; these start with a create.
  const historyWithRecord = fc
    .array(timedStep, { maxLength: 6 })
    .map((steps) => [...history([-2, -1, create('a')]), ...steps])
  let valid = 0
  fc.assert(
    fc.property(historyWithRecord, (steps) => {
      const isValid = bruteForce(recordModel, steps)
      if (isValid) valid++
      expect(checkLinearizable(recordModel, steps) === undefined).toBe(isValid)
    }),
    { seed: 20_261_116, numRuns: 5000 },
  )
  expect(valid).toBeGreaterThan(250)
  expect(valid).toBeLessThan(4750)
})

interface Content {
  readonly writeId: string
  readonly group: string
}

describe('lists', () => {
  const content = (writeId: string, group = 'A'): Content => ({ writeId, group })
  const version = (start: number, end: number, readLinked: Content | null): Version<Content> => ({
    start,
    end,
    content: readLinked,
  })
  /** Record 1 since 1, record 2 from 10 to 20, record 3 since 5, of group B since 30. */
  const timeline = new Timeline(
    new Map([
      [1, [version(0, 1, content('a'))]],
      [2, [version(10, 11, content('b')), version(20, 22, null)]],
      [3, [version(4, 5, content('c')), version(30, 32, content('d', 'B'))]],
      [4, [version(50, unknown, content('e'))]],
    ]),
  )
  const page = (start: number, end: number, writeIds: readonly string[], options: Partial<PageRead<Content>> = {}) => {
    const ids: Record<string, number> = { a: 1, b: 2, c: 3, d: 3, e: 4 }
    const numberOfRecords = options.numberOfRecords ?? writeIds.length
    const items = writeIds.map((writeId) => ({ id: ids[writeId] ?? 9, writeId }))
    const pageSize = options.pageSize ?? 10
    const numberOfPages = Math.ceil(numberOfRecords / pageSize)
    return timeline.check({
      ...{
        start,
        end,
        name: 'records',
        matches: () => true,
        pageNumber: 1,
        pageSize,
        numberOfRecords,
        numberOfPages,
        items,
      },
      ...options,
    })
  }
  const ofGroup = (group: string) => ({ matches: (content: Content) => content.group === group })

  it('are valid if all records existed at the same time', () => {
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
    ['a missing record, with another that may exist', 'total', () => page(60, 61, ['d', 'e'])],
    ['a deleted record', 'snapshot', () => page(23, 24, ['a', 'b', 'c'])],
    ['an old version', 'snapshot', () => page(33, 34, ['a', 'c'])],
    ['versions of different times', 'snapshot', () => page(9, 40, ['a', 'b', 'd'])],
    ['a record that does not match', 'page', () => page(6, 7, ['a', 'c'], ofGroup('B'))],
    ['a record that was never written', 'page', () => page(6, 7, ['a', 'c', 'z'])],
    ['another order', 'page', () => page(6, 7, ['c', 'a'])],
    ['a record twice', 'page', () => page(6, 7, ['a', 'a'])],
    ['a page of another length', 'page', () => page(12, 13, ['a'], { numberOfRecords: 3 })],
    ['another number of pages', 'page', () => page(12, 13, ['a', 'b', 'c'], { numberOfPages: 2 })],
    ['the second page instead of the first', 'total', () => page(12, 13, ['c'], { pageSize: 1, numberOfRecords: 3 })],
    [
      'the first page instead of the second',
      'total',
      () => page(12, 13, ['a'], { pageNumber: 2, pageSize: 1, numberOfRecords: 3 }),
    ],
    ['a group with a record that has left it', 'snapshot', () => page(33, 34, ['a', 'c'], ofGroup('A'))],
  ])('are invalid with %s', (_, kind, check) => {
    expect(check()).toMatchObject({ kind })
  })
})
