/** The start on an empty database, on the database of another program, and a start that fails. */
import { email, identity, link, noun, reference, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { MigrationError } from '../../src/store/migrate/error.ts'
import { type MigratedDatabase, ownTableNames } from '../migrated-database.ts'
import { modelOfNouns } from '../model-of-nouns.ts'
import { department, userDatabase, userModel } from './user-database.ts'

export function migrationStartSuite(open: () => Promise<MigratedDatabase>): void {
  const databaseOf = userDatabase(open)

  describe('a fresh database', () => {
    it('gets everything at the first start, and nothing at the second', async () => {
      const user = noun('user', {
        id: identity(),
        email: email().unique(),
        name: text(),
        department: reference(() => department).nullable(),
      })
      const model = modelOfNouns([user, department], {
        indexed: ['user.email', 'user.name'],
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
        'record the schema',
      ])
      expect(await database.tables()).toEqual([...ownTableNames, 'department', 'user', 'user-department'])
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

    it('compares e-mail addresses without regard to ASCII case', async () => {
      const fields = { email: email().unique() }
      const database = await databaseOf(fields, [{ email: 'a@b.c' }])
      await expect(database.insert(userModel(fields), 'user', { email: 'A@B.C' })).rejects.toThrow(/unique/i)
    })

    it('supports nouns that reference each other, and themselves', async () => {
      const [first, second] = [
        noun('hen', { id: identity(), from: reference(() => second), mother: reference(() => first) }),
        noun('egg', { id: identity('guid'), from: reference((): typeof first => first).nullable() }),
      ]
      const model = modelOfNouns([first, second])
      const database = await open()
      await database.migrate(model, 'start')
      const egg = '00000000-0000-4000-8000-000000000001'
      await database.insert(model, 'egg', { id: egg })
      await database.insert(model, 'hen', { id: 1, from: egg, mother: 1 })
      await expect(database.insert(model, 'hen', { id: 2, from: egg, mother: 3 })).rejects.toThrow(/foreign key/i)
    })
  })

  describe('a database of another program or version', () => {
    it('is rejected if another program has created it', async () => {
      const database = await open()
      await database.run('create table invoice (id integer)')
      await database.run('create table customer (id integer)')
      await expect(database.migrate(userModel({}), 'start')).rejects.toThrow(
        'it contains "customer", "invoice", but no',
      )
      await expect(database.migrate(userModel({}), 'plan')).rejects.toThrow(MigrationError)
      await database.run('create table _schema (version text)')
      await expect(database.migrate(userModel({}), 'apply')).rejects.toThrow(
        'it contains "_schema", "customer", "invoice"',
      )
      await database.run(`insert into _schema values ('1')`)
      await expect(database.migrate(userModel({}), 'apply')).rejects.toThrow(
        'it contains "_schema", "customer", "invoice"',
      )
    })

    it('is rejected if a newer version has written it', async () => {
      const database = await databaseOf({})
      await database.run('update _schema set format = 99')
      await expect(database.migrate(userModel({}), 'start')).rejects.toThrow('newer version of Nomen (format 99')
    })

    it('is rejected if an older version has written it', async () => {
      const database = await databaseOf({})
      await database.run('update _schema set format = 4')
      await expect(database.migrate(userModel({}), 'start')).rejects.toThrow('older version of Nomen (format 4')
    })
  })

  it('rolls everything back if a step fails', async () => {
    const database = await databaseOf({ name: text() }, [{ name: 'Ada' }])
    await database.run('create index user_motto on department (name)')
    const before = await database.contents()
    const model = userModel({ name: text().nullable(), motto: text().nullable() }, { indexed: ['user.motto'] })
    await expect(database.migrate(model, 'apply')).rejects.toThrow('user_motto')
    expect(await database.contents()).toBe(before)
    await database.run('drop index user_motto')
    await database.migrate(model, 'apply')
    expect(await database.records(model, 'user', 'name', 'motto')).toEqual([{ name: 'Ada', motto: null }])
  })
}
