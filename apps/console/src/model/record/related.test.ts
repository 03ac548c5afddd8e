// The lists that belong to a record.
import access from '@nomen/directory/openapi/access.json' with { type: 'json' }
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { type Collection, serviceOf } from '../service/service.ts'
import { relatedLists, relatedQuery } from './related.ts'

const service = serviceOf('directory', [
  { document: directory, base: '' },
  { document: access, base: '' },
])

function listsOf(key: string) {
  return relatedLists(service, service.collections.find((collection) => collection.key === key) as Collection)
}

describe('the lists of a record', () => {
  it('are those below it, and those of nouns that reference it, once for each field', () => {
    expect(listsOf('/department').map(({ title, key }) => [title, key])).toEqual([
      ['History', 'change'],
      ['Users', 'user.department'],
    ])
    expect(listsOf('/user').map(({ title, key }) => [title, key])).toEqual([
      ['Preferences', 'preference'],
      ['History', 'change'],
      ['Users (Supervisor)', 'user.supervisor'],
    ])
  })

  it('have a noun once if the list below the record has its references', () => {
    expect(listsOf('/v1/application').map(({ title, key }) => [title, key])).toEqual([
      ['Roles', 'role'],
      ['Users', 'user'],
      ['Actions', 'action.applicationRef'],
    ])
  })

  it('filter the records of the noun by the ID', () => {
    const list = listsOf('/department').find(({ parameter }) => parameter !== undefined)
    expect(list && `${relatedQuery(list, 7, new URLSearchParams('sort=id'))}`).toBe('sort=id&department=7')
  })
})
