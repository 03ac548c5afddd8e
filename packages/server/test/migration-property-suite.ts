/** Migrations between random declarations, on every database. */
import {
  type AnyField,
  type AnyNoun,
  boolean,
  choice,
  date,
  decimal,
  email,
  guid,
  identity,
  integer,
  link,
  noun,
  number,
  reference,
  text,
  timestamp,
  type Value,
} from '@nomen/core'
import { proofSeed, seedNumber } from '@nomen/testing/prove'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MigrationError } from '../src/store/migrate/error.ts'
import type { Model } from '../src/store/model.ts'
import { columnName } from '../src/store/stored-name.ts'
import { derivedValue } from '../src/store/text/derived-column.ts'
import type { MigratedDatabase } from './migrated-database.ts'
import { modelOfNouns } from './model-of-nouns.ts'

/** Each kind of field with a default of it, and two values. */
const kinds: Record<string, { make: () => AnyField; default: never; values: readonly Value[] }> = {
  integer: { make: integer, default: 7 as never, values: [1, 2] },
  number: { make: number, default: 1.5 as never, values: [1, 2.5] },
  cents: { make: () => decimal({ scale: 2 }), default: '1.50' as never, values: ['1.00', '2.55'] },
  mills: { make: () => decimal({ scale: 3 }), default: '0.125' as never, values: ['1.000', '0.001'] },
  text: { make: text, default: "it's, so" as never, values: ['1', 'Äß'] },
  email: { make: email, default: 'x@y.z' as never, values: ['a@b.c', 'd@e.f'] },
  guid: { make: guid, default: guidOf(9) as never, values: [guidOf(1), guidOf(2)] },
  boolean: { make: boolean, default: true as never, values: [false, true] },
  choice: { make: () => choice('1', '2'), default: '1' as never, values: ['1', '2'] },
  wider: { make: () => choice('1', '2', '3'), default: '3' as never, values: ['1', '3'] },
  date: { make: date, default: '2026-01-01' as never, values: ['2026-01-01', '2026-01-02'] },
  timestamp: {
    make: timestamp,
    default: '2026-01-01T00:00:00.000Z' as never,
    values: ['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z'],
  },
}

const names = ['user', 'team', 'role']
const fieldNames = ['one', 'two', 'three', 'four']

const part = fc.record({
  kind: fc.constantFrom(...Object.keys(kinds), 'reference', 'reference'),
  target: fc.nat(2),
  isNullable: fc.boolean(),
  isUnique: fc.boolean(),
  hasDefault: fc.boolean(),
  isFiltered: fc.boolean(),
  isSearched: fc.boolean(),
  isUnaccented: fc.boolean(),
  collation: fc.option(fc.constantFrom('de', 'sv'), { nil: undefined }),
  from: fc.option(fc.constantFrom(...fieldNames), { nil: undefined, freq: 3 }),
  isTaken: fc.boolean(),
  isMapped: fc.boolean(),
})
type Part = typeof part extends fc.Arbitrary<infer Given> ? Given : never

const declared = fc.record({
  isGuid: fc.boolean(),
  fields: fc.dictionary(fc.constantFrom(...fieldNames), part, { noNullPrototype: true }),
  isPairUnique: fc.boolean(),
})
const declaration = fc.record({
  nouns: fc.dictionary(fc.constantFrom(...names), declared, { minKeys: 1, noNullPrototype: true }),
  isLinked: fc.boolean(),
})
type Declaration = typeof declaration extends fc.Arbitrary<infer Given> ? Given : never

/** A declaration and what became of it: a few fields are those of another declaration, or come, or go. */
const history = fc
  .record({ one: declaration, other: declaration, changed: fc.subarray(fieldNames, { maxLength: 2 }) })
  .map(({ one, other, changed }) => {
    const nouns = Object.entries(one.nouns).map(([name, before]) => {
      const after = other.nouns[name]
      const pick = (property: string) => (after && changed.includes(property) ? after : before).fields[property]
      const fields = Object.fromEntries(
        fieldNames.flatMap((property) => [[property, pick(property)]]).filter(([, part]) => part),
      )
      return [name, { ...before, fields, isPairUnique: (after ?? before).isPairUnique }]
    })
    return { one, other: { ...other, nouns: { ...other.nouns, ...Object.fromEntries(nouns) } } as Declaration }
  })

function guidOf(count: number): string {
  return `00000000-0000-4000-8000-00000000000${count}`
}

/** The model of a generated declaration. */
function modelOf({ nouns, isLinked }: Declaration): Model {
  const present = Object.keys(nouns)
  const nounsByName = new Map<string, AnyNoun>()
  for (const [name, { isGuid, fields, isPairUnique }] of Object.entries(nouns)) {
    const own = Object.fromEntries(
      Object.entries(fields).map(([property, part]) => [
        property,
        fieldOf(part, property, fields, () => nounsByName.get(present[part.target % present.length] ?? '') as AnyNoun),
      ]),
    )
    const pair = Object.keys(fields).slice(0, 2)
    const id = isGuid ? identity('guid') : identity()
    nounsByName.set(
      name,
      noun(
        name,
        { id, ...own } as Record<string, AnyField>,
        isPairUnique && pair.length === 2 ? { unique: [pair] } : {},
      ),
    )
  }
  const where = (test: (part: Part) => boolean) =>
    Object.entries(nouns).flatMap(([name, { fields }]) =>
      Object.entries(fields).flatMap(([property, part]) => (test(part) ? [`${name}.${property}`] : [])),
    )
  const [first, second] = [...nounsByName.values()]
  return modelOfNouns([...nounsByName.values()], {
    indexed: where(({ isFiltered }) => isFiltered),
    searched: where(({ kind, isSearched }) => isSearched && (kind === 'text' || kind === 'email')),
    links: isLinked && first && second ? [link(first, second)] : [],
  })
}

function fieldOf(part: Part, property: string, fields: Record<string, Part>, target: () => AnyNoun): AnyField {
  const kind = kinds[part.kind]
  let field: AnyField = kind ? kind.make() : reference(target)
  const { collation: sort, isUnaccented } = part
  if (part.kind === 'text')
    field = text({ ...(sort && { sort }), ...(isUnaccented && { search: 'accent-insensitive' }) })
  if (part.isNullable) field = field.nullable()
  if (part.isUnique) field = field.unique()
  if (kind && part.hasDefault) field = field.default(kind.default)
  if (part.isMapped) field = field.column(columnOf(part, property))
  const { from } = part
  if (from === undefined || from === property) return field
  const source = from < property ? fields[from] : undefined
  const isFit = source?.kind === part.kind && (part.isNullable || !source.isNullable)
  return part.isTaken && isFit ? field.defaultFrom(from) : field.renamedFrom(from)
}

/** Names with lines in them, of which others could be made. */
function columnOf({ isMapped }: Part, property: string): string {
  return isMapped ? `${property}_of_two` : property
}

/** Two records of every noun, all pointing at each other. */
async function fill(database: MigratedDatabase, declaration: Declaration): Promise<void> {
  const { nouns, isLinked } = declaration
  const present = Object.keys(nouns)
  const model = modelOf(declaration)
  const idOf = (name: string | undefined, count: number) => (nouns[name ?? '']?.isGuid ? guidOf(count) : count)
  await database.deferred(async () => {
    for (const [name, { fields }] of Object.entries(nouns)) {
      for (const count of [1, 2]) {
        const values: Record<string, Value> = { id: idOf(name, count) }
        for (const [property, part] of Object.entries(fields)) {
          const value = kinds[part.kind]?.values[count - 1] ?? idOf(present[part.target % present.length], count)
          const stored = part.isNullable && part.isTaken && count === 2 ? null : value
          values[columnOf(part, property)] = stored
          for (const column of model.nouns.get(name)?.derived.get(property) ?? [])
            values[column.name] = derivedValue(column, stored)
        }
        await database.insert(model, name, values)
      }
    }
    const [first, second] = present
    const [firstId, secondId] = [idOf(first, 1), idOf(second, 2)]
    if (isLinked && second) await database.run(`insert into "${first}-${second}" values ('${firstId}', '${secondId}')`)
  })
}

/** `open` gives an empty database. `runs` bounds how many declarations are tried. */
export function migrationPropertySuite(open: () => Promise<MigratedDatabase>, runs: number): void {
  async function freshSchema(model: Model): Promise<unknown> {
    const database = await open()
    await database.migrate(model, 'start')
    const schema = await database.schema()
    await database.close()
    return schema
  }

  it('gives the schema of a new database if there are no records', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(declaration, declaration, async (one, other) => {
        const database = await open()
        await database.migrate(modelOf(one), 'start')
        for (const next of [other, one]) {
          await database.migrate(modelOf(next), 'apply')
          expect(await database.schema()).toEqual(await freshSchema(modelOf(next)))
        }
        await database.close()
      }),
      { seed: seedNumber(proofSeed()), numRuns: Math.ceil(runs / 3) },
    )
  })

  it('keeps every record and every reference, or changes nothing and says why', { timeout: 240_000 }, async () => {
    let [converted, rejected] = [0, 0]
    await fc.assert(
      fc.asyncProperty(history, async ({ one, other }) => {
        const database = await open()
        await database.migrate(modelOf(one), 'start')
        await fill(database, one)
        const before = await database.contents()
        const plan = await database.migrate(modelOf(other), 'plan')
        expect(await database.contents()).toBe(before)
        try {
          await database.migrate(modelOf(other), 'apply')
        } catch (error) {
          if (!(error instanceof MigrationError)) throw error
          rejected++
          expect(plan.obstacles).not.toEqual([])
          expect(await database.contents()).toBe(before)
          return
        }
        converted++
        expect(plan.obstacles).toEqual([])
        expect(await database.schema()).toEqual(await freshSchema(modelOf(other)))
        await database.check()
        for (const name of Object.keys(other.nouns)) {
          expect(await database.records(modelOf(other), name, 'id')).toHaveLength(name in one.nouns ? 2 : 0)
        }
        await expectDerived(database, modelOf(other))
        await database.close()
      }),
      { seed: seedNumber(proofSeed()), numRuns: runs },
    )
    expect(Math.min(converted, rejected)).toBeGreaterThan(runs / 20)
  })
}

/** The texts for search and sort are those of the texts that the records have now. */
async function expectDerived(database: MigratedDatabase, model: Model): Promise<void> {
  for (const { noun, derived } of model.nouns.values()) {
    for (const [field, columns] of derived) {
      const from = columnName(noun, field)
      for (const record of await database.records(model, noun.name, from, ...columns.map(({ name }) => name)))
        for (const column of columns) expect(record[column.name]).toBe(derivedValue(column, record[from]))
    }
  }
}

/** The same history on two databases ends alike: the same obstacles, or the same records. */
export function migrationAgreementSuite(
  openOne: () => Promise<MigratedDatabase>,
  openOther: () => Promise<MigratedDatabase>,
  runs: number,
): void {
  it('gives the same records, or the same findings', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ one, other }) => {
        const ends = []
        for (const open of [openOne, openOther]) {
          const database = await open()
          await database.migrate(modelOf(one), 'start')
          await fill(database, one)
          ends.push(await endOf(database, other))
          await database.close()
        }
        expect(ends[0]).toEqual(ends[1])
      }),
      { seed: seedNumber(proofSeed()), numRuns: runs },
    )
  })
}

/** The findings without their examples, or every field of every record. */
async function endOf(database: MigratedDatabase, declaration: Declaration): Promise<unknown> {
  const model = modelOf(declaration)
  const { obstacles } = await database.migrate(model, 'plan')
  if (obstacles.length > 0) return obstacles.map((obstacle) => obstacle.replace(/such as .*/, ''))
  await database.migrate(model, 'apply')
  const records = []
  for (const { noun, derived } of model.nouns.values()) {
    const columns = (fields: Iterable<string>) => [...fields].map((field) => columnName(noun, field))
    const texts = [...derived.values()].flat().map(({ name }) => name)
    records.push(await database.records(model, noun.name, ...columns(Object.keys(noun.fields)), '_version', ...texts))
    records.push(await database.tallies(noun.name))
  }
  return records
}
