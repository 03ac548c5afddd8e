// The columns of the lists of the directory.
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { serviceOf, type Variant } from '../service/service.ts'
import { allColumns, cheapestVariant, initialNames, leadingNames } from './columns.ts'

const service = serviceOf('directory', [{ document: directory, base: 'http://localhost' }])
const at = (path: string) => {
  const collection = service.collections.find((candidate) => candidate.path === path)
  if (!collection) throw new Error(`There is no ${path}.`)
  return collection
}
const user = at('/user')

it('start with the label and end with the ID', () => {
  expect(initialNames(service, user, user.variants[0] as Variant)).toEqual(['firstName', 'lastName', 'email', 'id'])
  expect(allColumns(service, user).map(({ name }) => name)).toEqual([
    'firstName',
    'lastName',
    'email',
    'phone',
    'extension',
    'status',
    'department',
    'supervisor',
    'created',
    'lastUpdated',
    'id',
  ])
  expect(leadingNames(service, user, user.fields)).toEqual(['firstName', 'lastName'])
  const [id, , , email] = user.variants[0]?.columns ?? []
  expect(leadingNames(service, user, id && email ? [id, email] : [])).toEqual(['id'])
})

it('of a history are in the order of a sentence, without those that the page of an entry shows better', () => {
  const change = at('/change')
  expect(initialNames(service, change, change.variants[0] as Variant).slice(0, 5)).toEqual([
    'id',
    'time',
    'user',
    'application',
    'kind',
  ])
})

it('come from the variant with the fewest others', () => {
  const pathFor = (...names: string[]) => cheapestVariant(user, names)?.path
  expect(pathFor('firstName', 'id')).toBe('/user-summary')
  expect(pathFor('firstName', 'email')).toBe('/user')
  expect(pathFor('firstName', 'status')).toBe('/user-detail')
  expect(pathFor('firstName', 'unknown')).toBe('/user-summary')
})
