/** Changes that a start makes by itself, and the tallies after them. */
import {
  type AnyField,
  boolean,
  choice,
  decimal,
  email,
  identity,
  integer,
  link,
  noun,
  number,
  reference,
  text,
  timestamp,
} from '@nomen/core'
import { describe, expect, it } from 'vitest'
import type { MigratedDatabase } from '../migrated-database.ts'
import { modelOfNouns } from '../model-of-nouns.ts'
import { department, kinds, userDatabase, userModel } from './user-database.ts'

export function safeChangeSuite(open: () => Promise<MigratedDatabase>): void {
  const databaseOf = userDatabase(open)

  describe('a safe change at start', () => {
    it('adds a nullable field', async () => {
      const database = await databaseOf({ name: text() }, [{ name: 'Ada' }])
      const model = userModel({ name: text(), nickname: text().nullable() })
      const report = await database.migrate(model, 'start')
      expect(report.steps.map(({ sentence, isSafe }) => [sentence, isSafe])).toEqual([
        ['add field "nickname" to "user"', true],
        ['record the schema', true],
      ])
      expect(await database.records(model, 'user', 'name', 'nickname')).toEqual([{ name: 'Ada', nickname: null }])
    })

    it.each([
      text().default("O'Neil"),
      text().nullable().default('x'),
      boolean().default(true),
      decimal({ scale: 2 }).default('-1.50'),
      number().default(2),
      integer().default(-7),
      timestamp().default('2026-01-01T00:00:00.000Z'),
    ])('sets the default of a new field in existing records (%#)', async (field) => {
      const database = await databaseOf({ name: text() }, [{ name: 'Ada' }])
      const model = userModel({ name: text(), added: field })
      await database.migrate(model, 'start')
      expect(await database.records(model, 'user', 'added')).toEqual([{ added: field.spec.default }])
    })

    it('copies the field that a new one takes its default from', async () => {
      const database = await databaseOf({ email: email().unique() }, [{ email: 'a@b.c' }, { email: 'd@e.f' }])
      const model = userModel({ email: email().unique(), username: text().unique().defaultFrom('email') })
      await database.migrate(model, 'start')
      expect(await database.records(model, 'user', 'email', 'username')).toEqual([
        { email: 'a@b.c', username: 'a@b.c' },
        { email: 'd@e.f', username: 'd@e.f' },
      ])
    })

    it('copies from a field that is renamed, and folds the copy', async () => {
      const database = await databaseOf({ name: text() }, [{ name: 'ÄDA' }])
      const fields = { label: text().renamedFrom('name'), alias: text().defaultFrom('label') }
      const model = userModel(fields, { searched: ['user.alias'] })
      await database.migrate(model, 'apply')
      expect(await database.records(model, 'user', 'label', 'alias', 'alias_folded')).toEqual([
        { label: 'ÄDA', alias: 'ÄDA', alias_folded: 'äda' },
      ])
    })

    it('adds a noun, a reference to it and a link', async () => {
      const database = await databaseOf({ name: text() }, [{ name: 'Ada' }])
      const team = noun('team', { id: identity() })
      const user = noun('user', { id: identity(), name: text(), team: reference(() => team).nullable() })
      const model = modelOfNouns([user, department, team], { links: [link(user, team)] })
      expect(kinds(await database.migrate(model, 'start'))).toEqual(['add-field', 'add-noun', 'add-link'])
      await database.run('insert into team (id) values (3)')
      await database.run('insert into "user-team" values (1, 3)')
      await database.run('update "user" set team = 3')
      await expect(database.run('update "user" set team = 4')).rejects.toThrow(/foreign key/i)
      await expect(database.run('insert into "user-team" values (1, 4)')).rejects.toThrow(/foreign key/i)
    })

    it('requires a shared reference of links, unless existing links violate it', async () => {
      const team = noun('team', { id: identity(), department: reference(() => department).column('dept') })
      const user = noun('user', { id: identity(), department: reference(() => department).nullable() })
      const linked = (sharing?: 'department') =>
        modelOfNouns([user, department, team], { links: [link(user, team, sharing && { sharing })] })
      const database = await open()
      await database.migrate(linked(), 'start')
      for (const name of ['One', 'Two']) await database.insert(linked(), 'department', { name })
      await database.run('insert into "user" (department, _version) values (1, 1), (2, 1), (null, 1)')
      await database.run('insert into team (dept, _version) values (1, 1), (2, 1)')
      await database.run('insert into "user-team" values (1, 1), (2, 1), (3, 2)')
      await expect(async () => database.migrate(linked('department'), 'start')).rejects.toThrow(
        /link "user-team": 2 pairs do not have the same "department", such as user [23] and team [12]\./,
      )
      await database.run('delete from "user-team" where "user" = 2')
      const plan = await database.migrate(linked('department'), 'plan')
      expect(plan.obstacles).toEqual([
        'link "user-team": 1 pair does not have the same "department", such as user 3 and team 2.',
      ])
      await database.run('update "user" set department = 2 where id = 3')
      const report = await database.migrate(linked('department'), 'start')
      expect(report.steps.map(({ sentence, sql }) => [sentence, sql.length])).toEqual([
        ['require the same "department" on both sides of link "user-team"', 0],
        ['record the schema', 1],
      ])
      expect((await database.migrate(linked('department'), 'start')).steps).toEqual([])
      expect(kinds(await database.migrate(linked(), 'start'))).toEqual(['share-link'])
      await database.run('insert into "user-team" values (1, 2)')
      await expect(async () => database.migrate(linked('department'), 'start')).rejects.toThrow('user 1 and team 2')
    })

    it('adds an index, and leaves one that is not declared to a contraction', async () => {
      const fields = { name: text(), age: integer() }
      const database = await databaseOf(fields, [], { indexed: ['user.age'] })
      const model = userModel(fields, { indexed: ['user.name'] })
      expect(kinds(await database.migrate(model, 'start'))).toEqual(['add-index'])
      expect(await database.indexes('user')).toEqual(['user_age', 'user_name'])
      expect(kinds(await database.migrate(model, 'contract'))).toEqual(['drop-index'])
      expect(await database.indexes('user')).toEqual(['user_name'])
    })

    it('adds, renames and drops a composite index', async () => {
      const modelWith = (fields: Record<string, AnyField>, ...indexes: readonly string[][]) =>
        modelOfNouns([noun('user', { id: identity(), ...fields } as Record<string, AnyField>, { indexes }), department])
      const fields = { age: integer(), name: text().indexed(), department: reference(() => department) }
      const database = await open()
      await database.migrate(modelWith(fields), 'start')
      const model = modelWith(fields, ['department', 'age'], ['age', 'name'])
      expect(kinds(await database.migrate(model, 'start'))).toEqual(['add-index', 'add-index'])
      const single = ['user_department', 'user_name']
      expect(await database.indexes('user')).toEqual(['user_age_name', ...single, 'user_department_age'].sort())
      expect((await database.migrate(model, 'start')).changes).toEqual([])
      const { age: _, ...others } = fields
      const renamed = modelWith({ ...others, years: integer().renamedFrom('age') }, ['department', 'years'])
      expect(kinds(await database.migrate(renamed, 'apply')).sort()).toEqual(['drop-index', 'rename-field'])
      expect(await database.indexes('user')).toEqual([...single, 'user_department_years'].sort())
      const fresh = await open()
      await fresh.migrate(renamed, 'start')
      expect(await database.schema()).toEqual(await fresh.schema())
    })

    it('folds existing records when a field becomes searchable, and drops the folded column afterwards', async () => {
      const fields = { name: text(), alias: text().nullable() }
      const rows = [
        { name: 'GROSS', alias: 'ß' },
        { name: 'ΟΔΟΣ', alias: null },
        { name: '', alias: 'İ' },
      ]
      const database = await databaseOf(fields, rows)
      const model = userModel(fields, { searched: ['user.name', 'user.alias'] })
      await database.migrate(model, 'start')
      expect(await database.records(model, 'user', 'name_folded', 'alias_folded')).toEqual([
        { name_folded: 'gross', alias_folded: 'ss' },
        { name_folded: 'οδοσ', alias_folded: null },
        { name_folded: '', alias_folded: 'i̇' },
      ])
      const { changes } = await database.migrate(userModel(fields), 'contract')
      expect(changes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['drop-search', 'drop-search']))
      expect(await database.columns('user')).toEqual(['id', 'name', 'alias', '_version'])
    })

    it('folds the default of a new field that is searched', async () => {
      const database = await databaseOf({ name: text() }, [{ name: 'Ada' }])
      const model = userModel({ name: text(), town: text().default("GIEßEN'S") }, { searched: ['user.town'] })
      await database.migrate(model, 'start')
      expect(await database.records(model, 'user', 'town', 'town_folded')).toEqual([
        { town: "GIEßEN'S", town_folded: "giessen's" },
      ])
    })

    it('renames a field with its index, folded column and uniqueness; the declaration can then drop renamedFrom', async () => {
      const use = (name: string) => ({ indexed: [`user.${name}`], searched: [`user.${name}`] })
      const rows = [{ mail: 'A@b.c', mail_folded: 'a@b.c' }]
      const database = await databaseOf({ mail: email().unique() }, rows, use('mail'))
      const model = userModel({ email: email().unique().renamedFrom('mail') }, use('email'))
      const report = await database.migrate(model, 'apply')
      expect(kinds(report)).toEqual(['rename-field'])
      expect(report.steps[0]?.sql.join().toLowerCase()).toContain('rename column "mail" to "email"')
      expect(await database.records(model, 'user', 'email', 'email_folded')).toEqual([
        { email: 'A@b.c', email_folded: 'a@b.c' },
      ])
      expect(await database.indexes('user')).toEqual(['user_email', 'user_email_unique'])
      expect((await database.migrate(model, 'start')).changes).toEqual([])
      const without = userModel({ email: email().unique() }, use('email'))
      expect((await database.migrate(without, 'start')).changes).toEqual([])
    })

    it('renames in a chain, with indexes and references', async () => {
      const at = () => reference(() => department).nullable()
      const fields = { one: text().unique(), two: text(), here: at(), there: at() }
      const use = { indexed: ['user.two'] }
      const database = await databaseOf(fields, [{ one: '1', two: '2' }], use)
      const renamed = {
        two: text().unique().renamedFrom('one'),
        three: text().renamedFrom('two'),
        there: at().renamedFrom('here'),
        yonder: at().renamedFrom('there'),
      }
      const model = userModel(renamed, { indexed: ['user.three'] })
      expect(new Set(kinds(await database.migrate(model, 'apply')))).toEqual(new Set(['rename-field']))
      expect(await database.records(model, 'user', 'two', 'three')).toEqual([{ two: '1', three: '2' }])
      expect(await database.indexes('user')).toEqual(['user_there', 'user_three', 'user_two_unique', 'user_yonder'])
      const fresh = await open()
      await fresh.migrate(model, 'start')
      expect(await database.schema()).toEqual(await fresh.schema())
    })

    it('renames an identity that other records reference', async () => {
      const database = await databaseOf({ department: reference(() => department) })
      await database.run(`insert into department (id, name) values (5, 'Sales')`)
      await database.run('insert into "user" (department) values (5)')
      const renamed = noun('department', { key: identity().renamedFrom('id'), name: text() })
      const user = noun('user', { id: identity(), department: reference(() => renamed) })
      const model = modelOfNouns([user, renamed])
      await database.migrate(model, 'apply')
      expect(await database.records(model, 'department', 'key')).toEqual([{ key: 5 }])
      await expect(database.run('delete from department')).rejects.toThrow(/foreign key/i)
    })

    it('makes a field nullable, and makes one required if every record has a value', async () => {
      const fields = { name: text(), alias: text().nullable() }
      const database = await databaseOf(fields, [{ name: 'Ada', alias: 'A' }])
      const model = userModel({ name: text().nullable(), alias: text() })
      expect(kinds(await database.migrate(model, 'start'))).toEqual(['make-nullable', 'merge-rules'])
      // The previous version may still write null.
      await database.run('update "user" set alias = null')
      await expect(async () => database.migrate(model, 'contract')).rejects.toThrow('1 record would have no value')
      await database.run(`update "user" set alias = 'A'`)
      expect(kinds(await database.migrate(model, 'contract'))).toContain('require-field')
      await expect(database.run('update "user" set alias = null')).rejects.toThrow(/not.null/i)
      await database.run('update "user" set name = null')
    })

    it('makes fields unique if all records allow it, and removes the constraint', async () => {
      const fields = { name: text(), town: text() }
      const row = { name: 'a', town: 'x' }
      const database = await databaseOf(fields, [row, { name: 'a', town: 'y' }])
      const model = userModel(fields, {}, { unique: [['name', 'town']] })
      expect(kinds(await database.migrate(model, 'start'))).toEqual(['add-unique'])
      expect(await database.indexes('user')).toEqual(['user_name_town_unique'])
      await expect(database.insert(model, 'user', row)).rejects.toThrow(/unique/i)
      expect(kinds(await database.migrate(userModel(fields), 'start'))).toEqual([])
      expect(kinds(await database.migrate(userModel(fields), 'contract'))).toEqual(['drop-unique'])
      await database.insert(model, 'user', row)
    })

    it('runs no SQL for new defaults, limits and choices, and stores them', async () => {
      const fields = { name: text(), pay: decimal({ precision: 12, scale: 2 }), status: choice('A', 'B') }
      const database = await databaseOf(fields, [{ name: 'abcdefg', pay: '1234567890.00', status: 'A' }])
      const model = userModel({
        name: text({ maxLength: 5 }).default('x'),
        pay: decimal({ precision: 6, scale: 2 }),
        status: choice('A', 'C', 'B'),
      })
      const report = await database.migrate(model, 'start')
      expect(kinds(report)).toEqual(['change-default', 'change-limits', 'change-limits', 'add-choice'])
      expect(report.steps.map(({ sql }) => sql.length)).toEqual([0, 1])
      expect((await database.migrate(model, 'start')).changes).toEqual([])
    })
  })

  describe('counted records', () => {
    it('stay counted under a renamed identity', async () => {
      const database = await databaseOf({ name: text() }, [{ name: 'Ada' }])
      const user = noun('user', { key: identity().renamedFrom('id'), name: text() })
      const model = modelOfNouns([user, department])
      await database.migrate(model, 'apply')
      await database.insert(model, 'user', { name: 'Bea' })
      await database.run(`delete from "user" where name = 'Ada'`)
      await database.insert(model, 'user', { name: 'Cid' })
      expect(await database.tallies('user')).toEqual({ '': 2 })
    })

    it('are counted by the field that has the name now', async () => {
      const use = { indexed: ['user.two'] }
      const database = await databaseOf({ one: boolean(), two: boolean() }, [{ one: true, two: false }], use)
      const model = userModel({ two: boolean().renamedFrom('one'), three: boolean().renamedFrom('two') }, use)
      await database.migrate(model, 'apply')
      expect(await database.tallies('user')).toEqual({ '': 1, 'two=1': 1 })
      await database.insert(model, 'user', { two: false, three: true })
      await database.run(`update "user" set two = three`)
      expect(await database.tallies('user')).toEqual({ '': 2, 'two=0': 1, 'two=1': 1 })
    })

    it('are counted by the values that a field has now', async () => {
      const use = { indexed: ['user.it'] }
      const database = await databaseOf({ it: boolean().nullable() }, [{ it: true }, { it: false }, { it: null }], use)
      const model = userModel({ it: choice('true', 'false').nullable() }, use)
      await database.migrate(model, 'apply')
      expect(await database.tallies('user')).toEqual({ '': 3, it: 1, 'it=true': 1, 'it=false': 1 })
      await database.run(`update "user" set it = 'true'`)
      expect(await database.tallies('user')).toEqual({ '': 3, 'it=true': 3 })
    })
  })
}
