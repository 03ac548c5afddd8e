// The records that a delete affects, from the documents of the directory.
import access from '@nomen/directory/openapi/access.json' with { type: 'json' }
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { serviceOf } from '../service/service.ts'
import { dependentsOf } from './dependents.ts'

const base = 'http://localhost'
const service = serviceOf('directory', [
  { document: directory, base },
  { document: access, base },
])

function dependents(path: string): readonly string[] {
  const collection = service.collections.find((candidate) => candidate.path === path)
  if (!collection) throw new Error(`There is no ${path}.`)
  return dependentsOf(service, collection).map(({ kind, variant, parameter }) =>
    [kind, variant.path, parameter].filter(Boolean).join(' '),
  )
}

it('are records that reference it, in every document', () => {
  expect(dependents('/department')).toEqual(['reference /user department'])
  expect(dependents('/v1/application')).toEqual([
    'reference /v1/role applicationRef',
    'reference /v1/action applicationRef',
  ])
})

it('are records that it owns, and those that are linked with it, from both sides', () => {
  expect(dependents('/user')).toEqual([
    'owned /user/{userId}/preference',
    'reference /user supervisor',
    'reference /v1/user createdBy',
    'reference /v1/user updatedBy',
  ])
  expect(dependents('/v1/role')).toEqual(['linked /v1/role/{roleRef}/action', 'link /v1/user/{userRef}/role roleRef'])
  expect(dependents('/v1/action')).toEqual(['link /v1/role/{roleRef}/action actionRef'])
})
