import { email, identity, integer, link, noun, reference, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { postgresSchemas } from '../../../test/migrated-postgres.ts'
import { modelOfNouns } from '../../../test/model-of-nouns.ts'
import { schemaOf } from '../migrate/schema/model-schema.ts'
import { nounOf } from '../migrate/schema/schema.ts'
import { uniqueColumns } from './migrate/sql/table.ts'
import { postgresName } from './name.ts'

const open = postgresSchemas()

/** Equal in the part that PostgreSQL would keep. */
const long = 'a'.repeat(70)
const names = { first: `${long}First`, second: `${long}Second`, target: `${long}-target`, other: `${long}-other` }

const target = noun(names.target, { id: identity(), [names.first]: email().unique() })
const other = noun(names.other, {
  id: identity('guid'),
  [names.first]: text().unique(),
  [names.second]: text().unique(),
  it: reference(() => target).nullable(),
})
const use = (...fields: string[]) => ({
  searched: fields.map((field) => `${names.other}.${field}`),
  indexed: [`${names.target}.${names.first}`],
  links: [link(target, other)],
})
const model = modelOfNouns([target, other], use(names.first, names.second))

describe('names that are too long for PostgreSQL', () => {
  it('stay distinct, and are the same in every statement', async () => {
    const database = await open()
    await database.migrate(model, 'start')
    const record = { id: '00000000-0000-4000-8000-000000000001', [names.first]: 'É', [names.second]: 'é', it: null }
    const folded = { [`${names.first}_folded`]: 'é', [`${names.second}_folded`]: 'é' }
    await database.insert(model, names.other, { ...record, ...folded })
    expect(await database.records(model, names.other, names.first, names.second)).toEqual([
      { [names.first]: 'É', [names.second]: 'é' },
    ])
    expect((await database.migrate(model, 'start')).changes).toEqual([])
  })

  it('are kept when a table changes', async () => {
    const [database, fresh] = [await open(), await open()]
    await database.migrate(modelOfNouns([target, other], use()), 'start')
    await database.migrate(model, 'start')
    await fresh.migrate(model, 'start')
    expect(await database.schema()).toEqual(await fresh.schema())
  })

  it("are shortened to PostgreSQL's limit, and other names are unchanged", () => {
    expect(postgresName('a'.repeat(63))).toBe('a'.repeat(63))
    expect(postgresName('a'.repeat(64))).toMatch(/^a{46}_[0-9a-f]{16}$/)
  })
})

describe('uniqueColumns', () => {
  it('returns the fields of the violated constraint', async () => {
    const user = noun(
      'user',
      { id: identity(), email: email().unique(), name: text(), age: integer() },
      { unique: [['name', 'age']] },
    )
    const userModel = modelOfNouns([user])
    const schema = nounOf(schemaOf(userModel), 'user')
    const database = await open()
    await database.migrate(userModel, 'start')
    await database.insert(userModel, 'user', { email: 'a@b.c', name: 'A', age: 1 })
    const broken = async (record: Record<string, string | number>) => {
      const error = await database
        .insert(userModel, 'user', { email: 'x@y.z', name: 'X', age: 1, ...record })
        .catch((e) => e)
      return uniqueColumns(schema, error.constraint)
    }
    expect(await broken({ email: 'A@b.c' })).toEqual(['email'])
    expect(await broken({ name: 'A' })).toEqual(['name', 'age'])
    expect(await broken({ id: 1 })).toEqual(['id'])
    expect(uniqueColumns(schema, 'user_name')).toBeUndefined()
  })

  it('supports long names', async () => {
    const database = await open()
    await database.migrate(model, 'start')
    await database.insert(model, names.target, { [names.first]: 'a@b.c' })
    const error = await database.insert(model, names.target, { [names.first]: 'A@b.c' }).catch((thrown) => thrown)
    expect(uniqueColumns(nounOf(schemaOf(model), names.target), error.constraint)).toEqual([names.first])
  })
})
