import { choice, identity, integer, link, noun, reference, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { modelOfNouns, type Use } from '../../../test/model-of-nouns.ts'
import { migrationOf } from './migration.ts'
import { schemaOf } from './schema/model-schema.ts'
import { withAdopted } from './schema/schema.ts'
import { readSnapshot, snapshotFormat, writeSnapshot } from './schema/snapshot.ts'

type Fields = Parameters<typeof noun>[1]

const team = noun('team', { id: identity() })

function schemaWith(fields: Fields, use?: Use) {
  return schemaOf(modelOfNouns([noun('user', { id: identity(), ...fields }), team], use))
}

function changes(before: Fields, after: Fields, use: readonly [Use?, Use?] = []) {
  const migration = migrationOf(schemaWith(before, use[0]), schemaWith(after, use[1]))
  return migration.map(({ kind, sentence, isSafe }) => `${isSafe ? 'safe' : 'unsafe'} ${kind}: ${sentence}`)
}

describe('schemaOf', () => {
  it('is plain data that survives a snapshot, except for renames', () => {
    const fields = { at: reference(() => team), age: integer({ min: 1 }).default(2), mood: choice('A', 'B') }
    const user = noun('user', { id: identity(), ...fields }, { unique: [['age', 'mood'], ['mood']] })
    const use = { indexed: ['user.mood', 'user.age'], links: [link(user, team)] }
    const schema = schemaOf(modelOfNouns([user, team], use))
    expect(readSnapshot({ format: snapshotFormat, snapshot: writeSnapshot(schema) })).toEqual(schema)
    // A reference is looked up when its target is deleted; a unique field already has an index.
    expect(schema.nouns[0]).toMatchObject({ indexed: ['at', 'age'], unique: [['age', 'mood'], ['mood']] })
    const renamed = schemaWith({ age: integer().renamedFrom('years') })
    expect(readSnapshot({ format: snapshotFormat, snapshot: writeSnapshot(renamed) })).toEqual(
      schemaWith({ age: integer() }),
    )
  })

  it('rejects names that a database cannot tell apart', () => {
    expect(() => schemaWith({ homeTown: text(), hometown: text() })).toThrow('"homeTown" and "hometown" differ only in')
    const user = noun('user', { id: identity() })
    const pair = noun('user-team', { id: identity() })
    expect(() => schemaOf(modelOfNouns([user, team, pair], { links: [link(user, team)] }))).toThrow('link "user-team"')
  })
})

describe('migrationOf', () => {
  it("rejects a table with the name of another table's index, unless that table is adopted", () => {
    const user = noun('user', { id: identity(), role: text(), key: text().unique() })
    const use = { indexed: ['user.role'] }
    const schemaBeside = (table: string) =>
      schemaOf(modelOfNouns([user, noun('other', { id: identity() }, { table })], use))
    for (const table of ['user_role', 'USER_role', 'user_key_unique', 'user_primary_key', 'user_id_seq'])
      expect(() => migrationOf(undefined, schemaBeside(table))).toThrow(
        `noun "other": its table "${table}" has the same name as`,
      )
    expect(migrationOf(undefined, schemaBeside('user_roles'))).toHaveLength(2)
    const adopted = withAdopted(schemaBeside('user_role'), undefined, new Set(['user', 'user_role']))
    expect(() => migrationOf(undefined, adopted)).not.toThrow()
  })

  it('finds no change between a schema and itself, in any order of fields', () => {
    expect(changes({ one: text(), two: text() }, { two: text(), one: text() })).toEqual([])
  })

  it('uses the new names of fields', () => {
    const use = [{ indexed: ['user.old'] }, { searched: ['user.now'] }] as const
    expect(changes({ old: text() }, { now: text().nullable().renamedFrom('old') }, use)).toEqual([
      'unsafe rename-field: rename field "old" of "user" to "now"',
      'safe make-nullable: make field "now" of "user" nullable',
      'safe drop-index: drop the index on "now" of "user"',
      'safe add-search: make "now" of "user" searchable',
    ])
  })

  it('does not list the indexes of a field that is added or dropped', () => {
    const use = [{ indexed: ['user.gone'] }, { searched: ['user.come'] }] as const
    expect(changes({ gone: text().unique() }, { come: text().unique().default('') }, use)).toEqual([
      'safe add-field: add field "come" to "user"',
      'unsafe drop-field: drop field "gone" of "user"',
    ])
  })

  it('lists a unique set whose fields are added or dropped', () => {
    const id = identity()
    const before = noun('user', { id, one: text(), two: text() }, { unique: [['one', 'two']] })
    const after = noun('user', { id, two: text(), three: text().nullable() }, { unique: [['two', 'three']] })
    const migration = migrationOf(schemaOf(modelOfNouns([before])), schemaOf(modelOfNouns([after])))
    expect(migration.map(({ sentence }) => sentence)).toEqual([
      'add field "three" to "user"',
      'make "two" with "three" of "user" unique',
      'remove the unique constraint on a dropped field with "two" of "user"',
      'drop field "one" of "user"',
    ])
  })

  it.each<[string, Fields, Fields, readonly string[]]>([
    ['a name that was there already', { one: text(), two: text() }, { two: text().renamedFrom('one') }, ['drop-field']],
    [
      'a name that is still in use',
      { one: text() },
      { one: text(), two: text().default('').renamedFrom('one') },
      ['add-field'],
    ],
    ['a name that was never there', {}, { two: text().default('').renamedFrom('one') }, ['add-field']],
    [
      'names that were swapped',
      { one: text(), two: text() },
      { one: text().renamedFrom('two'), two: text().renamedFrom('one') },
      [],
    ],
    [
      'a name that another has taken',
      { one: text() },
      { two: text().renamedFrom('one'), three: text().default('').renamedFrom('one') },
      ['rename-field', 'add-field'],
    ],
  ])('does not treat as a rename: %s', (_, before, after, kinds) => {
    const migration = migrationOf(schemaWith(before), schemaWith(after))
    expect(migration.map(({ kind }) => kind)).toEqual(kinds)
  })
})
