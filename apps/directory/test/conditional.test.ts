// Conditional requests: entity tags, If-Match and If-None-Match.
import { api, identity, noun, resource, text } from '@nomen/core'
import { service } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { newUser, type User } from './record.ts'
import { asking, expectProblem, openedEach, openFresh } from './service.ts'

const { get, head, post, put, patch, del } = openedEach()

describe('the entity tag', () => {
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
  it.each(single)('decision etag: a single record has a strong tag: %s', async (url) => {
    const { headers } = await get(url)
    expect(headers.etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect((await get(url)).headers.etag).toBe(headers.etag)
    expect((await head(url)).headers.etag).toBe(headers.etag)
  })

  it('decision etag: a lookup, a create, an update and a link have the tag of the record', async () => {
    const made = await post<User>('/user', newUser('tagged'))
    const url = `/user/${made.body.id}`
    expect(made.headers.etag).toBe((await get(url)).headers.etag)
    expect((await get('/user/by-email/tagged@example.com')).headers.etag).toBe(made.headers.etag)
    const patched = await patch<User>(url, { phone: '1' })
    expect(patched.headers.etag).toBe((await get(url)).headers.etag)
    const replaced = await put<User>(url, patched.body)
    expect(replaced.headers.etag).toBe((await get(url)).headers.etag)
    expect((await put('/v1/user/1/role/1')).headers.etag).toBe((await get('/v1/role/1')).headers.etag)
  })

  it('decision etag: a list has none', async () => {
    for (const url of ['/user', '/user/1/preference', '/v1/application/1/user']) {
      expect((await get(url)).headers.etag).toBeUndefined()
    }
  })

  it('decision etag: two faces of one record, and two records, have two tags', async () => {
    const tags = await Promise.all(
      ['/user/1', '/v1/user/1', '/user/2', '/department/1'].map(async (url) => (await get(url)).headers.etag),
    )
    expect(new Set(tags).size).toBe(4)
  })

  it('decision etag: a change through one face changes the tag of both', async () => {
    const tags = async () => [(await get('/user/1')).headers.etag, (await get('/v1/user/1')).headers.etag]
    const before = await tags()
    await patch('/v1/user/1', { avatarColor: null })
    const after = await tags()
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })

  it('decision etag: no tag comes back when an old value does', async () => {
    const { body, headers } = await get<User>('/user/1')
    await patch('/user/1', { lastName: 'x' })
    expect((await patch('/user/1', { lastName: body.lastName })).headers.etag).not.toBe(headers.etag)
  })
})

describe('If-Match', () => {
  it('decision if-match: a change with the current tag goes through', async () => {
    const first = await get<User>('/user/1')
    const second = await patch<User>('/user/1', { phone: '1' }, { 'if-match': first.headers.etag ?? '' })
    expect(second.status).toBe(200)
    const third = await put('/user/1', { ...second.body, phone: '2' }, { 'if-match': second.headers.etag ?? '' })
    expect(third.status).toBe(200)
    expect((await del('/user/1', { 'if-match': third.headers.etag ?? '' })).status).toBe(200)
  })

  it('decision if-match: a change with an old tag is 412 and changes nothing', async () => {
    const { headers } = await get<User>('/user/1')
    const { body: now } = await patch<User>('/user/1', { phone: '1' })
    const old = { 'if-match': headers.etag ?? '' }
    expectProblem(await patch('/user/1', { phone: '2' }, old), 'precondition-failed')
    expectProblem(await put('/user/1', { ...now, phone: '2' }, old), 'precondition-failed')
    expectProblem(await del('/user/1', old), 'precondition-failed')
    expect((await get('/user/1')).body).toEqual(now)
  })

  it('decision if-match: of two changes with one tag the second is 412', async () => {
    const { headers } = await get<User>('/user/1')
    const tag = { 'if-match': headers.etag ?? '' }
    const answers = await Promise.all(['1', '2', '3', '4'].map((phone) => patch('/user/1', { phone }, tag)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
  })

  it('decision if-match: it takes a list of tags, and * for any', async () => {
    const { headers } = await get('/user/1')
    expect((await patch('/user/1', { phone: '1' }, { 'if-match': `"x", ${headers.etag} ,"y"` })).status).toBe(200)
    expect((await patch('/user/1', { phone: '2' }, { 'if-match': '*' })).status).toBe(200)
    expectProblem(await patch('/user/1', { phone: '3' }, { 'if-match': '"x", "y"' }), 'precondition-failed')
    expectProblem(await patch('/user/9999', { phone: '3' }, { 'if-match': '*' }), 'record-not-found')
  })

  it('decision if-match: a weak tag never matches', async () => {
    const { headers } = await get('/user/1')
    expectProblem(await patch('/user/1', { phone: '1' }, { 'if-match': `W/${headers.etag}` }), 'precondition-failed')
  })

  it('decision if-match: the tag of another face does not match', async () => {
    const { headers } = await get('/v1/user/1')
    expectProblem(await patch('/user/1', { phone: '1' }, { 'if-match': headers.etag ?? '' }), 'precondition-failed')
  })

  const linked = '/v1/user/1/role/1'

  it('decision if-match: a link is made anew, and parted, only where it leads to what is named', async () => {
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

  it('decision if-match: what is not linked has no tag, and is not linked by it', async () => {
    await del(linked)
    const { etag = '' } = (await get('/v1/role/1')).headers
    for (const tag of ['*', etag]) {
      const { detail, hint } = expectProblem(await put(linked, undefined, { 'if-match': tag }), 'precondition-failed')
      expect(`${detail} ${hint}`).toBe(
        'The role is not linked with the user: there is nothing that If-Match could name. Leave If-Match out to link them.',
      )
      expectProblem(await del(linked, { 'if-match': tag }), 'record-not-found')
    }
    expect((await get(linked)).status).toBe(404)
    expectProblem(await put('/v1/user/1/role/9999', undefined, { 'if-match': '*' }), 'record-not-found')
    expectProblem(await put('/v1/user/9999/role/1', undefined, { 'if-match': '*' }), 'record-not-found')
  })

  it('decision if-match: a create has nothing to be compared with it, and is refused', async () => {
    const before = (await get('/user')).body
    for (const name of ['If-Match', 'If-None-Match']) {
      const answer = await post('/user', newUser('conditional'), { [name.toLowerCase()]: '*' })
      expect(expectProblem(answer, 'invalid-header').detail).toBe(
        `POST /user looks at no ${name}: a record that is new has no tag.`,
      )
    }
    expect((await get('/user')).body).toEqual(before)
  })

  it('decision if-match: a record is read only where it is the one that is named', async () => {
    const { headers } = await get('/user/1')
    const { email } = (await get<User>('/user/1')).body
    const etag = headers.etag ?? ''
    for (const url of ['/user/1', `/user/by-email/${email}`]) {
      for (const tag of [etag, `"x", ${etag}`, '*']) {
        const named = await get<User>(url, { 'if-match': tag })
        expect([named.status, named.headers.etag]).toEqual([200, etag])
        expect((await head(url, { 'if-match': tag })).status).toBe(200)
      }
      for (const tag of ['"x"', `W/${etag}`, 'x', '']) {
        const { detail, hint } = expectProblem(await get(url, { 'if-match': tag }), 'precondition-failed')
        expect(`${detail} ${hint}`).toBe(
          'The user is not the one that If-Match names. Leave If-Match out to read it as it is now.',
        )
        expect((await head(url, { 'if-match': tag })).status).toBe(412)
      }
    }
    await patch('/user/1', { phone: '1' })
    expectProblem(await get('/user/1', { 'if-match': etag }), 'precondition-failed')
  })

  it('decision if-match: it is looked at before If-None-Match, and after what is not there', async () => {
    const { etag = '' } = (await get('/user/1')).headers
    expectProblem(await get('/user/1', { 'if-match': '"x"', 'if-none-match': etag }), 'precondition-failed')
    expect((await get('/user/1', { 'if-match': etag, 'if-none-match': etag })).status).toBe(304)
    expect((await get('/user/1', { 'if-match': etag, 'if-none-match': '"x"' })).status).toBe(200)
    expectProblem(await get('/user/9999', { 'if-match': '"x"' }), 'record-not-found')
    expectProblem(await get('/user/9999', { 'if-match': '*' }), 'record-not-found')
    expectProblem(await get('/user/1?name=x', { 'if-match': '"x"' }), 'unknown-parameter')
  })

  it.each(['/user', '/user-summary', '/user-detail', '/user/1/preference'])(
    'decision if-match: a list has no tag, so that only * names it: %s',
    async (url) => {
      expect((await get(url, { 'if-match': '*' })).body).toEqual((await get(url)).body)
      const { etag = '' } = (await get('/user/1')).headers
      for (const tag of ['"x"', etag, '']) {
        const { detail, hint } = expectProblem(await get(url, { 'if-match': tag }), 'precondition-failed')
        expect(`${detail} ${hint}`).toMatch(
          /^What GET \/user\S* answers has no tag that If-Match could name. Leave If-Match out.$/,
        )
        expect((await head(url, { 'if-match': tag })).status).toBe(412)
      }
      expectProblem(await get(`${url}?pageSise=1`, { 'if-match': '"x"' }), 'unknown-parameter')
      expectProblem(await get('/user/9999/preference', { 'if-match': '"x"' }), 'record-not-found')
    },
  )

  it('decision if-match: it is not needed', async () => {
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
      const guarded = asking(() => app)
      const made = await guarded.post('/note', { title: 'a' })
      expect(made.status).toBe(201)
      const { detail, hint } = expectProblem(await guarded.patch('/note/1', { title: 'b' }), 'precondition-required')
      expect(`${detail} ${hint}`).toContain('If-Match')
      expectProblem(await guarded.put('/note/1', { title: 'b' }), 'precondition-required')
      expectProblem(await guarded.del('/note/1'), 'precondition-required')
      expectProblem(await guarded.patch('/note/2', { title: 'b' }), 'record-not-found')
      expect((await guarded.patch('/note/1', { title: 'b' }, { 'if-match': made.headers.etag ?? '' })).status).toBe(200)
      expect((await guarded.get('/note/1')).body).toEqual({ id: 1, title: 'b' })
    } finally {
      await app.close()
    }
  })
})

describe('If-None-Match', () => {
  it('decision if-none-match: what has not changed is 304, with its tag and no body', async () => {
    const { headers } = await get('/user/1')
    for (const tag of [headers.etag ?? '', `W/${headers.etag}`, `"x", ${headers.etag}`, '*']) {
      const answer = await get('/user/1', { 'if-none-match': tag })
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', headers.etag])
      expect((await head('/user/1', { 'if-none-match': tag })).status).toBe(304)
    }
  })

  it('decision if-none-match: what has changed, or has another face, is 200', async () => {
    const { headers } = await get('/user/1')
    expect((await get('/v1/user/1', { 'if-none-match': headers.etag ?? '' })).status).toBe(200)
    await patch('/user/1', { phone: '1' })
    const { status, body } = await get<User>('/user/1', { 'if-none-match': headers.etag ?? '' })
    expect([status, body.phone]).toEqual([200, '1'])
  })

  it('decision if-none-match: a change of what it names is 412 and changes nothing', async () => {
    const { headers, body } = await get<User>('/user/1')
    const etag = headers.etag ?? ''
    for (const tag of ['*', etag, `W/${etag}`, `"x", ${etag}`]) {
      const told = { 'if-none-match': tag }
      const { detail } = expectProblem(await patch('/user/1', { phone: '1' }, told), 'precondition-failed')
      expect(detail).toContain('If-None-Match')
      expectProblem(await put('/user/1', { ...body, phone: '1' }, told), 'precondition-failed')
      expectProblem(await del('/user/1', told), 'precondition-failed')
      const both = { 'if-none-match': tag, 'if-match': etag }
      expectProblem(await patch('/user/1', { phone: '1' }, both), 'precondition-failed')
    }
    expect((await get('/user/1')).body).toEqual(body)
    expectProblem(await del('/user/9999', { 'if-none-match': '*' }), 'record-not-found')
  })

  it('decision if-none-match: a change of what it does not name goes through', async () => {
    const { headers } = await get('/user/1')
    const next = headers.etag?.replace(/-(\d+)-/, (_, version) => `-${Number(version) + 1}-`)
    // The tag that the record has afterwards is none that was named before.
    const changed = await patch<User>('/user/1', { phone: '1' }, { 'if-none-match': `"x", ${next}` })
    expect([changed.status, changed.body.phone, changed.headers.etag]).toEqual([200, '1', next])
  })

  it('decision if-none-match: of several who link what is not linked yet, one does', async () => {
    const url = '/v1/user/1/role/1'
    const any = { 'if-none-match': '*' }
    expectProblem(await put(url, undefined, any), 'precondition-failed')
    expectProblem(await del(url, any), 'precondition-failed')
    expect((await get(url)).status).toBe(200)
    await del(url)
    const answers = await Promise.all([1, 2, 3, 4].map(() => put(url, undefined, any)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    expect((await get(url)).status).toBe(200)
  })

  it('decision if-none-match: a record that is not there is 404', async () => {
    expectProblem(await get('/user/9999', { 'if-none-match': '*' }), 'record-not-found')
  })
})
