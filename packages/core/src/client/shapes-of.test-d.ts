import { expectTypeOf, it } from 'vitest'
import { api, boolean, choice, createdAt, identity, link, noun, reference, resource, text } from '../index.ts'
import type { Client, ShapesOf } from './index.ts'

const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
const user = noun('user', {
  id: identity(),
  name: text(),
  status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE'),
  department: reference(() => department),
  created: createdAt(),
})
const preference = noun('preference', { id: identity(), user: reference(() => user), type: text(), enabled: boolean() })
const role = noun('role', { roleRef: identity(), name: text() })
const costCenter = noun('cost-center', { guid: identity('guid'), name: text() })
const userRole = link(user, role)

const people = api('people', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(user, {
      list: ['id', 'name', 'department'],
      summary: ['id'],
      detail: true,
      search: ['name'],
      children: [
        resource(preference, { paginated: false }),
        resource(role, { via: userRole, children: [resource(user, { via: userRole, complete: ['id'] })] }),
      ],
    }),
    resource(costCenter, { offers: ['list'] }),
  ],
})
type Shapes = ShapesOf<typeof people>

it('has every noun of the api by its name, at every level', () => {
  expectTypeOf<keyof Shapes>().toEqualTypeOf<'user' | 'preference' | 'role' | 'cost-center'>()
  // @ts-expect-error of another api
  type _Department = Shapes['department']
})

it('has the types of reads, lists, creates and updates of a noun', () => {
  type User = Shapes['user']
  expectTypeOf<User['record']>().toEqualTypeOf<{
    id: number
    name: string
    status: 'ACTIVE' | 'SUSPENDED'
    department: number
    created: string
  }>()
  expectTypeOf<User['item']>().toEqualTypeOf<{ id: number; name: string; department: string }>()
  expectTypeOf<User['summary']>().toEqualTypeOf<{ id: number }>()
  expectTypeOf<User['detail']['department']>().toEqualTypeOf<string>()
  expectTypeOf<User['creation']>().toEqualTypeOf<{
    name: string
    department: number
    status?: 'ACTIVE' | 'SUSPENDED'
  }>()
  type Replacement = { name: string; department: number; status: 'ACTIVE' | 'SUSPENDED' }
  expectTypeOf<User['replacement']>().toEqualTypeOf<Replacement>()
  expectTypeOf<User['change']>().toEqualTypeOf<Partial<Replacement>>()
  expectTypeOf<User['query']['search']>().toEqualTypeOf<string | readonly string[] | undefined>()
})

it('has exactly the shapes of the client', () => {
  type Calls = Client<typeof people>
  type Preference = ReturnType<Calls['user']['of']>['preference']
  expectTypeOf<Shapes['user']['record']>().toEqualTypeOf<Awaited<ReturnType<Calls['user']['read']>>>()
  expectTypeOf<Shapes['user']['creation']>().toEqualTypeOf<Parameters<Calls['user']['create']>[0]>()
  expectTypeOf<Shapes['user']['replacement']>().toEqualTypeOf<Parameters<Calls['user']['replace']>[1]>()
  expectTypeOf<Shapes['user']['change']>().toEqualTypeOf<Parameters<Calls['user']['update']>[1]>()
  expectTypeOf<Shapes['user']['query']>().toEqualTypeOf<NonNullable<Parameters<Calls['user']['list']>[0]>>()
  expectTypeOf<Shapes['preference']['creation']>().toEqualTypeOf<Parameters<Preference['create']>[0]>()
  expectTypeOf<Shapes['preference']['query']>().toEqualTypeOf<NonNullable<Parameters<Preference['list']>[0]>>()
  expectTypeOf<Shapes['preference']['item'][]>().toEqualTypeOf<Awaited<ReturnType<Preference['list']>>>()
})

it('leaves out fields that the path sets', () => {
  expectTypeOf<Shapes['preference']['creation']>().toEqualTypeOf<{ type: string; enabled: boolean; user?: number }>()
})

it('has no shape for an operation that is not offered', () => {
  expectTypeOf<keyof Shapes['cost-center']>().toEqualTypeOf<'item' | 'query'>()
  expectTypeOf<keyof Shapes['role']>().toEqualTypeOf<'item' | 'query' | 'record'>()
  // @ts-expect-error linked, not created
  type _Role = Shapes['role']['creation']
  // @ts-expect-error no such list
  type _Preference = Shapes['preference']['summary']
  // @ts-expect-error the list has no pages
  type _Page = Shapes['preference']['query']['pageSize']
})

it('takes a shape from a nested resource if the root does not offer it', () => {
  const note = noun('note', { id: identity(), user: reference(() => user), line: text() })
  const nested = api('nested', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [
      resource(user, { children: [resource(note, { complete: ['id', 'line'] })] }),
      resource(note, { offers: ['list', 'read'] }),
    ],
  })
  type Note = ShapesOf<typeof nested>['note']
  expectTypeOf<Note['record']>().toEqualTypeOf<{ id: number; user: number; line: string }>()
  expectTypeOf<Note['change']>().toEqualTypeOf<{ line?: string }>()
})
