// Conditional requests: ETag, If-Match and If-None-Match.
import { api, identity, noun, resource, text } from '@nomen/core'
import { service } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { newUser, type User } from './record.ts'
import { expectProblem, openEach, openFresh, requestsTo } from './service.ts'

const { get, head, post, put, patch, del } = openEach()

describe('ETag', () => {
  const single = [
    '/user/1',
    '/user/1/preference/1',
    '/department/1',
    '/v1/user/1',
    '/v1/application/1',
    '/v1/role/1',
    '/v1/action/1',
    '/v1/user/1/role/1',
    '/v1/application/1/user/1/role/1',
  ]
  it.each(single)('decision etag: a single record has a strong ETag: %s', async (url) => {
    const { headers } = await get(url)
    expect(headers.etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect((await get(url)).headers.etag).toBe(headers.etag)
    expect((await head(url)).headers.etag).toBe(headers.etag)
  })

  it('decision etag: the response to a lookup, a create, an update or a link has the ETag of the record', async () => {
    const created = await post<User>('/user', newUser('tagged'))
    const url = `/user/${created.body.id}`
    expect(created.headers.etag).toBe((await get(url)).headers.etag)
    expect((await get('/user/by-email/tagged@example.com')).headers.etag).toBe(created.headers.etag)
    const patched = await patch<User>(url, { phone: '1' })
    expect(patched.headers.etag).toBe((await get(url)).headers.etag)
    const replaced = await put<User>(url, patched.body)
    expect(replaced.headers.etag).toBe((await get(url)).headers.etag)
    expect((await put('/v1/user/1/role/1')).headers.etag).toBe((await get('/v1/role/1')).headers.etag)
  })

  it('decision etag: a list has no ETag', async () => {
    for (const url of ['/user', '/user/1/preference', '/v1/application/1/user']) {
      expect((await get(url)).headers.etag).toBeUndefined()
    }
  })

  it('decision etag: each view of each record has a different ETag', async () => {
    const tags = await Promise.all(
      ['/user/1', '/v1/user/1', '/user/2', '/department/1'].map(async (url) => (await get(url)).headers.etag),
    )
    expect(new Set(tags).size).toBe(4)
  })

  it('decision etag: a change through one view changes the ETags of both views', async () => {
    const tags = async () => [(await get('/user/1')).headers.etag, (await get('/v1/user/1')).headers.etag]
    const before = await tags()
    await patch('/v1/user/1', { avatarColor: null })
    const after = await tags()
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })

  it('decision etag: an ETag is not reused when an old value returns', async () => {
    const { body, headers } = await get<User>('/user/1')
    await patch('/user/1', { lastName: 'x' })
    expect((await patch('/user/1', { lastName: body.lastName })).headers.etag).not.toBe(headers.etag)
  })
})

describe('If-Match', () => {
  it('decision if-match: a change with the current ETag succeeds', async () => {
    const first = await get<User>('/user/1')
    const second = await patch<User>('/user/1', { phone: '1' }, { 'if-match': first.headers.etag ?? '' })
    expect(second.status).toBe(200)
    const third = await put('/user/1', { ...second.body, phone: '2' }, { 'if-match': second.headers.etag ?? '' })
    expect(third.status).toBe(200)
    expect((await del('/user/1', { 'if-match': third.headers.etag ?? '' })).status).toBe(200)
  })

  it('decision if-match: a change with an old ETag is 412 and changes nothing', async () => {
    const { headers } = await get<User>('/user/1')
    const { body: now } = await patch<User>('/user/1', { phone: '1' })
    const old = { 'if-match': headers.etag ?? '' }
    const problem = expectProblem(await patch('/user/1', { phone: '2' }, old), 'precondition-failed')
    expect([problem.detail, problem.hint]).toEqual([
      'The ETag of the user does not match If-Match.',
      'Read the record again, and repeat the request with its current ETag.',
    ])
    expectProblem(await put('/user/1', { ...now, phone: '2' }, old), 'precondition-failed')
    expectProblem(await del('/user/1', old), 'precondition-failed')
    expect((await get('/user/1')).body).toEqual(now)
  })

  it('decision if-match: the second of two changes with the same ETag is 412', async () => {
    const { headers } = await get<User>('/user/1')
    const tag = { 'if-match': headers.etag ?? '' }
    const responses = await Promise.all(['1', '2', '3', '4'].map((phone) => patch('/user/1', { phone }, tag)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
  })

  it('decision if-match: it accepts a list of ETags, and * for any', async () => {
    const { headers } = await get('/user/1')
    expect((await patch('/user/1', { phone: '1' }, { 'if-match': `"x", ${headers.etag} ,"y"` })).status).toBe(200)
    expect((await patch('/user/1', { phone: '2' }, { 'if-match': '*' })).status).toBe(200)
    expectProblem(await patch('/user/1', { phone: '3' }, { 'if-match': '"x", "y"' }), 'precondition-failed')
    expectProblem(await patch('/user/9999', { phone: '3' }, { 'if-match': '*' }), 'record-not-found')
  })

  it('decision if-match: a weak ETag or one without quotes never matches, and the hint says so', async () => {
    const { headers } = await get('/user/1')
    const unquoted = `${headers.etag}`.slice(1, -1)
    for (const tag of [`W/${headers.etag}`, `w/${headers.etag}`, `x${headers.etag}`, unquoted]) {
      const { hint } = expectProblem(await patch('/user/1', { phone: '1' }, { 'if-match': tag }), 'precondition-failed')
      expect(hint).toMatch(/with its current ETag, in double quotes and without W\/\.$/)
    }
  })

  it('decision if-match: the ETag of another view does not match', async () => {
    const { headers } = await get('/v1/user/1')
    expectProblem(await patch('/user/1', { phone: '1' }, { 'if-match': headers.etag ?? '' }), 'precondition-failed')
  })

  const linked = '/v1/user/1/role/1'

  it('decision if-match: a link is created or removed only if the ETag matches', async () => {
    const { headers } = await get(linked)
    const old = { 'if-match': headers.etag ?? '' }
    expect((await put(linked, undefined, old)).headers.etag).toBe(headers.etag)
    await patch('/v1/role/1', { description: 'changed' })
    expectProblem(await put(linked, undefined, old), 'precondition-failed')
    expectProblem(await del(linked, old), 'precondition-failed')
    const now = (await get(linked)).headers.etag ?? ''
    expect(now).not.toBe(headers.etag)
    expect((await del(linked, { 'if-match': `"x", ${now}` })).status).toBe(200)
    expect((await get(linked)).status).toBe(404)
  })

  it('decision if-match: a missing link has no ETag and is not created', async () => {
    await del(linked)
    const { etag = '' } = (await get('/v1/role/1')).headers
    for (const tag of ['*', etag]) {
      const { detail, hint } = expectProblem(await put(linked, undefined, { 'if-match': tag }), 'precondition-failed')
      expect(`${detail} ${hint}`).toBe(
        'The role is not linked with the user, so If-Match cannot match. Remove If-Match to link them.',
      )
      expectProblem(await del(linked, { 'if-match': tag }), 'record-not-found')
    }
    expect((await get(linked)).status).toBe(404)
    expectProblem(await put('/v1/user/1/role/9999', undefined, { 'if-match': '*' }), 'record-not-found')
    expectProblem(await put('/v1/user/9999/role/1', undefined, { 'if-match': '*' }), 'record-not-found')
  })

  it('decision if-match: a create with If-Match is rejected, because a new record has no ETag', async () => {
    const before = (await get('/user')).body
    for (const name of ['If-Match', 'If-None-Match']) {
      const response = await post('/user', newUser('conditional'), { [name.toLowerCase()]: '*' })
      expect(expectProblem(response, 'invalid-header').detail).toBe(
        `POST /user does not support ${name}: a new record has no ETag yet.`,
      )
    }
    expect((await get('/user')).body).toEqual(before)
  })

  it('decision if-match: a record is read only if its ETag matches', async () => {
    const { headers } = await get('/user/1')
    const { email } = (await get<User>('/user/1')).body
    const etag = headers.etag ?? ''
    for (const url of ['/user/1', `/user/by-email/${email}`]) {
      for (const tag of [etag, `"x", ${etag}`, '*']) {
        const conditionalRead = await get<User>(url, { 'if-match': tag })
        expect([conditionalRead.status, conditionalRead.headers.etag]).toEqual([200, etag])
        expect((await head(url, { 'if-match': tag })).status).toBe(200)
      }
      for (const tag of ['"x"', `W/${etag}`, 'x', '']) {
        const { detail, hint } = expectProblem(await get(url, { 'if-match': tag }), 'precondition-failed')
        expect(`${detail} ${hint}`).toBe(
          'The ETag of the user does not match If-Match. Remove If-Match to read the current record.',
        )
        expect((await head(url, { 'if-match': tag })).status).toBe(412)
      }
    }
    await patch('/user/1', { phone: '1' })
    expectProblem(await get('/user/1', { 'if-match': etag }), 'precondition-failed')
  })

  it('decision if-match: it is checked before If-None-Match, and after the record is found', async () => {
    const { etag = '' } = (await get('/user/1')).headers
    expectProblem(await get('/user/1', { 'if-match': '"x"', 'if-none-match': etag }), 'precondition-failed')
    expect((await get('/user/1', { 'if-match': etag, 'if-none-match': etag })).status).toBe(304)
    expect((await get('/user/1', { 'if-match': etag, 'if-none-match': '"x"' })).status).toBe(200)
    expectProblem(await get('/user/9999', { 'if-match': '"x"' }), 'record-not-found')
    expectProblem(await get('/user/9999', { 'if-match': '*' }), 'record-not-found')
    expectProblem(await get('/user/1?name=x', { 'if-match': '"x"' }), 'unknown-parameter')
  })

  it.each(['/user', '/user-summary', '/user-detail', '/user/1/preference'])(
    'decision if-match: a list has no ETag, so only * matches: %s',
    async (url) => {
      expect((await get(url, { 'if-match': '*' })).body).toEqual((await get(url)).body)
      const { etag = '' } = (await get('/user/1')).headers
      for (const tag of ['"x"', etag, '']) {
        const { detail, hint } = expectProblem(await get(url, { 'if-match': tag }), 'precondition-failed')
        expect(`${detail} ${hint}`).toMatch(
          /^GET \/user\S* returns no ETag, so If-Match cannot match. Remove If-Match.$/,
        )
        expect((await head(url, { 'if-match': tag })).status).toBe(412)
      }
      expectProblem(await get(`${url}?pageSise=1`, { 'if-match': '"x"' }), 'unknown-parameter')
      expectProblem(await get('/user/9999/preference', { 'if-match': '"x"' }), 'record-not-found')
    },
  )

  it('decision if-match: it is optional by default', async () => {
    expect((await patch('/user/1', { phone: '1' })).status).toBe(200)
  })

  it('decision if-match: a resource may require it', async () => {
    const note = noun('note', { id: identity(), title: text() })
    const notes = api('notes', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(note, { ifMatch: 'required' })],
    })
    const app = await openFresh(service({ name: 'notes', apis: [notes] }))
    try {
      const guardedService = requestsTo(() => app)
      const created = await guardedService.post('/note', { title: 'a' })
      expect(created.status).toBe(201)
      const { detail, hint } = expectProblem(
        await guardedService.patch('/note/1', { title: 'b' }),
        'precondition-required',
      )
      expect(`${detail} ${hint}`).toContain('If-Match')
      expectProblem(await guardedService.put('/note/1', { title: 'b' }), 'precondition-required', 'Changing this note')
      expectProblem(await guardedService.del('/note/1'), 'precondition-required', 'Deleting this note requires')
      expectProblem(await guardedService.patch('/note/2', { title: 'b' }), 'record-not-found')
      expect(
        (await guardedService.patch('/note/1', { title: 'b' }, { 'if-match': created.headers.etag ?? '' })).status,
      ).toBe(200)
      expect((await guardedService.get('/note/1')).body).toEqual({ id: 1, title: 'b' })
    } finally {
      await app.close()
    }
  })
})

describe('If-None-Match', () => {
  it('decision if-none-match: an unchanged record is 304, with its ETag and no body', async () => {
    const { headers } = await get('/user/1')
    for (const tag of [headers.etag ?? '', `W/${headers.etag}`, `"x", ${headers.etag}`, '*']) {
      const response = await get('/user/1', { 'if-none-match': tag })
      expect([response.status, response.text, response.headers.etag]).toEqual([304, '', headers.etag])
      expect((await head('/user/1', { 'if-none-match': tag })).status).toBe(304)
    }
  })

  it('decision if-none-match: text before the quotes, such as w/ in lower case, is not an ETag', async () => {
    const { headers } = await get('/user/1')
    for (const tag of [`w/${headers.etag}`, `x${headers.etag}`])
      expect((await get('/user/1', { 'if-none-match': tag })).status, tag).toBe(200)
  })

  it('decision if-none-match: a changed record or another representation is 200', async () => {
    const { headers } = await get('/user/1')
    expect((await get('/v1/user/1', { 'if-none-match': headers.etag ?? '' })).status).toBe(200)
    await patch('/user/1', { phone: '1' })
    const { status, body } = await get<User>('/user/1', { 'if-none-match': headers.etag ?? '' })
    expect([status, body.phone]).toEqual([200, '1'])
  })

  it('decision if-none-match: a change is 412 if the ETag matches, and changes nothing', async () => {
    const { headers, body } = await get<User>('/user/1')
    const etag = headers.etag ?? ''
    for (const tag of ['*', etag, `W/${etag}`, `"x", ${etag}`]) {
      const condition = { 'if-none-match': tag }
      const { detail } = expectProblem(await patch('/user/1', { phone: '1' }, condition), 'precondition-failed')
      expect(detail).toContain('If-None-Match')
      expectProblem(await put('/user/1', { ...body, phone: '1' }, condition), 'precondition-failed')
      expectProblem(await del('/user/1', condition), 'precondition-failed')
      const conditions = { 'if-none-match': tag, 'if-match': etag }
      expectProblem(await patch('/user/1', { phone: '1' }, conditions), 'precondition-failed')
    }
    expect((await get('/user/1')).body).toEqual(body)
    expectProblem(await del('/user/9999', { 'if-none-match': '*' }), 'record-not-found')
  })

  it('decision if-none-match: a change succeeds if the ETag does not match', async () => {
    const { headers } = await get('/user/1')
    const next = headers.etag?.replace(/-(\d+)-/, (_, version) => `-${Number(version) + 1}-`)
    // The new ETag of the record is different from all earlier ones.
    const changed = await patch<User>('/user/1', { phone: '1' }, { 'if-none-match': `"x", ${next}` })
    expect([changed.status, changed.body.phone, changed.headers.etag]).toEqual([200, '1', next])
  })

  it('decision if-none-match: one of several concurrent requests creates a missing link', async () => {
    const url = '/v1/user/1/role/1'
    const any = { 'if-none-match': '*' }
    expectProblem(await put(url, undefined, any), 'precondition-failed')
    expectProblem(await del(url, any), 'precondition-failed')
    expect((await get(url)).status).toBe(200)
    await del(url)
    const responses = await Promise.all([1, 2, 3, 4].map(() => put(url, undefined, any)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    expect((await get(url)).status).toBe(200)
  })

  it('decision if-none-match: a missing record is 404', async () => {
    expectProblem(await get('/user/9999', { 'if-none-match': '*' }), 'record-not-found')
  })
})
