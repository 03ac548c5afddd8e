import { describe, expect, it } from 'vitest'
import { api, identity, link, noun, operations, reference, resource, text } from '../index.ts'
import { openapi } from '../openapi/index.ts'

describe('names of a database', () => {
  const nounWithColumn = (column: string) => () => noun('user', { id: identity(), firstName: text().column(column) })

  it('are plain data of a field, a noun and a link', () => {
    const user = noun('user', { id: identity(), firstName: text().column('first_name') }, { table: 'users' })
    const role = noun('role', { id: identity(), owner: reference(() => user).column('owner_id') })
    expect(user.fields.firstName.spec).toEqual({ kind: 'text', column: 'first_name' })
    expect(user.options).toEqual({ table: 'users' })
    expect(role.fields.owner.spec.column).toBe('owner_id')
    const names = { table: 'user_roles', columns: ['user_id', 'role_id'] } as const
    expect(link(user, role, names)).toEqual({ name: 'user-role', nouns: [user, role], ...names })
  })

  it.each([
    ['', 'the column name must be a non-empty string that SQLite and PostgreSQL can store, not "".'],
    ['  ', 'the column name must be a non-empty string that SQLite and PostgreSQL can store, not "  ".'],
    ['a\u0000', 'the column name must be a non-empty string that SQLite and PostgreSQL can store, not "a\\u0000".'],
    ['ü'.repeat(32), 'the name of the column has 64 bytes; the maximum is 63.'],
    ['_version', 'the column "_version" is reserved: Nomen stores the version of each record there.'],
    ['ID', 'the column "ID" is already used for the field "id".'],
  ])('are rejected if they are invalid: %j', (column, rule) => {
    expect(nounWithColumn(column)).toThrow(`noun "user", field "firstName": ${rule}`)
  })

  it('are rejected if two fields share a column', () => {
    const fields = { id: identity(), one: text().column('two'), two: text() }
    expect(() => noun('user', fields)).toThrow(
      'noun "user", field "two": the column "two" is already used for the field "one".',
    )
  })

  it('may be swapped', () => {
    expect(() => noun('user', { id: identity(), one: text().column('two'), two: text().column('one') })).not.toThrow()
  })

  it('are rejected for empty or reserved tables, and for links with one column', () => {
    const user = noun('user', { id: identity() })
    const role = noun('role', { id: identity() })
    expect(() => noun('user', { id: identity() }, { table: '' })).toThrow(
      'the table name must be a non-empty string that SQLite and PostgreSQL can store, not ""',
    )
    expect(() => noun('user', { id: identity() }, { table: '_schema' })).toThrow('the table "_schema" begins with "_"')
    expect(() => link(user, role, { table: '_pair' })).toThrow('link "user-role": the table "_pair" begins with "_"')
    expect(() => link(user, role, { columns: ['id', 'ID'] })).toThrow('both columns are "id"')
  })

  it('are not visible to clients', () => {
    const apiWith = (isMapped: boolean) => {
      const name = isMapped ? text().column('first_name') : text()
      const user = noun('user', { id: identity(), name }, isMapped ? { table: 'users' } : {})
      return api('test', { versioning: 'per-noun', writes: 'nested', resources: [resource(user)] })
    }
    const [plain, mapped] = [apiWith(false), apiWith(true)].map((definition) => JSON.stringify(openapi(definition)))
    expect(mapped).toBe(plain)
    expect(operations(apiWith(true)).length).toBe(operations(apiWith(false)).length)
  })
})
