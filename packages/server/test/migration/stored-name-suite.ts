/** Migrations of the names of tables and columns. */
import { boolean, choice, identity, link, noun, reference, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import type { MigratedDatabase } from '../migrated-database.ts'
import { modelOfNouns, type Use } from '../model-of-nouns.ts'
import { department, userModel } from './user-database.ts'

export function storedNameMigrationSuite(open: () => Promise<MigratedDatabase>): void {
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

    it('can move to another field or noun without a change', async () => {
      const use = { indexed: ['user.open', 'user.zone'] }
      const zone = () => choice('A', 'B').column('zone_of')
      const database = await open()
      await database.migrate(users({ open: boolean().column('is_open'), zone: zone() }, use), 'start')
      await database.run("insert into users (is_open, zone_of, _version) values (true, 'A', 1)")
      const renamed = noun(
        'person',
        { id: identity(), area: zone(), isOpen: boolean().column('is_open') },
        { table: 'users' },
      )
      const model = modelOfNouns([renamed, department], { indexed: ['person.area', 'person.isOpen'] })
      expect((await database.migrate(model, 'start')).steps).toEqual([])
      expect(await database.tallies('users')).toEqual({ '': 1, 'is_open=1': 1, 'zone_of=A': 1 })
    })

    it('that change rename the column', async () => {
      const use = { indexed: ['user.open'], searched: ['user.name'] }
      const before = users({ name: text().column('called').unique(), open: boolean().column('is_open') }, use)
      const database = await open()
      await database.migrate(before, 'start')
      await database.run("insert into users (called, called_folded, is_open, _version) values ('Ada', 'ada', true, 1)")
      const after = users({ name: text().column('full_name').unique(), open: boolean() }, use)
      const report = await database.migrate(after, 'apply')
      expect(report.steps.map(({ sentence }) => sentence)).toEqual([
        expect.stringContaining('rename the column of field "name" of "user" from "called" to "full_name"'),
        'record the schema',
      ])
      expect(await database.records(after, 'users', 'full_name', 'full_name_folded')).toEqual([
        { full_name: 'Ada', full_name_folded: 'ada' },
      ])
      expect(await database.tallies('users')).toEqual({ '': 1, 'open=1': 1 })
      expect((await database.migrate(after, 'start')).steps).toEqual([])
    })

    it('that change rename the column in the table of a link too, with its pairs', async () => {
      const user = noun('user', { id: identity() })
      const linked = (columns?: [string, string]) =>
        modelOfNouns([user, department], { links: [link(user, department, columns && { columns })] })
      const [database, fresh] = [await open(), await open()]
      await database.migrate(linked(), 'start')
      await database.run('insert into "user" (_version) values (1)')
      await database.insert(linked(), 'department', { name: 'D' })
      await database.run('insert into "user-department" ("user", department) values (1, 1)')
      const after = linked(['user_id', 'department'])
      const report = await database.migrate(after, 'apply')
      expect(report.steps.map(({ sentence }) => sentence)).toEqual([
        'rename the columns of link "user-department" from user and department to user_id and department',
        'record the schema',
      ])
      await database.check()
      await database.run('insert into "user" (_version) values (1)')
      await database.run('insert into "user-department" (user_id, department) values (2, 1)')
      await expect(database.run('insert into "user-department" (user_id, department) values (2, 9)')).rejects.toThrow()
      await fresh.migrate(after, 'start')
      expect(await database.schema()).toEqual(await fresh.schema())
      await expect(async () => database.migrate(linked(['department', 'user_id']), 'apply')).rejects.toThrow('2 pairs')
    })

    it('stay if a field is renamed together with its column, by either of its names', async () => {
      const database = await open()
      await database.migrate(users({ name: text().column('called'), city: text().column('town') }), 'start')
      await database.run("insert into users (called, town, _version) values ('Ada', 'London', 1)")
      const title = text().column('title_of').renamedFrom('name')
      const after = users({ title, place: text().renamedFrom('town') })
      await database.migrate(after, 'apply')
      expect(await database.records(after, 'users', 'title_of', 'place')).toEqual([
        { title_of: 'Ada', place: 'London' },
      ])
    })

    it('are rejected if two nouns would share a table, or a field would use the column of a folded string', async () => {
      const database = await open()
      const other = noun('other', { id: identity() }, { table: 'Department' })
      const shared = 'noun "other": the table "Department" already stores the noun "department".'
      await expect(async () => database.migrate(modelOfNouns([department, other]), 'plan')).rejects.toThrow(shared)
      const fields = { name: text(), other: text().column('name_folded') }
      const model = users(fields, { searched: ['user.name'] })
      await expect(async () => database.migrate(model, 'plan')).rejects.toThrow('noun "user": the column "name_folded"')
    })
  })
}
