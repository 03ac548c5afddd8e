import { expect, it } from 'vitest'
import { api } from '../api/api.ts'
import { identity, text } from '../field/kinds.ts'
import { operations } from '../operation/table.ts'
import { resource } from '../resource/resource.ts'
import { change, hasHistory } from './change.ts'
import { link } from './link.ts'
import { noun } from './noun.ts'

const user = noun('user', { id: identity(), name: text() }, { history: true })
const role = noun('role', { id: identity(), name: text() })
const options = { versioning: 'per-noun', writes: 'nested' } as const

it('has read operations only, below a noun with history and at the root', () => {
  const directory = api('directory', {
    ...options,
    resources: [resource(user, { offers: [], children: [resource(change)] }), resource(change)],
  })
  expect(operations(directory).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /user/{userId}/change',
    'GET /user/change',
    'GET /user/{userId}/change/{id}',
    'GET /change',
    'GET /change/{id}',
  ])
})

it('can be filtered by a range of times, and not by values of records', () => {
  const [list] = operations(api('directory', { ...options, resources: [resource(change)] }))
  const names = list?.list?.parameters.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['record', 'user', 'kind', 'timeFrom', 'timeTo']))
  expect(names?.filter((name) => ['fields', 'before', 'after'].includes(name))).toEqual([])
  const sort = list?.list?.parameters.find(({ kind }) => kind === 'sort')
  expect(sort && 'fields' in sort ? [...sort.fields].map(([name]) => name) : []).not.toContain('after')
})

it('is not possible below a noun without history, and cannot be written', () => {
  const children = [resource(change)] as const
  // @ts-expect-error: the noun has no history
  const below = resource(role, { children })
  expect(() => operations(api('directory', { ...options, resources: [below] }))).toThrow(
    'resource "change" below "role": the noun "role" has no history.',
  )
  expect(() => api('directory', { ...options, resources: [resource(change, { offers: ['list', 'create'] })] })).toThrow(
    'resource "change": the operation "create" is not possible: the database writes the history.',
  )
})

it('is recorded for links of a noun with history', () => {
  const other = noun('other', { id: identity() })
  expect([user, role, link(user, role), link(role, other)].map(hasHistory)).toEqual([true, false, true, false])
})
