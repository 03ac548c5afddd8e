import { expectTypeOf, it } from 'vitest'
import {
  type AnyApi,
  api,
  type CreateOf,
  choice,
  type DetailOf,
  identity,
  type ListItemOf,
  link,
  noun,
  type Operation,
  operations,
  reference,
  resource,
  text,
  type UpdateOf,
} from '../index.ts'

const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
const user = noun('user', {
  id: identity(),
  name: text(),
  status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE'),
  department: reference(() => department),
})
const preference = noun('preference', { id: identity(), user: reference(() => user), type: text() })
const role = noun('role', { id: identity(), name: text() })
const userRole = link(user, role)

const directory = api('directory', {
  version: 1,
  versioning: 'whole',
  writes: 'nested',
  resources: [
    resource(user, {
      rename: { state: 'status' },
      list: ['id', 'department'],
      children: [
        resource(preference, { complete: ['id', 'type'], paginated: false }),
        resource(role, { via: userRole, offers: ['list', 'link'] }),
      ],
    }),
    resource(department),
  ],
})
type Resources = (typeof directory)['options']['resources']
type Children = Resources[0]['options']['children']

it('keeps the exact type of each resource', () => {
  expectTypeOf<DetailOf<Resources[0]>>().toEqualTypeOf<{
    id: number
    name: string
    state: 'ACTIVE' | 'SUSPENDED'
    department: number
  }>()
  expectTypeOf<ListItemOf<Resources[0]>>().toEqualTypeOf<{ id: number; department: string }>()
  expectTypeOf<CreateOf<Resources[0]>>().toEqualTypeOf<{
    name: string
    state?: 'ACTIVE' | 'SUSPENDED'
    department: number
  }>()
  expectTypeOf<UpdateOf<Resources[0]>>().toEqualTypeOf<{
    name: string
    state: 'ACTIVE' | 'SUSPENDED'
    department: number
  }>()
  expectTypeOf<DetailOf<Resources[1]>>().toEqualTypeOf<{ id: number; name: string }>()
  expectTypeOf<Resources['length']>().toEqualTypeOf<2>()
})

it('keeps the exact type of each child', () => {
  expectTypeOf<DetailOf<Children[0]>>().toEqualTypeOf<{ id: number; type: string }>()
  expectTypeOf<DetailOf<Children[1]>>().toEqualTypeOf<{ id: number; name: string }>()
  expectTypeOf<Children[0]['options']['paginated']>().toEqualTypeOf<false>()
  expectTypeOf<Children[1]['options']['offers']>().toEqualTypeOf<readonly ['list', 'link']>()
})

it('keeps the literal types of its name and options', () => {
  expectTypeOf(directory.name).toEqualTypeOf<'directory'>()
  expectTypeOf(directory.options.writes).toEqualTypeOf<'nested'>()
  expectTypeOf(directory.options.version).toEqualTypeOf<1>()
})

it('contains no any', () => {
  expectTypeOf(directory).not.toBeAny()
  expectTypeOf<Resources[0]>().not.toBeAny()
  expectTypeOf<Resources[0]['noun']>().not.toBeAny()
  expectTypeOf<Resources[0]['rename']>().not.toBeAny()
  expectTypeOf<Resources[0]['options']>().not.toBeAny()
  expectTypeOf<Children[0]>().not.toBeAny()
  expectTypeOf<Children[0]['options']>().not.toBeAny()
  expectTypeOf<DetailOf<Children[1]>>().not.toBeAny()
})

it('is assignable to AnyApi', () => {
  expectTypeOf(directory).toExtend<AnyApi>()
  expectTypeOf(operations(directory)).toEqualTypeOf<readonly Operation[]>()
  expectTypeOf<Operation['path']>().toEqualTypeOf<string>()
})

it('does not compile without versioning and writes', () => {
  // @ts-expect-error: no such policy
  api('x', { versioning: 'per-verb', writes: 'flat', resources: [] })
  // @ts-expect-error: no such form
  api('x', { versioning: 'whole', version: 1, writes: 'mixed', resources: [] })
  // @ts-expect-error: the form of writes is missing
  api('x', { versioning: 'per-noun', resources: [] })
  // @ts-expect-error: a resource, not a noun
  api('x', { versioning: 'per-noun', writes: 'flat', resources: [department] })
})
