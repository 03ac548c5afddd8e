// Invalid URLs: each causes a problem, and changes nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectProblem, expectSuggestion, openOnce } from './service.ts'
import { expectUnchanged } from './unchanged.ts'

const service = openOnce(5)
const { get, patch, del, put, send } = service

const invalidEncodings = [
  '%',
  '%z',
  '%zz',
  '%4',
  '%f',
  '%ff',
  '%c3',
  '%c3%28',
  '%c0%af',
  '%ed%a0%80',
  '%f5%80%80%80',
  'a%',
  '%e2%82',
  '%u0041',
]

describe('percent-encoding', () => {
  it.each(invalidEncodings)('bad url: %s in a path is rejected', async (part) => {
    for (const url of [
      `/user/${part}`,
      `/user/by-email/${part}`,
      `/v1/application/by-guid/${part}`,
      `/user/${part}/preference`,
    ]) {
      expectProblem(await get(url), 'malformed-url', part)
    }
    const json = { 'content-type': 'application/json' }
    await expectUnchanged(service, async () => {
      expectProblem(await send('PATCH', `/user/1${part}`, '{"phone":"1"}', json), 'malformed-url')
      expectProblem(await del(`/user/1${part}`), 'malformed-url')
    })
  })

  it.each(invalidEncodings)('bad url: %s in a query is rejected', async (part) => {
    for (const url of [
      `/user?firstName=${part}`,
      `/user?${part}=1`,
      `/user?search=a&lastName=${part}`,
      `/user/1?x=${part}`,
    ]) {
      expectProblem(await get(url), 'malformed-url', part)
    }
  })

  it('bad url: percent encoding is decoded once', async () => {
    expectProblem(await get('/user/%2531'), 'record-not-found')
    expect((await get('/user/%31')).status).toBe(200)
    expect((await get<{ results: unknown[] }>('/user?firstName=%2541')).body.results).toEqual([])
    expect((await get('/%75ser/1')).status).toBe(200)
    expect((await get('/user%2F1')).status).toBe(404)
    expect((await get<{ results: { id: number }[] }>('/user?%69d=%33')).body.results.map(({ id }) => id)).toEqual([3])
  })
})

describe('characters that a string cannot contain', () => {
  it('bad url: U+0000 in a query is rejected', async () => {
    for (const name of [
      'firstName',
      'email',
      'search',
      'created',
      'status',
      'id',
      'include',
      'sort',
      'createdOrUpdatedFrom',
      'pageNumber',
    ]) {
      expectProblem(await get(`/user?${name}=a%00b`), 'invalid-parameter', name)
    }
    expectProblem(await get('/user?first%00Name=a'), 'unknown-parameter')
  })

  it('bad url: U+0000 in a path matches no record', async () => {
    for (const url of [
      '/user/%00',
      '/user/1%00',
      '/user/by-email/%00',
      '/v1/user/by-username/a%00',
      '/v1/application/by-guid/%00',
      '/%00',
    ]) {
      expect([400, 404]).toContain((await get(url)).status)
    }
  })
})

describe('names', () => {
  it.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__proto__[x]',
    'id[]',
    'id[$ne]',
    'id.x',
    '',
    ' ',
  ])('bad url: the unknown parameter "%s" is rejected', async (name) => {
    for (const path of ['/user', '/user/1/preference', '/v1/application/1/user', '/department']) {
      expectProblem(await get(`${path}?${encodeURIComponent(name)}=1`), 'unknown-parameter', name)
    }
  })

  it.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '..',
    '.',
    '%2e%2e',
    '*',
    ':id',
    '{id}',
    ';',
    "'",
  ])('bad url: a path with "%s" is 404', async (name) => {
    for (const url of [
      `/user/${name}x`,
      `/user/by-email/${name}`,
      `/user/1/preference/${name}x`,
      `/v1/role/${name}x`,
      `/${name}x`,
    ]) {
      expect((await get(url)).status, url).toBe(404)
    }
  })

  it('bad url: an unknown parameter is rejected on every method', async () => {
    await expectUnchanged(service, async () => {
      expectProblem(await patch('/user/1?lastName=x', { phone: '1' }), 'unknown-parameter', 'lastName')
      expectProblem(await put('/department/1?x=1', { name: 'x', retired: false }), 'unknown-parameter', '"x"')
      expectProblem(await del('/user/1?force=true'), 'unknown-parameter', 'force')
      expectProblem(await put('/v1/user/1/role/2?x=1'), 'unknown-parameter', '"x"')
      expectProblem(await service.post('/department?x=1', { name: 'x' }), 'unknown-parameter', '"x"')
    })
  })

  it.each([
    ['pagesize', 'pageSize'],
    ['pageNum', 'pageNumber'],
    ['page_size', 'pageSize'],
    ['includes', 'include'],
    ['sorted', 'sort'],
    ['serach', 'search'],
    ['supervisr', 'supervisor'],
    ['createdOrUpdatedT', 'createdOrUpdatedTo'],
  ])('bad url: %s gets a suggestion', async (misspelt, suggestion) => {
    const problem = expectProblem(await get(`/user?${misspelt}=1`), 'unknown-parameter', misspelt)
    expectSuggestion(problem, suggestion)
  })
})

describe('length', () => {
  it('bad url: an ID that is too long is 404, and a value that is too long matches no record', async () => {
    for (const length of [20, 100, 101, 1000, 8000]) {
      expect((await get(`/user/${'9'.repeat(length)}`)).status).toBe(404)
      expect((await get(`/user/by-email/${'a'.repeat(length)}@example.com`)).status).toBe(404)
      expect((await get<{ results: unknown[] }>(`/user?firstName=${'a'.repeat(length)}`)).body.results).toEqual([])
      expectProblem(await get(`/user?id=${'9'.repeat(length)}`), 'invalid-parameter', 'id')
      expectProblem(await get(`/user?include=${'9'.repeat(length)}`), 'invalid-parameter', 'include')
    }
  })

  it('bad url: hundreds of values are accepted', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => `id=${index + 1}`).join('&')
    expect((await service.listAll(`/user?${many}`)).length).toBe(5)
    const include = Array.from({ length: 1000 }, (_, index) => `include=${index + 1}`).join('&')
    expect((await service.listAll(`/user?firstName=nobody&${include}`)).length).toBe(5)
  })

  it('bad url: too many values of a parameter are rejected, and the problem has the limit', async () => {
    const times = (count: number, text: string) => Array.from({ length: count }, () => text).join('&')
    for (const [name, limit, text] of [
      ['search', 10, 'search=a'],
      ['id', 1000, 'id=1'],
      ['firstName', 1000, 'firstName=a'],
      ['include', 1000, 'include=1'],
      ['sort', 11, 'sort=lastName'],
    ] as const) {
      expect((await get(`/user?${times(limit, text)}`)).status, name).toBe(200)
      const response = await get(`/user?${times(limit + 1, text)}`)
      expectProblem(response, 'invalid-parameter', `"${name}" was sent ${limit + 1} times`, `at most ${limit} times`)
    }
  })

  it('bad url: a search string has at most 200 characters', async () => {
    expect((await get(`/user?search=${encodeURIComponent('\u{1f600}'.repeat(200))}`)).status).toBe(200)
    for (const text of ['\u{1f600}'.repeat(201), 'a'.repeat(15_000)])
      expectProblem(
        await get(`/user?search=${text.length > 402 ? text : encodeURIComponent(text)}`),
        'invalid-parameter',
        'at most 200 characters',
      )
  })
})

describe('random URLs', () => {
  it('bad url: no URL causes a status 500', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        'user',
        'v1',
        'role',
        'application',
        'by-email',
        'preference',
        '1',
        '2',
        '',
        '..',
        '%00',
        '%2f',
        '%',
        'user-detail',
      ),
      fc.string({ maxLength: 8 }).map(encodeURIComponent),
      fc.webSegment(),
    )
    const name = fc.constantFrom(
      'pageNumber',
      'pageSize',
      'include',
      'sort',
      'search',
      'id',
      'supervisor',
      'created',
      'createdOrUpdatedTo',
      '__proto__',
    )
    const value = fc.oneof(
      fc.string({ maxLength: 8 }).map(encodeURIComponent),
      fc.constantFrom('1', '', '%', '-1', '1e3', 'lastName'),
    )
    const url = fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 6 }), fc.array(fc.tuple(name, value), { maxLength: 4 }))
      .map(
        ([parts, pairs]) =>
          `/${parts.join('/')}${pairs.length ? '?' : ''}${pairs.map((pair) => pair.join('=')).join('&')}`,
      )
    await fc.assert(
      fc.asyncProperty(url, async (target) => {
        const { status } = await get(target.replace(/^\/+/, '/'))
        expect([200, 400, 404]).toContain(status)
      }),
      { numRuns: 300 },
    )
  })
})
