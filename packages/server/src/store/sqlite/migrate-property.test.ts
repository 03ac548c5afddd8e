import { DatabaseSync } from 'node:sqlite'
import {
  type AnyField,
  type AnyNoun,
  choice,
  date,
  decimal,
  email,
  flag,
  guid,
  identity,
  integer,
  link,
  noun,
  number,
  reference,
  text,
  timestamp,
} from '@nomen/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelOfNouns } from '../../../test/model-of-nouns.ts'
import { contents, rows } from '../../../test/temporary-database.ts'
import { MigrationError } from '../migration-error.ts'
import type { Model } from '../model.ts'
import { migrate } from './migrate.ts'

/** Each kind of field with a default of it, and two values as they are stored. */
const kinds: Record<string, { make: () => AnyField; default: never; values: readonly unknown[] }> = {
  integer: { make: integer, default: 7 as never, values: [1, 2] },
  number: { make: number, default: 1.5 as never, values: [1, 2.5] },
  cents: { make: () => decimal({ scale: 2 }), default: '1.50' as never, values: [100, 255] },
  mills: { make: () => decimal({ scale: 3 }), default: '0.125' as never, values: [1000, 1] },
  text: { make: text, default: "it's, so" as never, values: ['1', 'ß'] },
  email: { make: email, default: 'x@y.z' as never, values: ['a@b.c', 'd@e.f'] },
  guid: { make: guid, default: guidOf(9) as never, values: [guidOf(1), guidOf(2)] },
  flag: { make: flag, default: true as never, values: [0, 1] },
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
  from: fc.option(fc.constantFrom(...fieldNames), { nil: undefined, freq: 3 }),
  isTaken: fc.boolean(),
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
        fieldNames.flatMap((property) => [[property, pick(property)]]).filter(([, given]) => given),
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
  const made = new Map<string, AnyNoun>()
  for (const [name, { isGuid, fields, isPairUnique }] of Object.entries(nouns)) {
    const own = Object.fromEntries(
      Object.entries(fields).map(([property, given]) => [
        property,
        fieldOf(given, property, fields, () => made.get(present[given.target % present.length] ?? '') as AnyNoun),
      ]),
    )
    const pair = Object.keys(fields).slice(0, 2)
    const id = isGuid ? identity('guid') : identity()
    made.set(
      name,
      noun(
        name,
        { id, ...own } as Record<string, AnyField>,
        isPairUnique && pair.length === 2 ? { unique: [pair] } : {},
      ),
    )
  }
  const where = (test: (given: Part) => boolean) =>
    Object.entries(nouns).flatMap(([name, { fields }]) =>
      Object.entries(fields).flatMap(([property, given]) => (test(given) ? [`${name}.${property}`] : [])),
    )
  const [first, second] = [...made.values()]
  return modelOfNouns([...made.values()], {
    filtered: where(({ isFiltered }) => isFiltered),
    searched: where(({ kind, isSearched }) => isSearched && (kind === 'text' || kind === 'email')),
    links: isLinked && first && second ? [link(first, second)] : [],
  })
}

function fieldOf(given: Part, property: string, fields: Record<string, Part>, target: () => AnyNoun): AnyField {
  const kind = kinds[given.kind]
  let made: AnyField = kind ? kind.make() : reference(target)
  if (given.isNullable) made = made.nullable()
  if (given.isUnique) made = made.unique()
  if (kind && given.hasDefault) made = made.default(kind.default)
  const { from } = given
  if (from === undefined || from === property) return made
  const source = from < property ? fields[from] : undefined
  const isFit = source?.kind === given.kind && (given.isNullable || !source.isNullable)
  return given.isTaken && isFit ? made.defaultFrom(from) : made.renamedFrom(from)
}

/** Two records of every noun, all pointing at each other. */
function fill(database: DatabaseSync, { nouns, isLinked }: Declaration): void {
  const present = Object.keys(nouns)
  const idOf = (name: string | undefined, count: number) => (nouns[name ?? '']?.isGuid ? guidOf(count) : count)
  database.exec('BEGIN; PRAGMA defer_foreign_keys = ON')
  for (const [name, { fields }] of Object.entries(nouns)) {
    for (const count of [1, 2]) {
      const values: Record<string, unknown> = { id: idOf(name, count) }
      for (const [property, given] of Object.entries(fields)) {
        const value = kinds[given.kind]?.values[count - 1] ?? idOf(present[given.target % present.length], count)
        values[property] = given.isNullable && given.isTaken && count === 2 ? null : value
        const isFolded = given.isSearched && (given.kind === 'text' || given.kind === 'email')
        if (isFolded) values[`${property}_folded`] = values[property]
      }
      const columns = Object.keys(values).map((column) => `"${column}"`)
      const marks = columns.map(() => '?')
      database
        .prepare(`INSERT INTO "${name}" (${columns}) VALUES (${marks})`)
        .run(...(Object.values(values) as never[]))
    }
  }
  const [first, second] = present
  if (isLinked && first && second) {
    database.prepare(`INSERT INTO "${first}-${second}" VALUES (?, ?)`).run(idOf(first, 1), idOf(second, 2))
  }
  database.exec('COMMIT')
}

/** The schema without the order of columns, and without the defaults by which columns were added. */
function schemaOf(database: DatabaseSync): readonly unknown[] {
  return rows(
    database,
    `SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY name`,
  ).map(({ name, sql }) => {
    const plain = `${sql}`.replace(/(?<!"_version" INTEGER NOT NULL) DEFAULT (?:'(?:[^']|'')*'|[-\d.]+)/g, '')
    const inner = plain.slice(plain.indexOf('(') + 1, plain.lastIndexOf(')'))
    const isTable = plain.startsWith('CREATE TABLE')
    const parts = inner.split(',').map((column) => column.trim())
    return [
      name,
      plain.slice(0, plain.indexOf('(')).trim(),
      isTable ? parts.sort() : parts,
      plain.slice(plain.lastIndexOf(')')),
    ]
  })
}

function open(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA foreign_keys = ON')
  return database
}

function freshSchema(model: Model): readonly unknown[] {
  const database = open()
  migrate(database, model, 'start')
  return schemaOf(database)
}

describe('a migration from any declaration to any other', () => {
  it('gives the schema of a fresh database, where there are no records', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(declaration, declaration, (one, other) => {
        const database = open()
        migrate(database, modelOf(one), 'start')
        for (const next of [other, one]) {
          migrate(database, modelOf(next), 'apply')
          expect(schemaOf(database)).toEqual(freshSchema(modelOf(next)))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('keeps every record and every reference, or changes nothing and says why', { timeout: 60_000 }, () => {
    let [converted, refused] = [0, 0]
    fc.assert(
      fc.property(history, ({ one, other }) => {
        const database = open()
        migrate(database, modelOf(one), 'start')
        fill(database, one)
        const before = contents(database)
        const plan = migrate(database, modelOf(other), 'plan')
        expect(contents(database)).toBe(before)
        try {
          migrate(database, modelOf(other), 'apply')
        } catch (error) {
          if (!(error instanceof MigrationError)) throw error
          refused++
          expect(plan.obstacles).not.toEqual([])
          expect(contents(database)).toBe(before)
          return
        }
        converted++
        expect(plan.obstacles).toEqual([])
        expect(schemaOf(database)).toEqual(freshSchema(modelOf(other)))
        expect(rows(database, 'PRAGMA foreign_key_check')).toEqual([])
        expect(rows(database, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
        for (const name of Object.keys(other.nouns)) {
          expect(rows(database, `SELECT id FROM "${name}"`)).toHaveLength(name in one.nouns ? 2 : 0)
        }
      }),
      { numRuns: 200 },
    )

    expect(Math.min(converted, refused)).toBeGreaterThan(10)
  })
})
