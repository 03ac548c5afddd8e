// Entries of the history as the console reads them.
import access from '@nomen/directory/openapi/access.json' with { type: 'json' }
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { libraryDocument } from '../../../test/library-document.ts'
import type { Json } from '../service/openapi.ts'
import { type Api, type Collection, serviceOf } from '../service/service.ts'
import { entriesBetween, entryFields, entryFrom, fieldChanges, locate, recordNames } from './entry.ts'
import { canReadPast, entriesOfRecord, entryColumns, isHistory } from './history.ts'

const base = 'http://localhost'
const service = serviceOf('directory', [
  { document: directory, base },
  { document: access, base },
])
const library = serviceOf(undefined, [{ document: libraryDocument, base }])
const api = service.apis[0] as Api

function at(path: string): Collection {
  const found = service.collections.find((collection) => collection.path === path)
  if (!found) throw new Error(`There is no ${path}.`)
  return found
}

function entry(values: Json) {
  return entryFrom({ id: 1, time: '2026-11-01T08:00:00.000Z', noun: 'user', record: 'user/7', ...values })
}

function changed(before: object, after: object) {
  const fields = Object.keys(after).join(',')
  return entry({ kind: 'CHANGED', fields, before: JSON.stringify(before), after: JSON.stringify(after) })
}

describe('an entry', () => {
  it('has its values as objects, and none if they are missing or malformed', () => {
    expect(changed({ phone: '1' }, { phone: '2' })).toMatchObject({
      fields: ['phone'],
      before: { phone: '1' },
      after: { phone: '2' },
      user: undefined,
    })
    expect(entry({ before: '{', after: null, fields: null })).toMatchObject({ before: {}, after: {}, fields: [] })
  })

  it('of a link is about two records, and of an owned record about one', () => {
    expect(recordNames(entry({ kind: 'LINKED', linked: 'role/3' }))).toEqual(['user/7', 'role/3'])
    expect(recordNames(entry({ kind: 'CREATED', record: 'preference/2', linked: 'user/7' }))).toEqual(['preference/2'])
  })

  it('finds its record at the root, or below its owner', () => {
    const pathOf = (...names: [string, string?]) => {
      const { collection, ids } = locate(service, api, ...names) ?? {}
      return collection && [collection.path, ids]
    }
    expect(pathOf('user/7')).toEqual(['/user', ['7']])
    expect(pathOf('role/3')).toEqual(['/v1/role', ['3']])
    expect(pathOf('preference/2', 'user/7')).toEqual(['/user/{userId}/preference', ['7', '2']])
    expect(pathOf('preference/2')).toBeUndefined()
    expect(pathOf('user')).toBeUndefined()
    expect(pathOf('planet/1', 'star/2')).toBeUndefined()
  })

  it('shows its fields by the titles and types of the service, and leaves out those that the service sets', () => {
    const both = changed(
      { department: 1, phone: '', lastUpdated: 'a' },
      { department: 2, phone: '5', lastUpdated: 'b' },
    )
    const fields = entryFields(service, both, at('/user'))
    expect(fieldChanges(both, fields).map(({ field, before, after }) => [field.title, before, after])).toEqual([
      ['Phone', '', '5'],
      ['Department', 1, 2],
    ])
    expect(fields.find(({ name }) => name === 'department')?.reference).toBe('department')
    const stamp = changed({ lastUpdated: 'a' }, { lastUpdated: 'b' })
    expect(fieldChanges(stamp, entryFields(service, stamp, at('/user'))).map(({ field }) => field.title)).toEqual([
      'Last updated',
    ])
    // Only the other api shows the first one, and no document has the second one.
    const others = changed({ username: 'a', shoeSize: 1 }, { username: 'b', shoeSize: 2 })
    expect(entryFields(service, others, at('/user')).map(({ title }) => title)).toEqual(['Username', 'Shoe size'])
  })
})

describe('the entries between two states', () => {
  const second = changed({ phone: '1' }, { phone: '2' })
  const other = changed({ extension: 'x' }, { extension: 'y' })
  const first = changed({ phone: '0' }, { phone: '1' })

  it('are those after the earlier state that changed a differing field', () => {
    const present = { phone: '2', extension: 'y', email: 'a@b.c' }
    expect(entriesBetween([second, other, first], { ...present, phone: '1' }, present)).toEqual([second])
    expect(entriesBetween([second, other, first], { ...present, phone: '0' }, present)).toEqual([second, first])
    expect(entriesBetween([second, other, first], { ...present, phone: '1', extension: 'x' }, present)).toEqual([
      second,
      other,
    ])
    expect(entriesBetween([second, other, first], present, present)).toEqual([])
  })
})

describe('the history of a service', () => {
  it('is found by its properties', () => {
    expect(service.collections.filter(isHistory).map(({ path }) => path)).toEqual([
      '/user/{userId}/change',
      '/department/{departmentId}/change',
      '/change',
      '/v1/user/{userRef}/change',
      '/v1/role/{roleRef}/change',
      '/v1/change',
    ])
    expect(library.collections.filter(isHistory)).toEqual([])
  })

  it('lists the entries of a record', () => {
    const list = entriesOfRecord(service, at('/user/{userId}/preference'), [7, 2], 5)
    expect([list?.variant.path, list?.ids, `${list?.query}`]).toEqual([
      '/change',
      [],
      'record=preference%2F2&pageSize=5',
    ])
    const [book] = library.collections
    expect(book && entriesOfRecord(library, book, [1], 5)).toBeUndefined()
  })

  it('can read records as they were, if their noun is recorded', () => {
    expect([canReadPast(at('/user')), canReadPast(at('/v1/action'))]).toEqual([true, false])
  })

  it('has columns in the order of a sentence, and one filter for exact times and ranges of times', () => {
    const [variant] = at('/change').variants
    const names = entryColumns(variant?.columns ?? []).map(({ name }) => name)
    expect(names.slice(0, 6)).toEqual(['id', 'time', 'user', 'application', 'kind', 'record'])
    const [time, ...others] = variant?.filters.filter(({ title }) => title === 'Time') ?? []
    expect([time?.exact, time?.range, others]).toEqual(['time', { from: 'timeFrom', to: 'timeTo' }, []])
  })
})
