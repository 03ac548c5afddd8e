// The URL after the hash is the path and query of the API.
import access from '@nomen/directory/openapi/access.json' with { type: 'json' }
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, sortsOf, toggleSort, withoutFilters, withValues } from './list/query.ts'
import { fill, idsIn, type Route, routeOf, stepsTo } from './route.ts'
import { serviceOf } from './service/service.ts'

const service = serviceOf('directory', [
  { document: directory, base: '' },
  { document: access, base: '' },
])

function summaryOf(route: Route): unknown {
  if (!('collection' in route)) return route.kind
  const variant = route.kind === 'list' ? route.variant.name : ''
  return [route.kind, route.collection.path, ...route.ids, variant].filter((part) => part !== '').join(' ')
}

describe('a path', () => {
  it.each([
    ['/', 'overview'],
    ['/~schema', 'schema'],
    ['/~usage', 'usage'],
    ['/user', 'list /user list'],
    ['/user-detail', 'list /user detail'],
    ['/user/7', 'record /user 7'],
    ['/user/~new', 'create /user'],
    ['/user/7/preference', 'list /user/{userId}/preference 7 list'],
    ['/user/7/preference/~new', 'create /user/{userId}/preference 7'],
    ['/v1/application/1/user/5/role', 'list /v1/application/{applicationRef}/user/{userRef}/role 1 5 list'],
    ['/v1/application/1/user/5/role/3', 'record /v1/application/{applicationRef}/user/{userRef}/role 1 5 3'],
    ['/nothing', 'unknown'],
    ['/user//preference', 'unknown'],
  ])('%s leads to %s', (path, route) => {
    expect(summaryOf(routeOf(service, path))).toBe(route)
  })

  it('gives back every identity that it was filled with', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 2, maxLength: 2 }), (ids) => {
        const path = fill('/a/{x}/b/{y}', ids)
        expect(idsIn('/a/{}/b/{}', path)).toEqual(ids)
        expect(path).not.toContain('~new')
      }),
    )
  })

  it('has a way from the root', () => {
    const steps = stepsTo(routeOf(service, '/v1/application/1/user/5/role'))
    expect(steps.map(({ listPath, ids }) => [listPath, ids])).toEqual([
      ['/v1/application', ['1']],
      ['/v1/application/1/user', ['1', '5']],
      ['/v1/application/1/user/5/role', undefined],
    ])
  })
})

describe('the query of a list', () => {
  const query = (text: string) => new URLSearchParams(text)

  it('sorts up, down, and not at all; with Shift by several', () => {
    const steps = ['', 'sort=a', 'sort=-a', '']
    for (const [index, text] of steps.slice(0, -1).entries())
      expect(`${toggleSort(query(text), 'a', false)}`).toBe(steps[index + 1])
    expect(`${toggleSort(query('sort=a'), 'b', true)}`).toBe('sort=a&sort=b')
    // The first sort stays the first one.
    expect(`${toggleSort(query('sort=a&sort=b'), 'a', true)}`).toBe('sort=-a&sort=b')
    expect(`${toggleSort(query('sort=-a&sort=b'), 'a', true)}`).toBe('sort=b')
    expect(`${toggleSort(query('sort=a&sort=b'), 'a', false)}`).toBe('sort=-a')
    expect(sortsOf(query('sort=a&sort=-b'))).toEqual([
      { name: 'a', isDescending: false },
      { name: 'b', isDescending: true },
    ])
  })

  it('returns to the first page when another parameter changes', () => {
    expect(`${withValues(query('pageNumber=4&a=1'), 'a', ['2', '3'])}`).toBe('a=2&a=3')
    expect(`${withValues(query('a=1'), 'pageNumber', ['4'])}`).toBe('a=1&pageNumber=4')
    expect(`${withoutFilters(query('a=1&pageNumber=4&pageSize=50&sort=b&search=x'))}`).toBe('pageSize=50&sort=b')
    expect([addressOf('/user', query('')), addressOf('/user', query('a=1'))]).toEqual(['/user', '/user?a=1'])
  })
})
