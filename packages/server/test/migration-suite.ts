/** The behaviour that every database's migration must have at start and as a plan. */
import {
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
  type Value,
} from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { MigrationError } from '../src/store/migrate/error.ts'
import type { MigrationReport } from '../src/store/migrate/report.ts'
import type { Model } from '../src/store/model.ts'
import type { MigratedDatabase } from './migrated-database.ts'
import { modelOfNouns, type Use } from './model-of-nouns.ts'

const department = noun('department', { id: identity(), name: text() })

function userModel(fields: Parameters<typeof noun>[1], use: Use = {}, options = {}) {
  return modelOfNouns([noun('user', { id: identity(), ...fields }, options), department], use)
}

const kinds = (report: MigrationReport) => report.changes.map(({ kind }) => kind)

/** `open` gives an empty database, which is gone when the test is. */
export function migrationSuite(open: () => Promise<MigratedDatabase>): void {
  /** A database that was made for a first user, with records in it. */
  async function databaseOf(
    fields: Parameters<typeof noun>[1],
    records: readonly Readonly<Record<string, Value>>[] = [],
    use: Use = {},
  ) {
    const database = await open()
    const model = userModel(fields, use)
    await database.migrate(model, 'start')
    for (const record of records) await database.insert(model, 'user', record)
    return database
  }

  describe('a fresh database', () => {
    it('gets everything at start, and nothing at the next', async () => {
      const user = noun('user', {
        id: identity(),
        email: email().unique(),
        name: text(),
        department: reference(() => department).nullable(),
      })
      const model = modelOfNouns([user, department], {
        filtered: ['user.email', 'user.name'],
        searched: ['user.name'],
        links: [link(user, department)],
      })
      const database = await open()
      const report = await database.migrate(model, 'start')
      expect(report.isFresh).toBe(true)
      expect(report.steps.map(({ sentence }) => sentence)).toEqual([
        'prepare the empty database',
        'add noun "user"',
        'add noun "department"',
        'add link "user-department"',
        'remember the schema',
      ])
      expect(await database.tables()).toEqual([
        '_idempotency',
        '_schema',
        '_usage',
        '_usage_instance',
        'department',
        'user',
        'user-department',
      ])
      expect(await database.columns('user')).toEqual(['id', 'email', 'name', 'department', '_version', 'name_folded'])
      expect(await database.indexes('user')).toEqual([
        'user_department',
        'user_email',
        'user_email_unique',
        'user_name',
      ])
      expect(await database.indexes('user-department')).toEqual(['user-department_reverse'])
      const second = await database.migrate(model, 'start')
      expect(second).toEqual({ isFresh: false, changes: [], steps: [], obstacles: [] })
    })

    it('keeps e-mails apart without regard to ASCII case', async () => {
      const fields = { email: email().unique() }
      const database = await databaseOf(fields, [{ email: 'a@b.c' }])
      await expect(database.insert(userModel(fields), 'user', { email: 'A@B.C' })).rejects.toThrow(/unique/i)
    })

    it('knows nouns that point at each other, and at themselves', async () => {
      const [one, other] = [
        noun('hen', { id: identity(), from: reference(() => other), mother: reference(() => one) }),
        noun('egg', { id: identity('guid'), from: reference((): typeof one => one).nullable() }),
      ]
      const model = modelOfNouns([one, other])
      const database = await open()
      await database.migrate(model, 'start')
      const egg = '00000000-0000-4000-8000-000000000001'
      await database.insert(model, 'egg', { id: egg })
      await database.insert(model, 'hen', { id: 1, from: egg, mother: 1 })
      await expect(database.insert(model, 'hen', { id: 2, from: egg, mother: 3 })).rejects.toThrow(/foreign key/i)
    })
  })

  describe('names of the database', () => {
    const users = (fields: Parameters<typeof noun>[1], use: Use = {}) => userModel(fields, use, { table: 'users' })

    it('are those of the table, its columns and its indexes', async () => {
      const user = noun(
        'user',
        {
          id: identity().column('user_id'),
          firstName: text().column('first_name').unique(),
          department: reference(() => department).column('department_id'),
        },
        { table: 'users' },
      )
      const model = modelOfNouns([user, department], {
        searched: ['user.firstName'],
        links: [link(user, department, { table: 'memberships', columns: ['user_id', 'department_id'] })],
      })
      const database = await open()
      await database.migrate(model, 'start')
      expect(await database.tables()).toEqual(expect.arrayContaining(['department', 'memberships', 'users']))
      const columns = ['user_id', 'first_name', 'department_id', '_version', 'first_name_folded']
      expect(await database.columns('users')).toEqual(columns)
      expect(await database.columns('memberships')).toEqual(['user_id', 'department_id'])
      expect(await database.indexes('users')).toEqual([
        expect.stringMatching(/^users_department_id_[0-9a-f]{16}$/),
        expect.stringMatching(/^users_first_name_unique_[0-9a-f]{16}$/),
      ])
      expect((await database.migrate(model, 'start')).changes).toEqual([])
    })

    it('may be given another field, or another noun, without a change', async () => {
      const use = { filtered: ['user.open', 'user.zone'] }
      const zone = () => choice('A', 'B').column('zone_of')
      const database = await open()
      await database.migrate(users({ open: boolean().column('is_open'), zone: zone() }, use), 'start')
      await database.run("insert into users (is_open, zone_of, _version) values (true, 'A', 1)")
      const renamed = noun(
        'person',
        { id: identity(), area: zone(), isOpen: boolean().column('is_open') },
        { table: 'users' },
      )
      const model = modelOfNouns([renamed, department], { filtered: ['person.area', 'person.isOpen'] })
      expect((await database.migrate(model, 'start')).steps).toEqual([])
      expect(await database.tallies('users')).toEqual({ '': 1, 'is_open=1': 1, 'zone_of=A': 1 })
    })

    it('that change are a column that is renamed', async () => {
      const use = { filtered: ['user.open'], searched: ['user.name'] }
      const before = users({ name: text().column('called').unique(), open: boolean().column('is_open') }, use)
      const database = await open()
      await database.migrate(before, 'start')
      await database.run("insert into users (called, called_folded, is_open, _version) values ('Ada', 'ada', true, 1)")
      const after = users({ name: text().column('full_name').unique(), open: boolean() }, use)
      const report = await database.migrate(after, 'start')
      expect(report.steps.map(({ sentence }) => sentence)).toEqual([
        expect.stringContaining('rename the column of field "name" of "user" from "called" to "full_name"'),
        'remember the schema',
      ])
      expect(await database.records(after, 'users', 'full_name', 'full_name_folded')).toEqual([
        { full_name: 'Ada', full_name_folded: 'ada' },
      ])
      expect(await database.tallies('users')).toEqual({ '': 1, 'open=1': 1 })
      expect((await database.migrate(after, 'start')).steps).toEqual([])
    })

    it('that change are a column that is renamed in the table of a link too, with its pairs', async () => {
      const user = noun('user', { id: identity() })
      const linked = (columns?: [string, string]) =>
        modelOfNouns([user, department], { links: [link(user, department, columns && { columns })] })
      const [database, fresh] = [await open(), await open()]
      await database.migrate(linked(), 'start')
      await database.run('insert into "user" (_version) values (1)')
      await database.insert(linked(), 'department', { name: 'D' })
      await database.run('insert into "user-department" ("user", department) values (1, 1)')
      const after = linked(['user_id', 'department'])
      const report = await database.migrate(after, 'start')
      expect(report.steps.map(({ sentence }) => sentence)).toEqual([
        'rename the columns of link "user-department" from user and department to user_id and department',
        'remember the schema',
      ])
      await database.check()
      await database.run('insert into "user" (_version) values (1)')
      await database.run('insert into "user-department" (user_id, department) values (2, 1)')
      await expect(database.run('insert into "user-department" (user_id, department) values (2, 9)')).rejects.toThrow()
      await fresh.migrate(after, 'start')
      expect(await database.schema()).toEqual(await fresh.schema())
      await expect(async () => database.migrate(linked(['department', 'user_id']), 'apply')).rejects.toThrow('2 pairs')
    })

    it('are kept by a field that is renamed together with its column, by either of its names', async () => {
      const database = await open()
      await database.migrate(users({ name: text().column('called'), city: text().column('town') }), 'start')
      await database.run("insert into users (called, town, _version) values ('Ada', 'London', 1)")
      const title = text().column('title_of').renamedFrom('name')
      const after = users({ title, place: text().renamedFrom('town') })
      await database.migrate(after, 'start')
      expect(await database.records(after, 'users', 'title_of', 'place')).toEqual([
        { title_of: 'Ada', place: 'London' },
      ])
    })

    it('are refused where two nouns would share a table, or a field the column of a folded text', async () => {
      const database = await open()
      const other = noun('other', { id: identity() }, { table: 'Department' })
      const shared = 'noun "other": the table "Department" holds the records of "department" already.'
      await expect(async () => database.migrate(modelOfNouns([department, other]), 'plan')).rejects.toThrow(shared)
      const fields = { name: text(), other: text().column('name_folded') }
      const model = users(fields, { searched: ['user.name'] })
      await expect(async () => database.migrate(model, 'plan')).rejects.toThrow('noun "user"')
    })
  })

  describe('a safe change at start', () => {
    it('adds a nullable field', async () => {
      const database = await databaseOf({ name: text() }, [{ name: 'Ada' }])
      const model = userModel({ name: text(), nickname: text().nullable() })
      const report = await database.migrate(model, 'start')
      expect(report.steps.map(({ sentence, isSafe }) => [sentence, isSafe])).toEqual([
        ['add field "nickname" to "user"', true],
        ['remember the schema', true],
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
    ])('gives records that are there the default of a new field (%#)', async (field) => {
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
      await database.migrate(model, 'start')
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

    it('links only what shares a reference from now on, unless pairs are there that do not', async () => {
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
        /link "user-team": 2 pairs do not share "department", such as user [23] and team [12]\./,
      )
      await database.run('delete from "user-team" where "user" = 2')
      const plan = await database.migrate(linked('department'), 'plan')
      expect(plan.obstacles).toEqual([
        'link "user-team": 1 pair does not share "department", such as user 3 and team 2.',
      ])
      await database.run('update "user" set department = 2 where id = 3')
      const report = await database.migrate(linked('department'), 'start')
      expect(report.steps.map(({ sentence, sql }) => [sentence, sql.length])).toEqual([
        ['link only what shares "department" by "user-team"', 0],
        ['remember the schema', 1],
      ])
      expect((await database.migrate(linked('department'), 'start')).steps).toEqual([])
      expect(kinds(await database.migrate(linked(), 'start'))).toEqual(['share-link'])
      await database.run('insert into "user-team" values (1, 2)')
      await expect(async () => database.migrate(linked('department'), 'start')).rejects.toThrow('user 1 and team 2')
    })

    it('adds and drops indexes', async () => {
      const fields = { name: text(), age: integer() }
      const database = await databaseOf(fields, [], { filtered: ['user.age'] })
      const report = await database.migrate(userModel(fields, { filtered: ['user.name'] }), 'start')
      expect(kinds(report)).toEqual(['add-index', 'drop-index'])
      expect(await database.indexes('user')).toEqual(['user_name'])
    })

    it('folds the records that are there when a field becomes searched, and forgets the folds after', async () => {
      const fields = { name: text(), alias: text().nullable() }
      const given = [
        { name: 'GROSS', alias: 'ß' },
        { name: 'ΟΔΟΣ', alias: null },
        { name: '', alias: 'İ' },
      ]
      const database = await databaseOf(fields, given)
      const model = userModel(fields, { searched: ['user.name', 'user.alias'] })
      await database.migrate(model, 'start')
      expect(await database.records(model, 'user', 'name_folded', 'alias_folded')).toEqual([
        { name_folded: 'gross', alias_folded: 'ss' },
        { name_folded: 'οδοσ', alias_folded: null },
        { name_folded: '', alias_folded: 'i̇' },
      ])
      await expect(database.run('update "user" set name_folded = null')).rejects.toThrow(/not.null/i)
      expect(kinds(await database.migrate(userModel(fields), 'start'))).toEqual(['drop-search', 'drop-search'])
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

    it('renames a field with its index, its fold and its uniqueness, and needs the rename no longer', async () => {
      const use = (name: string) => ({ filtered: [`user.${name}`], searched: [`user.${name}`] })
      const given = [{ mail: 'A@b.c', mail_folded: 'a@b.c' }]
      const database = await databaseOf({ mail: email().unique() }, given, use('mail'))
      const model = userModel({ email: email().unique().renamedFrom('mail') }, use('email'))
      const report = await database.migrate(model, 'start')
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
      const use = { filtered: ['user.two'] }
      const database = await databaseOf(fields, [{ one: '1', two: '2' }], use)
      const renamed = {
        two: text().unique().renamedFrom('one'),
        three: text().renamedFrom('two'),
        there: at().renamedFrom('here'),
        yonder: at().renamedFrom('there'),
      }
      const model = userModel(renamed, { filtered: ['user.three'] })
      expect(new Set(kinds(await database.migrate(model, 'start')))).toEqual(new Set(['rename-field']))
      expect(await database.records(model, 'user', 'two', 'three')).toEqual([{ two: '1', three: '2' }])
      expect(await database.indexes('user')).toEqual(['user_there', 'user_three', 'user_two_unique', 'user_yonder'])
      const fresh = await open()
      await fresh.migrate(model, 'start')
      expect(await database.schema()).toEqual(await fresh.schema())
    })

    it('renames an identity that others point at', async () => {
      const database = await databaseOf({ department: reference(() => department) })
      await database.run(`insert into department (id, name) values (5, 'Sales')`)
      await database.run('insert into "user" (department) values (5)')
      const renamed = noun('department', { key: identity().renamedFrom('id'), name: text() })
      const user = noun('user', { id: identity(), department: reference(() => renamed) })
      const model = modelOfNouns([user, renamed])
      await database.migrate(model, 'start')
      expect(await database.records(model, 'department', 'key')).toEqual([{ key: 5 }])
      await expect(database.run('delete from department')).rejects.toThrow(/foreign key/i)
    })

    it('lets a field be null, and makes one required where every record has a value', async () => {
      const fields = { name: text(), alias: text().nullable() }
      const database = await databaseOf(fields, [{ name: 'Ada', alias: 'A' }])
      const report = await database.migrate(userModel({ name: text().nullable(), alias: text() }), 'start')
      expect(kinds(report)).toEqual(['free-field', 'require-field'])
      await expect(database.run('update "user" set alias = null')).rejects.toThrow(/not.null/i)
      await database.run('update "user" set name = null')
    })

    it('makes fields unique where no record stands against it, and no longer unique', async () => {
      const fields = { name: text(), town: text() }
      const given = { name: 'a', town: 'x' }
      const database = await databaseOf(fields, [given, { name: 'a', town: 'y' }])
      const model = userModel(fields, {}, { unique: [['name', 'town']] })
      expect(kinds(await database.migrate(model, 'start'))).toEqual(['add-unique'])
      expect(await database.indexes('user')).toEqual(['user_name_town_unique'])
      await expect(database.insert(model, 'user', given)).rejects.toThrow(/unique/i)
      expect(kinds(await database.migrate(userModel(fields), 'start'))).toEqual(['drop-unique'])
      await database.insert(model, 'user', given)
    })

    it('runs no SQL for new defaults, limits and choices, and remembers them', async () => {
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
    it('are counted on under a renamed identity', async () => {
      const database = await databaseOf({ name: text() }, [{ name: 'Ada' }])
      const user = noun('user', { key: identity().renamedFrom('id'), name: text() })
      const model = modelOfNouns([user, department])
      await database.migrate(model, 'start')
      await database.insert(model, 'user', { name: 'Bea' })
      await database.run(`delete from "user" where name = 'Ada'`)
      await database.insert(model, 'user', { name: 'Cid' })
      expect(await database.tallies('user')).toEqual({ '': 2 })
    })

    it('are counted by the field that bears the name now', async () => {
      const use = { filtered: ['user.two'] }
      const database = await databaseOf({ one: boolean(), two: boolean() }, [{ one: true, two: false }], use)
      const model = userModel({ two: boolean().renamedFrom('one'), three: boolean().renamedFrom('two') }, use)
      await database.migrate(model, 'start')
      expect(await database.tallies('user')).toEqual({ '': 1, 'two=1': 1 })
      await database.insert(model, 'user', { two: false, three: true })
      await database.run(`update "user" set two = three`)
      expect(await database.tallies('user')).toEqual({ '': 2, 'two=0': 1, 'two=1': 1 })
    })

    it('are counted by the values that a field has now', async () => {
      const use = { filtered: ['user.it'] }
      const database = await databaseOf({ it: boolean().nullable() }, [{ it: true }, { it: false }, { it: null }], use)
      const model = userModel({ it: choice('true', 'false').nullable() }, use)
      await database.migrate(model, 'apply')
      expect(await database.tallies('user')).toEqual({ '': 3, it: 1, 'it=true': 1, 'it=false': 1 })
      await database.run(`update "user" set it = 'true'`)
      expect(await database.tallies('user')).toEqual({ '': 3, 'it=true': 3 })
    })
  })

  describe('a start that is refused', () => {
    const refused = async (database: MigratedDatabase, model: Model) => {
      const before = await database.contents()
      const error = await database.migrate(model, 'start').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(MigrationError)
      expect(await database.contents()).toBe(before)
      return (error as Error).message
    }

    it('tells every unsafe change, why, and what to do, and makes the safe ones neither', async () => {
      const database = await databaseOf({ name: text(), age: integer() }, [{ name: 'Ada', age: 36 }])
      const message = await refused(database, userModel({ age: text(), motto: text(), nickname: text().nullable() }))
      expect(message).toBe(`The database does not fit the declarations. Nothing was changed.
  - change field "age" of "user" from integer to text
    Its values have to be converted. Add a new field instead to keep the old values.
  - add field "motto" to "user"
    Records that are there already would have no value for it. Give it a default(), or make it nullable().
  - drop field "name" of "user"
    Its values would be lost. Where it only bears another name now, say so on the new field: .renamedFrom('name').
  - field "motto" of "user": 1 record would have no value, such as id 1.
  Change those records, or the declaration, and try again.
  See the exact steps with: nomen migrate --plan, and the service file and database that you serve with.`)
    })

    it('drops no noun, no link and no choice', async () => {
      const database = await open()
      const first = noun('user', { id: identity(), status: choice('A', 'B') })
      await database.migrate(modelOfNouns([first, department], { links: [link(first, department)] }), 'start')
      const message = await refused(database, modelOfNouns([noun('user', { id: identity(), status: choice('A') })]))
      expect(message).toContain('drop the value "B" of field "status" of "user"')
      expect(message).toContain('drop noun "department"')
      expect(message).toContain('drop link "user-department"')
    })

    it('retypes no scale, no reference and no identity', async () => {
      const database = await databaseOf({ pay: decimal({ scale: 2 }), at: reference(() => department).nullable() })
      const other = noun('department', { id: identity('guid'), name: text() })
      const user = noun('user', { id: identity(), pay: decimal({ scale: 3 }), at: reference(() => other).nullable() })
      const message = await refused(database, modelOfNouns([user, other]))
      expect(message).toContain('field "pay" of "user" from decimal of scale 2 to decimal of scale 3')
      expect(message).toContain('from reference to "department" by integer to reference to "department" by guid')
      expect(message).toContain('field "id" of "department" from integer identity to guid identity')
    })

    it('says which values are not unique', async () => {
      const given = [{ email: 'a@b.c' }, { email: 'A@b.c' }, { email: 'd@e.f' }]
      const database = await databaseOf({ email: email() }, given)
      expect(await refused(database, userModel({ email: email().unique() }))).toContain(
        '- "email" of "user" cannot be unique: 1 value stands more than once, such as "a@b.c" (2 records).',
      )
    })

    it('says how values of every kind are not unique', async () => {
      const fields = { on: boolean(), pay: decimal({ scale: 2 }), at: timestamp(), rate: number() }
      const given = { on: true, pay: '1.50', at: '2026-01-01T00:00:00.000Z', rate: 0.5 }
      const database = await databaseOf(fields, [given, given])
      const unique = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.unique()]))
      const message = await refused(database, userModel(unique, {}, { unique: [['on', 'pay']] }))
      for (const example of ['"true"', '"1.50"', '"2026-01-01T00:00:00.000Z"', '"0.5"', '"true" with "1.50"']) {
        expect(message).toContain(`1 value stands more than once, such as ${example} (2 records).`)
      }
    })

    it('says how many records have no value, in a noun whose fields are called like our own words', async () => {
      const given = [
        { value: 'x', record: 'x', text: 'x' },
        { value: null, record: 'x', text: 'x' },
        { value: null, record: 'x', text: 'x' },
      ]
      const database = await databaseOf({ value: text().nullable(), record: text(), text: text() }, given)
      expect(await refused(database, userModel({ value: text(), record: text(), text: text() }))).toContain(
        '- field "value" of "user": 2 records would have no value, such as id 2.',
      )
    })

    it('does not take a default that two records would share for a unique field', async () => {
      const database = await databaseOf({}, [{}, {}])
      const message = await refused(database, userModel({ code: text().default('x').unique() }))
      expect(message).toContain('"code" of "user" cannot be')
    })

    it('takes a name that is still in use for no rename', async () => {
      const database = await databaseOf({ one: text(), two: text() })
      const message = await refused(database, userModel({ two: text().renamedFrom('one') }))
      expect(message).toContain('drop field "one" of "user"')
    })
  })

  describe('a database that is not for us', () => {
    it('is refused where another program has made it', async () => {
      const database = await open()
      await database.run('create table invoice (id integer)')
      await database.run('create table customer (id integer)')
      await expect(database.migrate(userModel({}), 'start')).rejects.toThrow('it holds "customer", "invoice", and no')
      await expect(database.migrate(userModel({}), 'plan')).rejects.toThrow(MigrationError)
      await database.run('create table _schema (version text)')
      await expect(database.migrate(userModel({}), 'apply')).rejects.toThrow(
        'it holds "_schema", "customer", "invoice"',
      )
      await database.run(`insert into _schema values ('1')`)
      await expect(database.migrate(userModel({}), 'apply')).rejects.toThrow(
        'it holds "_schema", "customer", "invoice"',
      )
    })

    it('is refused where a newer version has written it', async () => {
      const database = await databaseOf({})
      await database.run('update _schema set format = 99')
      await expect(database.migrate(userModel({}), 'start')).rejects.toThrow('newer version of Nomen (format 99')
    })

    it('opens without a change if it was written when booleans were called flags', async () => {
      const database = await databaseOf({ isOld: boolean() }, [{ isOld: true }])
      await database.run(`update _schema set format = 3, snapshot = replace(snapshot, '"boolean"', '"flag"')`)
      const { changes } = await database.migrate(userModel({ isOld: boolean() }), 'start')
      expect(changes).toEqual([])
    })
  })

  describe('a plan', () => {
    it('tells the steps and the obstacles, and changes nothing', async () => {
      const database = await databaseOf({ name: text() }, [{ name: '12' }, { name: 'twelve' }])
      const before = await database.contents()
      const report = await database.migrate(userModel({ name: integer() }), 'plan')
      expect(await database.contents()).toBe(before)
      expect(report.steps.map(({ sentence, isSafe }) => [sentence, isSafe])).toEqual([
        ['change field "name" of "user" from text to integer', false],
        ['remember the schema', true],
      ])
      expect(report.obstacles).toEqual([
        'field "name" of "user": 1 value cannot become integer, such as "twelve" (id 2).',
      ])
    })

    it('of an empty database creates no table, and its SQL creates them all', async () => {
      const database = await open()
      const report = await database.migrate(userModel({}), 'plan')
      expect(report.isFresh).toBe(true)
      expect(await database.tables()).toEqual([])
      for (const { sql } of report.steps) for (const statement of sql) await database.run(statement)
      expect((await database.migrate(userModel({}), 'start')).changes).toEqual([])
      const fresh = await open()
      await fresh.migrate(userModel({}), 'start')
      expect(await database.schema()).toEqual(await fresh.schema())
    })
  })

  it('leaves everything as it was when a step fails in the middle', async () => {
    const database = await databaseOf({ name: text() }, [{ name: 'Ada' }])
    await database.run('create index user_motto on department (name)')
    const before = await database.contents()
    const model = userModel({ name: text().nullable(), motto: text().nullable() }, { filtered: ['user.motto'] })
    await expect(database.migrate(model, 'start')).rejects.toThrow('user_motto')
    expect(await database.contents()).toBe(before)
    await database.run('drop index user_motto')
    await database.migrate(model, 'start')
    expect(await database.records(model, 'user', 'name', 'motto')).toEqual([{ name: 'Ada', motto: null }])
  })
}
