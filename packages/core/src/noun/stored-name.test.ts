import { describe, expect, it } from 'vitest'
import { api, identity, link, noun, operations, reference, resource, text } from '../index.ts'
import { openapi } from '../openapi/index.ts'

describe('names of a database', () => {
  const of = (column: string) => () => noun('user', { id: identity(), firstName: text().column(column) })

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
    ['', 'its column is "".'],
    ['  ', 'its column is "  ".'],
    ['a\u0000', 'its column is "a\\u0000".'],
    ['ü'.repeat(32), 'the name of its column has 64 bytes.'],
    ['_version', 'its column "_version" holds the version already.'],
    ['ID', 'its column "ID" holds "id" already.'],
  ])('are refused where they cannot be kept: %j', (column, rule) => {
    expect(of(column)).toThrow(`noun "user", field "firstName": ${rule}`)
  })

  it('are refused where two fields would share a column', () => {
    const fields = { id: identity(), one: text().column('two'), two: text() }
    expect(() => noun('user', fields)).toThrow('noun "user", field "two": its column "two" holds "one" already.')
  })

  it('may be swapped', () => {
    expect(() => noun('user', { id: identity(), one: text().column('two'), two: text().column('one') })).not.toThrow()
  })

  it("are refused for tables that are empty or Nomen's own, and for pairs in one column", () => {
    const user = noun('user', { id: identity() })
    const role = noun('role', { id: identity() })
    expect(() => noun('user', { id: identity() }, { table: '' })).toThrow('its table is ""')
    expect(() => noun('user', { id: identity() }, { table: '_schema' })).toThrow('its table "_schema" begins with "_"')
    expect(() => link(user, role, { table: '_pair' })).toThrow('link "user-role": its table "_pair" begins with "_"')
    expect(() => link(user, role, { columns: ['id', 'ID'] })).toThrow('both its columns are "id"')
  })

  it("are none of a client's business", () => {
    const declared = (isMapped: boolean) => {
      const name = isMapped ? text().column('first_name') : text()
      const user = noun('user', { id: identity(), name }, isMapped ? { table: 'users' } : {})
      return api('test', { versioning: 'per-noun', writes: 'nested', resources: [resource(user)] })
    }
    const [plain, mapped] = [declared(false), declared(true)].map((one) => JSON.stringify(openapi(one)))
    expect(mapped).toBe(plain)
    expect(operations(declared(true)).length).toBe(operations(declared(false)).length)
  })
})
