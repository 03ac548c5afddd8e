import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Collection, rootsOf, type Service, serviceOf } from '../service/service.ts'
import {
  differsFrom,
  isViewOf,
  type SavedView,
  sharedViewBody,
  sharedViewCollection,
  sharedViewFrom,
  viewPath,
} from './saved-view.ts'

const documentOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../directory/src/openapi/${name}.json`, import.meta.url), 'utf8'))

const base = 'https://example.com'
const service = serviceOf(undefined, [
  { document: documentOf('directory'), base },
  { document: documentOf('access'), base },
])
const keeperIn = ({ apis }: Service, index: number) =>
  sharedViewCollection({ ...service, apis }, apis[index] as Service['apis'][number])
const keeper = keeperIn(service, 0) as Collection

const record = { id: 7, name: 'Suspended', path: '/user', query: 'status=SUSPENDED&sort=lastName' }

describe('the collection of shared views', () => {
  it('serves all lists with the same base URL', () => {
    expect(keeper.path).toBe('/saved-view')
    expect(keeperIn(service, 1)).toBe(keeper)
    const apart = serviceOf(undefined, [
      { document: documentOf('directory'), base },
      { document: documentOf('access'), base: 'https://other.example.com' },
    ])
    expect(keeperIn(apart, 1)).toBeUndefined()
  })

  it('has the properties of a view, not only the name', () => {
    const text = JSON.stringify(documentOf('directory')).replaceAll('"query":{', '"question":{')
    expect(keeperIn(serviceOf(undefined, [{ document: JSON.parse(text), base }]), 0)).toBeUndefined()
  })
})

describe('a shared view', () => {
  it('is a view of the list at its path', () => {
    const view = sharedViewFrom(service, keeper, record) as SavedView
    expect(view).toMatchObject({ name: 'Suspended', address: '/user?status=SUSPENDED&sort=lastName' })
    expect(viewPath(view)).toBe('/user?status=SUSPENDED&sort=lastName&_view=shared-7')
    const isOf = service.apis.flatMap(rootsOf).filter((collection) => isViewOf(view, collection))
    expect(isOf.map(({ path }) => path)).toEqual(['/user'])
    expect(sharedViewFrom(service, keeper, { ...record, path: '/user-detail' })?.list).toBe(view.list)
    expect(sharedViewBody(view)).toEqual({ name: 'Suspended', path: '/user', query: 'status=SUSPENDED&sort=lastName' })
  })

  it('is left out if the service has no such list', () => {
    for (const path of ['/nope', '/user/1', '/', '//example.com', 'javascript:alert(1)'])
      expect(sharedViewFrom(service, keeper, { ...record, path }), path).toBeUndefined()
  })
})

describe('a list with a view', () => {
  const view = (address: string): SavedView => ({ id: 'a', name: 'A', list: '', address })

  it('differs in its filters, sort, columns and page size', () => {
    const saved = view('/user?_columns=email&pageSize=10&sort=lastName')
    expect(differsFrom(saved, '/user-detail?sort=lastName&pageSize=10&_columns=email')).toBe(false)
    for (const query of ['pageSize=25&_columns=email&sort=lastName', 'pageSize=10&_columns=id&sort=lastName'])
      expect(differsFrom(saved, `/user?${query}`), query).toBe(true)
    expect(differsFrom(saved, '/user?_columns=email&pageSize=10')).toBe(true)
    expect(differsFrom(saved, '/user?_columns=email&pageSize=10&sort=lastName&status=ACTIVE')).toBe(true)
  })

  it('may have any columns and page size if the view names none', () => {
    expect(differsFrom(view('/user?status=ACTIVE'), '/user?_columns=id&pageSize=50&status=ACTIVE')).toBe(false)
    expect(differsFrom(view('/user?status=ACTIVE'), '/user?_columns=id&pageSize=50')).toBe(true)
  })
})
