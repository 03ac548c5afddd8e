/** The behavior of every database when a migration is applied on request. */
import {
  type AnyField,
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
import { describe, expect, it } from 'vitest'
import { type MigratedDatabase, ownTableNames } from './migrated-database.ts'
import { modelOfNouns, type Use } from './model-of-nouns.ts'

const department = noun('department', { id: identity(), name: text() })
const team = noun('team', { id: identity(), name: text() })
const aGuid = '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'

function modelOf(fields: Record<string, AnyField>, use: Use = {}) {
  return modelOfNouns([noun('user', { id: identity(), ...fields }), department, team], use)
}

/** Conversions: title, old and new field, old and new value. */
const conversions: [string, AnyField, AnyField, Value, Value][] = [
  ['integer to text', integer(), text(), -42, '-42'],
  ['text to integer', text(), integer(), '-42', -42],
  ['integer to number', integer(), number(), 3, 3],
  ['number to integer', number(), integer(), 3, 3],
  ['number to text', number(), text(), 0.1, '0.1'],
  ['a whole number to text', number(), text(), 7, '7'],
  ['a large whole number to text', number(), text(), 9007199254740991, '9007199254740991'],
  ['text to number', text(), number(), '2.5', 2.5],
  ['integer to decimal', integer(), decimal({ scale: 2 }), -3, '-3.00'],
  ['decimal to integer', decimal({ scale: 2 }), integer(), '-3.00', -3],
  ['decimal to a larger scale', decimal({ scale: 2 }), decimal({ scale: 4 }), '1.50', '1.5000'],
  ['decimal to a smaller scale', decimal({ scale: 4 }), decimal({ scale: 2 }), '1.5000', '1.50'],
  ['decimal to text', decimal({ scale: 2 }), text(), '-0.05', '-0.05'],
  ['text to decimal', text(), decimal({ scale: 3 }), '-12.5', '-12.500'],
  ['decimal to number', decimal({ scale: 2 }), number(), '19.99', 19.99],
  ['number to decimal', number(), decimal({ scale: 2 }), 19.99, '19.99'],
  ['a large number to decimal', number(), decimal({ scale: 0 }), 9007199254740991, '9007199254740991'],
  ['flag to text', boolean(), text(), true, 'true'],
  ['text to flag', text(), boolean(), 'false', false],
  ['flag to integer', boolean(), integer(), true, 1],
  ['integer to flag', integer(), boolean(), 0, false],
  ['date to timestamp', date(), timestamp(), '2026-11-15', '2026-11-15T00:00:00.000Z'],
  ['midnight to date', timestamp(), date(), '2026-11-15T00:00:00.000Z', '2026-11-15'],
  ['date to text', date(), text(), '2026-11-15', '2026-11-15'],
  ['text to date', text(), date(), '2026-11-15', '2026-11-15'],
  ['timestamp to text', timestamp(), text(), '2026-11-15T01:02:03.040Z', '2026-11-15T01:02:03.040Z'],
  ['text to timestamp', text(), timestamp(), '2026-11-15T01:02:03.040Z', '2026-11-15T01:02:03.040Z'],
  ['text to e-mail', text(), email(), 'a@b.c', 'a@b.c'],
  ['choice to text', choice('A'), text(), 'A', 'A'],
  ['text to choice', text(), choice('A', 'B'), 'B', 'B'],
  ['text to guid', text(), guid(), aGuid, aGuid],
  ['reference to integer', reference(() => department), integer(), 5, 5],
  ['integer to reference', integer(), reference(() => department), 5, 5],
]

/** Impossible conversions: title, old and new field, stored values, and the message. */
const rejections: [string, AnyField, AnyField, Value[], string][] = [
  [
    'text that is not an integer',
    text(),
    integer(),
    ['1', '01', 'x'],
    '2 values cannot become integer, such as "01" (id 2)',
  ],
  ['an integer beyond the safe ones', text(), integer(), ['9007199254740993'], '1 value cannot become integer'],
  ['a fraction as integer', number(), integer(), [1.5], '1 value cannot become integer, such as "1.5" (id 1)'],
  [
    'a scale that would cut',
    decimal({ scale: 2 }),
    decimal({ scale: 1 }),
    ['1.50', '1.55'],
    '1 value cannot become decimal of scale 1, such as "1.55" (id 2)',
  ],
  [
    'a scale that has no room',
    decimal({ scale: 2 }),
    decimal({ scale: 2 + 14 }),
    ['100.00'],
    '1 value cannot become decimal of scale 16',
  ],
  [
    'more digits than every database writes alike',
    number(),
    decimal({ scale: 6 }),
    [123456789012.3456],
    '1 value cannot become',
  ],
  ['an hour as date', timestamp(), date(), ['2026-11-15T01:00:00.000Z'], '1 value cannot become date'],
  ['text that is not a date', text(), date(), ['2026-02-30'], '1 value cannot become date, such as "2026-02-30"'],
  ['text that is not an email address', text(), email(), ['a'], '1 value cannot become email, such as "a"'],
  [
    'a value outside the choice',
    choice('A', 'B'),
    choice('A'),
    ['A', 'B'],
    '1 value cannot become one of its choices, such as "B"',
  ],
  [
    'another target',
    reference(() => department),
    reference(() => team),
    [5],
    '1 value cannot become reference to "team" by integer',
  ],
  [
    'a reference to nothing',
    integer(),
    reference(() => department),
    [5, 6],
    '1 value would refer to a missing "department", such as "6"',
  ],
  ['a field without a conversion', boolean(), date(), [true], '1 value cannot become date, such as "true"'],
]

/** `open` gives an empty database, which is gone when the test is. */
export function migrationApplySuite(open: () => Promise<MigratedDatabase>): void {
  /** Users with one field. */
  async function usersWith(field: AnyField, ...values: readonly Value[]) {
    const database = await open()
    const model = modelOf({ it: field })
    await database.migrate(model, 'start')
    await database.insert(model, 'department', { id: 5, name: 'Sales' })
    await database.insert(model, 'team', { id: 5, name: 'Blue' })
    for (const value of values) await database.insert(model, 'user', { it: value })
    return database
  }

  async function rejectedApply(database: MigratedDatabase, fields: Record<string, AnyField>): Promise<string> {
    const before = await database.contents()
    const error = await database.migrate(modelOf(fields), 'apply').catch((thrown: unknown) => thrown)
    expect(await database.contents()).toBe(before)
    return (error as Error).message
  }

  describe('apply converts', () => {
    it.each(conversions)('%s', async (_, before, after, value, converted) => {
      const database = await usersWith(before.nullable(), value, null)
      const model = modelOf({ it: after.nullable() }, { indexed: ['user.it'] })
      await database.migrate(model, 'apply')
      expect(await database.records(model, 'user', 'it')).toEqual([{ it: converted }, { it: null }])
      expect((await database.migrate(model, 'start')).changes).toEqual([])
    })

    it('a decimal of eighteen digits without loss', async () => {
      const [all, pay] = ['9999999999999999.99', decimal({ precision: 18, scale: 2 })]
      const database = await usersWith(pay, all)
      for (const field of [text(), pay]) {
        await database.migrate(modelOf({ it: field }), 'apply')
        expect(await database.records(modelOf({ it: field }), 'user', 'it')).toEqual([{ it: all }])
      }
    })

    it('a string that is searched and unique, and a field that takes its default from it', async () => {
      const database = await usersWith(integer(), 7, 8)
      const fields = { it: text().unique(), copy: text().defaultFrom('it') }
      const model = modelOf(fields, { searched: ['user.it', 'user.copy'] })
      await database.migrate(model, 'apply')
      expect(await database.records(model, 'user', 'it', 'it_folded', 'copy', 'copy_folded')).toEqual([
        { it: '7', it_folded: '7', copy: '7', copy_folded: '7' },
        { it: '8', it_folded: '8', copy: '8', copy_folded: '8' },
      ])
      await expect(database.run(`update "user" set it = 'x'`)).rejects.toThrow(/unique/i)
    })

    it('more records than one batch', async () => {
      const database = await usersWith(text())
      const values = [...Array.from({ length: 5001 }, (_, at) => `${at}`), 'É']
      await database.run(`insert into "user" (it) values ${values.map((value) => `('${value}')`)}`)
      expect(await rejectedApply(database, { it: integer() })).toContain(
        '1 value cannot become integer, such as "É" (id 5002)',
      )
      await database.run(`update "user" set it = 'É'`)
      const model = modelOf({ it: text() }, { searched: ['user.it'] })
      await database.migrate(model, 'apply')
      const folds = (await database.records(model, 'user', 'it_folded')).map(({ it_folded }) => it_folded)
      expect([folds.length, ...new Set(folds)]).toEqual([5002, 'é'])
    })
  })

  describe('apply rejects without changes', () => {
    it.each(rejections)('%s', async (_, before, after, values, message) => {
      const database = await usersWith(before, ...values)
      expect(await rejectedApply(database, { it: after })).toContain(`field "it" of "user": ${message}`)
      await database.run('delete from "user"')
      await database.migrate(modelOf({ it: after }), 'apply')
    })

    it('a required field without default', async () => {
      const database = await usersWith(text(), 'x')
      expect(await rejectedApply(database, { it: text(), more: text() })).toContain(
        'field "more" of "user": 1 record would have no value',
      )
    })

    it('another identity, unless the table is empty', async () => {
      const database = await usersWith(text(), 'x')
      const selfReferencing = noun('user', {
        id: identity('guid'),
        it: text(),
        of: reference((): typeof selfReferencing => selfReferencing).nullable(),
      })
      const guids = modelOfNouns([selfReferencing, department, team])
      await expect(database.migrate(guids, 'apply')).rejects.toThrow(
        'field "id" of "user": 1 value cannot become guid identity',
      )
      const moved = modelOfNouns([noun('user', { key: identity(), id: integer(), it: text() }), department, team])
      await expect(database.migrate(moved, 'apply')).rejects.toThrow('the identity cannot change, because there')
      await database.run('delete from "user"')
      await database.migrate(guids, 'apply')
      await database.insert(guids, 'user', { id: aGuid, it: 'x', of: aGuid })
    })

    it('links whose identities change, unless there are none', async () => {
      const [first, second] = [noun('user', { id: identity() }), noun('user', { id: identity('guid') })]
      const database = await open()
      const model = modelOfNouns([first, team], { links: [link(first, team)] })
      await database.migrate(model, 'start')
      await database.insert(model, 'user', { id: 1 })
      await database.insert(model, 'team', { id: 1, name: '1' })
      await database.run('insert into "user-team" values (1, 1)')
      const after = modelOfNouns([second, team], { links: [link(second, team)] })
      await expect(database.migrate(after, 'apply')).rejects.toThrow(
        'link "user-team": an ID has another type, and 1 pair cannot be converted',
      )
      await database.run('delete from "user-team"')
      await database.run('delete from "user"')
      await database.migrate(after, 'apply')
      await database.insert(after, 'user', { id: aGuid })
      await database.run(`insert into "user-team" values ('${aGuid}', 1)`)
      await expect(database.run(`insert into "user-team" values ('${aGuid}', 2)`)).rejects.toThrow(/foreign key/i)
    })
  })

  describe('apply drops declarations that were removed', () => {
    it('a field with its index and search column, and an unsafe change with the safe ones', async () => {
      const database = await open()
      const use = { indexed: ['user.gone'], searched: ['user.gone'] }
      const before = modelOf({ gone: text(), kept: text(), at: reference(() => team).nullable() }, use)
      await database.migrate(before, 'start')
      await database.insert(before, 'user', { gone: 'a', gone_folded: 'a', kept: 'b' })
      const after = modelOf({ kept: text(), added: boolean().default(true) })
      const report = await database.migrate(after, 'apply')
      expect(report.steps.map(({ sentence, isSafe }) => [sentence, isSafe])).toEqual([
        ['add field "added" to "user", drop field "gone" of "user", drop field "at" of "user"', false],
        ['record the schema', true],
      ])
      expect(await database.columns('user')).toEqual(['id', 'kept', '_version', 'added'])
      expect(await database.records(after, 'user', 'id', 'kept', '_version', 'added')).toEqual([
        { id: 1, kept: 'b', _version: 1, added: true },
      ])
    })

    it('a noun and a link, also if a new one takes the name', async () => {
      const database = await open()
      const user = noun('user', { id: identity() })
      const model = modelOfNouns([user, team], { links: [link(user, team)] })
      await database.migrate(model, 'start')
      await database.insert(model, 'user', { id: 1 })
      await database.insert(model, 'team', { id: 1, name: '1' })
      await database.run('insert into "user-team" values (1, 1)')
      const pair = noun('user-team', { id: identity(), since: text() })
      const after = modelOfNouns([user, pair])
      await database.migrate(after, 'apply')
      expect(await database.tables()).toEqual([...ownTableNames, 'user', 'user-team'])
      await database.insert(after, 'user-team', { since: 'now' })
    })

    it('nouns that reference each other', async () => {
      const [first, second] = [
        noun('hen', { id: identity(), from: reference(() => second).nullable() }),
        noun('egg', { id: identity(), from: reference((): typeof first => first).nullable() }),
      ]
      const database = await open()
      await database.migrate(modelOfNouns([first, second, team]), 'start')
      await database.migrate(modelOfNouns([team]), 'apply')
      expect(await database.tables()).toEqual([...ownTableNames, 'team'])
    })
  })

  describe('a changed table', () => {
    const person = noun('person', { id: identity(), name: text(), boss: reference(() => person).nullable() })
    const freed = noun('person', { id: identity(), name: text().nullable(), boss: reference(() => freed).nullable() })
    const child = (parent: () => typeof person | typeof freed) =>
      noun('child', { id: identity(), of: reference(parent) })
    const before = modelOfNouns([person, child(() => person)])
    const after = modelOfNouns([freed, child(() => freed)])

    async function family() {
      const database = await open()
      await database.migrate(before, 'start')
      for (const name of ['a', 'b', 'c']) await database.insert(before, 'person', { name })
      await database.run('update person set boss = 2 where id = 1')
      await database.run('delete from person where id = 3')
      await database.insert(before, 'child', { of: 1 })
      return database
    }

    it('never assigns the identity of a deleted record again', async () => {
      const database = await family()
      await database.migrate(after, 'start')
      await database.insert(after, 'person', { name: 'd' })
      expect(await database.records(after, 'person', 'id')).toEqual([{ id: 1 }, { id: 2 }, { id: 4 }])
    })

    it('never does so after all its records were deleted', async () => {
      const database = await family()
      await database.run('delete from child')
      await database.run('update person set boss = null')
      await database.run('delete from person')
      await database.migrate(after, 'start')
      await database.insert(after, 'person', { name: 'd' })
      expect(await database.records(after, 'person', 'id')).toEqual([{ id: 4 }])
    })

    it('never does so after the identity became another field', async () => {
      const database = await family()
      await database.run('delete from child')
      await database.run('update person set boss = null')
      await database.run('delete from person')
      const moved = noun('person', { key: identity(), name: text(), boss: reference(() => moved).nullable() })
      const model = modelOfNouns([moved, noun('child', { id: identity(), of: reference(() => moved) })])
      await database.migrate(model, 'apply')
      await database.insert(model, 'person', { name: 'd' })
      expect(await database.records(model, 'person', 'key')).toEqual([{ key: 4 }])
      await database.insert(model, 'child', { of: 4 })
      await expect(database.run('delete from person')).rejects.toThrow(/foreign key/i)
    })

    it('is still referenced by other records and its own', async () => {
      const database = await family()
      await database.migrate(after, 'start')
      await database.check()
      await expect(database.run('delete from person where id = 1')).rejects.toThrow(/foreign key/i)
      await expect(database.run('delete from person where id = 2')).rejects.toThrow(/foreign key/i)
    })

    it('keeps versions', async () => {
      const database = await family()
      await database.run('update person set _version = 7 where id = 1')
      await database.migrate(after, 'start')
      expect(await database.records(after, 'person', '_version')).toEqual([{ _version: 7 }, { _version: 1 }])
    })
  })
}
