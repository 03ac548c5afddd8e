/** Changes that a start rejects, and the plan that shows them. */
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
} from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { MigrationError } from '../../src/store/migrate/error.ts'
import type { Model } from '../../src/store/model.ts'
import type { MigratedDatabase } from '../migrated-database.ts'
import { modelOfNouns } from '../model-of-nouns.ts'
import { department, userDatabase, userModel } from './user-database.ts'

export function rejectedChangeSuite(open: () => Promise<MigratedDatabase>): void {
  const databaseOf = userDatabase(open)

  describe('a start that is rejected', () => {
    const rejected = async (database: MigratedDatabase, model: Model) => {
      const before = await database.contents()
      const error = await database.migrate(model, 'start').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(MigrationError)
      expect(await database.contents()).toBe(before)
      return (error as Error).message
    }

    it('reports every unsafe change with its reason and fix, and does not apply the safe changes either', async () => {
      const database = await databaseOf({ name: text(), age: integer() }, [{ name: 'Ada', age: 36 }])
      const message = await rejected(database, userModel({ age: text(), motto: text(), nickname: text().nullable() }))
      expect(message).toBe(`The database does not match the declarations. Nothing was changed.
  - change field "age" of "user" from integer to text
    Its values must be converted. Add a new field instead to keep the old values.
  - add field "motto" to "user"
    Existing records would have no value for it. Add default() or nullable() to the field.
  - drop field "name" of "user"
    Its values would be lost. If it was renamed, add .renamedFrom('name') to the new field.
  - field "motto" of "user": 1 record would have no value, such as id 1.
  Change these records or the declaration, and try again.
  To see the steps, run nomen migrate --plan with the same service file and the same --database.`)
    })

    it('keeps a noun, a link and a choice that are not declared, until a contraction', async () => {
      const database = await open()
      const first = noun('user', { id: identity(), status: choice('A', 'B') })
      await database.migrate(modelOfNouns([first, department], { links: [link(first, department)] }), 'start')
      const model = modelOfNouns([noun('user', { id: identity(), status: choice('A') })])
      await database.migrate(model, 'start')
      expect(await database.tables()).toEqual(expect.arrayContaining(['department', 'user-department']))
      const { changes } = await database.migrate(model, 'contract')
      expect(changes.map(({ sentence }) => sentence)).toEqual([
        'drop the value "B" of field "status" of "user"',
        'restore the constraint of field "status" of "user"',
        'drop noun "department"',
        'drop link "user-department"',
      ])
      expect(await database.tables()).not.toEqual(expect.arrayContaining(['department']))
    })

    it('does not change the type of a scale, a reference or an identity', async () => {
      const database = await databaseOf({ pay: decimal({ scale: 2 }), at: reference(() => department).nullable() })
      const other = noun('department', { id: identity('guid'), name: text() })
      const user = noun('user', { id: identity(), pay: decimal({ scale: 3 }), at: reference(() => other).nullable() })
      const message = await rejected(database, modelOfNouns([user, other]))
      expect(message).toContain('field "pay" of "user" from decimal of scale 2 to decimal of scale 3')
      expect(message).toContain('from reference to "department" by integer to reference to "department" by guid')
      expect(message).toContain('field "id" of "department" from integer identity to guid identity')
    })

    it('says which values are not unique', async () => {
      const rows = [{ email: 'a@b.c' }, { email: 'A@b.c' }, { email: 'd@e.f' }]
      const database = await databaseOf({ email: email() }, rows)
      expect(await rejected(database, userModel({ email: email().unique() }))).toContain(
        '- "email" of "user" cannot be unique: 1 value occurs more than once, such as "a@b.c" (2 records).',
      )
    })

    it('says how values of every kind are not unique', async () => {
      const fields = { on: boolean(), pay: decimal({ scale: 2 }), at: timestamp(), rate: number() }
      const row = { on: true, pay: '1.50', at: '2026-01-01T00:00:00.000Z', rate: 0.5 }
      const database = await databaseOf(fields, [row, row])
      const unique = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.unique()]))
      const message = await rejected(database, userModel(unique, {}, { unique: [['on', 'pay']] }))
      for (const example of ['"true"', '"1.50"', '"2026-01-01T00:00:00.000Z"', '"0.5"', '"true" with "1.50"']) {
        expect(message).toContain(`1 value occurs more than once, such as ${example} (2 records).`)
      }
    })

    it('reports how many records have no value, in a noun whose fields have names that Nomen uses itself', async () => {
      const rows = [
        { value: 'x', record: 'x', text: 'x' },
        { value: null, record: 'x', text: 'x' },
        { value: null, record: 'x', text: 'x' },
      ]
      const database = await databaseOf({ value: text().nullable(), record: text(), text: text() }, rows)
      expect(await rejected(database, userModel({ value: text(), record: text(), text: text() }))).toContain(
        '- field "value" of "user": 2 records would have no value, such as id 2.',
      )
    })

    it('rejects a default for a unique field if two records would share it', async () => {
      const database = await databaseOf({}, [{}, {}])
      const message = await rejected(database, userModel({ code: text().default('x').unique() }))
      expect(message).toContain('"code" of "user" cannot be')
    })

    it('does not treat a name that is still in use as a rename', async () => {
      const database = await databaseOf({ one: text(), two: text() })
      const message = await rejected(database, userModel({ two: text().renamedFrom('one') }))
      expect(message).toContain('drop field "one" of "user"')
    })
  })

  describe('a plan', () => {
    it('reports the steps and the blockers, and changes nothing', async () => {
      const database = await databaseOf({ name: text() }, [{ name: '12' }, { name: 'twelve' }])
      const before = await database.contents()
      const report = await database.migrate(userModel({ name: integer() }), 'plan')
      expect(await database.contents()).toBe(before)
      expect(report.steps.map(({ sentence, isSafe }) => [sentence, isSafe])).toEqual([
        ['change field "name" of "user" from text to integer', false],
        ['record the schema', true],
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
}
