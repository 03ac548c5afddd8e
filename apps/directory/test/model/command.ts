/** The commands of a random run. They refer to records by position, so that they are valid in any state. */
import fc from 'fast-check'

/** Selects a record for a path, a filter or a reference. */
export interface Pick {
  /** An existing record, any of the noun, a deleted or future one, or an invalid ID. */
  from: 'member' | 'any' | 'missing' | 'padded' | 'odd'
  n: number
}

/** Selects a value. */
export interface Choice {
  /** From the pool, from a record, from a record in another letter case, a missing reference, or an invalid value. */
  from: 'pool' | 'record' | 'recased' | 'missing' | 'bad'
  n: number
  isPresent: boolean
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
  /** Whether a replace sends the current record with only the chosen properties changed. */
  isReadBack: boolean
  /** The index of the omitted property. */
  omittedProperty: number | undefined
  identity: 'none' | 'right' | 'wrong' | 'mistyped'
  parent: 'none' | 'right' | 'wrong'
  isUnknownAdded: boolean
  form: 'object' | 'malformed' | 'array' | 'text' | 'null' | 'empty' | 'nothing'
  type: 'json' | 'charset' | 'merge' | 'plain' | 'none'
}

/** A condition with an ETag. */
export type Condition = 'none' | 'current' | 'listed' | 'old' | 'weak' | 'other-view' | 'any' | 'foreign'

/** Repeats a list with another value of one filter, which may reuse a prepared statement. */
export interface ListRepeat {
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
      repeat: ListRepeat
      /** The value of If-Match. A list has no ETag. */
      ifMatch: '*' | '"1-1-x"' | undefined
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
  | { kind: 'stray'; n: number; picks: Pick[]; collection: number; part: 'path' | 'method' | 'options' | 'body' }

/** Chooses a value by relative weight. Shrinks toward the first value. */
function weightedChoice<T>(...options: readonly (readonly [number, T])[]): fc.Arbitrary<T> {
  const values = options.flatMap(([weight, value]) => Array<T>(weight).fill(value))
  return fc.nat({ max: values.length - 1 }).map((index) => values[index] as T)
}

const n = fc.nat({ max: 997 })
const rareFlag = (weight: number) => weightedChoice([weight, false], [1, true])
const rareNumber = (weight: number) =>
  fc.tuple(rareFlag(weight), n).map(([isRare, value]) => (isRare ? value : undefined))

const pick: fc.Arbitrary<Pick> = fc.record({
  from: weightedChoice<Pick['from']>([30, 'member'], [5, 'any'], [2, 'missing'], [1, 'padded'], [1, 'odd']),
  n,
})
const picks = fc.tuple(pick, pick, pick) as fc.Arbitrary<Pick[]>

const choice: fc.Arbitrary<Choice> = fc.record({
  from: weightedChoice<Choice['from']>([60, 'pool'], [10, 'record'], [4, 'recased'], [1, 'missing'], [1, 'bad']),
  n,
  isPresent: fc.boolean(),
})

/** Filters use values of records more often than bodies do. */
const filterChoice: fc.Arbitrary<Choice> = fc.record({
  from: weightedChoice<Choice['from']>([10, 'record'], [5, 'recased'], [3, 'pool']),
  n,
  isPresent: fc.constant(true),
})

const queryPart: fc.Arbitrary<QueryPart> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('filter' as const),
      property: n,
      choices: fc
        .tuple(weightedChoice([4, 1], [2, 2], [1, 3]), fc.array(filterChoice, { minLength: 3, maxLength: 3 }))
        .map(([length, choices]) => choices.slice(0, length)),
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
          from: weightedChoice<'record' | 'recased' | 'pool'>([2, 'record'], [3, 'recased'], [3, 'pool']),
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
      isOdd: rareFlag(25),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom('pageNumber' as const, 'pageSize' as const),
      n,
      isRepeated: rareFlag(30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unknown' as const), n }) },
)

const body: fc.Arbitrary<BodyPlan> = fc.record({
  choices: fc.array(choice, { minLength: 8, maxLength: 8 }),
  isReadBack: fc.boolean(),
  omittedProperty: rareNumber(25),
  identity: weightedChoice<BodyPlan['identity']>([20, 'none'], [8, 'right'], [2, 'wrong'], [1, 'mistyped']),
  parent: weightedChoice<BodyPlan['parent']>([8, 'none'], [3, 'right'], [1, 'wrong']),
  isUnknownAdded: rareFlag(40),
  form: weightedChoice<BodyPlan['form']>(
    [150, 'object'],
    [1, 'malformed'],
    [1, 'array'],
    [1, 'text'],
    [1, 'null'],
    [1, 'empty'],
    [1, 'nothing'],
  ),
  type: weightedChoice<BodyPlan['type']>([60, 'json'], [2, 'charset'], [4, 'merge'], [1, 'plain'], [1, 'none']),
})

const condition = weightedChoice<Condition>(
  [14, 'none'],
  [5, 'current'],
  [1, 'listed'],
  [3, 'old'],
  [1, 'weak'],
  [2, 'other-view'],
  [1, 'any'],
  [1, 'foreign'],
)

const kindOf = <Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds)

/** One command. `growth` is the ratio of creates to deletes. */
export function command(growth: number): fc.Arbitrary<Command> {
  return fc.oneof(
    {
      weight: 34,
      arbitrary: fc.record({
        kind: kindOf('list'),
        collection: n,
        suffix: n,
        picks,
        query: fc.array(queryPart, { maxLength: 4 }),
        isHead: rareFlag(30),
        repeat: fc.record({
          change: weightedChoice<ListRepeat['change']>([6, 'none'], [1, 'value'], [1, 'empty'], [1, 'one more']),
          choice: filterChoice,
        }),
        ifMatch: weightedChoice<'*' | '"1-1-x"' | undefined>([40, undefined], [1, '*'], [1, '"1-1-x"']),
      }),
    },
    {
      weight: 12,
      arbitrary: fc.record({
        kind: kindOf('read'),
        collection: n,
        picks,
        condition,
        headers: weightedChoice<('if-match' | 'if-none-match')[]>(
          [3, ['if-none-match']],
          [2, ['if-match']],
          [1, ['if-match', 'if-none-match']],
        ),
        isHead: rareFlag(15),
        hasParameter: rareFlag(40),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: kindOf('lookup'), collection: n, choice: filterChoice }) },
    {
      weight: 5 * growth,
      arbitrary: fc.record({
        kind: kindOf('create'),
        collection: n,
        picks,
        body,
        key: rareNumber(3),
      }),
    },
    {
      weight: 20,
      arbitrary: fc.record({ kind: kindOf('replace', 'update'), collection: n, picks, body, condition }),
    },
    { weight: 5, arbitrary: fc.record({ kind: kindOf('delete'), collection: n, picks, condition }) },
    {
      weight: 10,
      arbitrary: fc.record({ kind: kindOf('link', 'unlink'), collection: n, picks, hasBody: rareFlag(8), condition }),
    },
    { weight: 3, arbitrary: fc.record({ kind: kindOf('retry'), n, isChanged: rareFlag(3) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: kindOf('stray'),
        n,
        picks,
        collection: n,
        part: kindOf('path', 'method', 'options', 'body'),
      }),
    },
  )
}
