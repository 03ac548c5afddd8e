/** Commands: what a random run consists of. They name records by position, so that they fit whatever is there. */
import fc from 'fast-check'

/** Which record a path, a filter or a reference means. */
export interface Pick {
  /** One that stands there, any of the noun, one that is no more or not yet, or no identity at all. */
  from: 'member' | 'any' | 'missing' | 'padded' | 'odd'
  n: number
}

/** How a value is come by. */
export interface Choice {
  /** From the pool, from a record, from a record in other case, pointing nowhere, or one that does not fit. */
  from: 'pool' | 'record' | 'recased' | 'missing' | 'bad'
  n: number
  isGiven: boolean
}

export type QueryPart =
  | { kind: 'filter'; property: number; choices: Choice[] }
  | { kind: 'search'; choices: { n: number; start: number; length: number; from: 'record' | 'recased' | 'pool' }[] }
  | { kind: 'range'; bound: 'From' | 'To'; n: number; from: 'record' | 'pool' }
  | { kind: 'include'; picks: Pick[] }
  | { kind: 'sort'; property: number; isDescending: boolean; isOdd: boolean }
  | { kind: 'pageNumber' | 'pageSize'; n: number; isRepeated: boolean }
  | { kind: 'unknown'; n: number }

export interface BodyPlan {
  choices: Choice[]
  /** A replaced record keeps what it has, but for the chosen properties. */
  isReadBack: boolean
  /** The property that is left out. */
  dropped: number | undefined
  identity: 'none' | 'right' | 'wrong' | 'mistyped'
  parent: 'none' | 'right' | 'wrong'
  isUnknownAdded: boolean
  form: 'object' | 'malformed' | 'array' | 'text' | 'null' | 'empty' | 'nothing'
  type: 'json' | 'charset' | 'merge' | 'plain' | 'none'
}

/** A condition by entity tag. */
export type Condition = 'none' | 'current' | 'listed' | 'old' | 'weak' | 'other-face' | 'any' | 'foreign'

/** The same list once more, with another value in one filter: by the same statement, if that is kept. */
export interface Again {
  change: 'none' | 'value' | 'empty' | 'one more'
  choice: Choice
}

export type Command =
  | {
      kind: 'list'
      collection: number
      suffix: number
      picks: Pick[]
      query: QueryPart[]
      isHead: boolean
      again: Again
      /** What If-Match names; a list has no tag. */
      named: '*' | '"1-1-x"' | undefined
    }
  | {
      kind: 'read'
      collection: number
      picks: Pick[]
      condition: Condition
      headers: ('if-match' | 'if-none-match')[]
      isHead: boolean
      hasParameter: boolean
    }
  | { kind: 'lookup'; collection: number; choice: Choice }
  | { kind: 'create'; collection: number; picks: Pick[]; body: BodyPlan; key: number | undefined }
  | { kind: 'replace' | 'update'; collection: number; picks: Pick[]; body: BodyPlan; condition: Condition }
  | { kind: 'delete'; collection: number; picks: Pick[]; condition: Condition }
  | { kind: 'link' | 'unlink'; collection: number; picks: Pick[]; hasBody: boolean; condition: Condition }
  | { kind: 'retry'; n: number; isChanged: boolean }
  | { kind: 'stray'; n: number; picks: Pick[]; collection: number; way: 'path' | 'method' | 'options' | 'body' }

/** Weights, not percentages: the sum is whatever it is. Shrinks towards the first. */
function weighed<T>(...options: readonly (readonly [number, T])[]): fc.Arbitrary<T> {
  const values = options.flatMap(([weight, value]) => Array<T>(weight).fill(value))
  return fc.nat({ max: values.length - 1 }).map((index) => values[index] as T)
}

const n = fc.nat({ max: 997 })
const rarely = (weight: number) => weighed([weight, false], [1, true])
const seldom = (weight: number) => fc.tuple(rarely(weight), n).map(([is, value]) => (is ? value : undefined))

const pick: fc.Arbitrary<Pick> = fc.record({
  from: weighed<Pick['from']>([30, 'member'], [5, 'any'], [2, 'missing'], [1, 'padded'], [1, 'odd']),
  n,
})
const picks = fc.tuple(pick, pick, pick) as fc.Arbitrary<Pick[]>

const choice: fc.Arbitrary<Choice> = fc.record({
  from: weighed<Choice['from']>([60, 'pool'], [10, 'record'], [4, 'recased'], [1, 'missing'], [1, 'bad']),
  n,
  isGiven: fc.boolean(),
})

/** Filters look for what is there more often than bodies repeat it. */
const wanted: fc.Arbitrary<Choice> = fc.record({
  from: weighed<Choice['from']>([10, 'record'], [5, 'recased'], [3, 'pool']),
  n,
  isGiven: fc.constant(true),
})

const queryPart: fc.Arbitrary<QueryPart> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('filter' as const),
      property: n,
      choices: fc
        .tuple(weighed([4, 1], [2, 2], [1, 3]), fc.array(wanted, { minLength: 3, maxLength: 3 }))
        .map(([length, all]) => all.slice(0, length)),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('search' as const),
      choices: fc.array(
        fc.record({
          n,
          start: fc.nat({ max: 6 }),
          length: fc.nat({ max: 4 }),
          from: weighed<'record' | 'recased' | 'pool'>([2, 'record'], [3, 'recased'], [3, 'pool']),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('range' as const),
      bound: fc.constantFrom('From' as const, 'To' as const),
      n,
      from: fc.constantFrom('record' as const, 'pool' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('include' as const),
      picks: fc.array(pick, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('sort' as const),
      property: n,
      isDescending: fc.boolean(),
      isOdd: rarely(25),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom('pageNumber' as const, 'pageSize' as const),
      n,
      isRepeated: rarely(30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unknown' as const), n }) },
)

const body: fc.Arbitrary<BodyPlan> = fc.record({
  choices: fc.array(choice, { minLength: 8, maxLength: 8 }),
  isReadBack: fc.boolean(),
  dropped: seldom(25),
  identity: weighed<BodyPlan['identity']>([20, 'none'], [8, 'right'], [2, 'wrong'], [1, 'mistyped']),
  parent: weighed<BodyPlan['parent']>([8, 'none'], [3, 'right'], [1, 'wrong']),
  isUnknownAdded: rarely(40),
  form: weighed<BodyPlan['form']>(
    [150, 'object'],
    [1, 'malformed'],
    [1, 'array'],
    [1, 'text'],
    [1, 'null'],
    [1, 'empty'],
    [1, 'nothing'],
  ),
  type: weighed<BodyPlan['type']>([60, 'json'], [2, 'charset'], [4, 'merge'], [1, 'plain'], [1, 'none']),
})

const condition = weighed<Condition>(
  [14, 'none'],
  [5, 'current'],
  [1, 'listed'],
  [3, 'old'],
  [1, 'weak'],
  [2, 'other-face'],
  [1, 'any'],
  [1, 'foreign'],
)

const is = <Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds)

/** One command. `growth` is how much more often records are created than deleted. */
export function command(growth: number): fc.Arbitrary<Command> {
  return fc.oneof(
    {
      weight: 34,
      arbitrary: fc.record({
        kind: is('list'),
        collection: n,
        suffix: n,
        picks,
        query: fc.array(queryPart, { maxLength: 4 }),
        isHead: rarely(30),
        again: fc.record({
          change: weighed<Again['change']>([6, 'none'], [1, 'value'], [1, 'empty'], [1, 'one more']),
          choice: wanted,
        }),
        named: weighed<'*' | '"1-1-x"' | undefined>([40, undefined], [1, '*'], [1, '"1-1-x"']),
      }),
    },
    {
      weight: 12,
      arbitrary: fc.record({
        kind: is('read'),
        collection: n,
        picks,
        condition,
        headers: weighed<('if-match' | 'if-none-match')[]>(
          [3, ['if-none-match']],
          [2, ['if-match']],
          [1, ['if-match', 'if-none-match']],
        ),
        isHead: rarely(15),
        hasParameter: rarely(40),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: is('lookup'), collection: n, choice: wanted }) },
    {
      weight: 5 * growth,
      arbitrary: fc.record({
        kind: is('create'),
        collection: n,
        picks,
        body,
        key: seldom(3),
      }),
    },
    {
      weight: 20,
      arbitrary: fc.record({ kind: is('replace', 'update'), collection: n, picks, body, condition }),
    },
    { weight: 5, arbitrary: fc.record({ kind: is('delete'), collection: n, picks, condition }) },
    {
      weight: 10,
      arbitrary: fc.record({ kind: is('link', 'unlink'), collection: n, picks, hasBody: rarely(8), condition }),
    },
    { weight: 3, arbitrary: fc.record({ kind: is('retry'), n, isChanged: rarely(3) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: is('stray'),
        n,
        picks,
        collection: n,
        way: is('path', 'method', 'options', 'body'),
      }),
    },
  )
}
