// Nesting at depth three with nested writes: the path determines the parents of a record, and deletes cascade.
import { identity, noun, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const company = noun('company', { id: identity(), name: text() })
const site = noun('site', { id: identity(), company: reference(() => company), name: text() })
const floor = noun('floor', { id: identity(), site: reference(() => site), name: text() })
const desk = noun('desk', {
  id: identity(),
  floor: reference(() => floor),
  name: text(),
  neighbour: reference(() => desk)
    .nullable()
    .clearedOnDelete(),
})
const badge = noun('badge', { id: identity(), desk: reference(() => desk) })

const tree = plainApi(
  resource(company, { children: [resource(site, { children: [resource(floor, { children: [resource(desk)] })] })] }),
  resource(badge),
)
const companies = serviceOf([tree])

/** Two companies with two of everything below each. */
async function filled(): Promise<TestService> {
  const app = await openService(companies)
  const post = async (url: string, name: string) => (await app.send('POST', url, { name })).body.id as number
  for (const c of ['A', 'B']) {
    const company = await post('/company', c)
    for (const s of ['1', '2']) {
      const site = await post(`/company/${company}/site`, c + s)
      for (const f of ['a', 'b']) {
        const floor = await post(`/company/${company}/site/${site}/floor`, c + s + f)
        for (const d of ['x', 'y']) await post(`/company/${company}/site/${site}/floor/${floor}/desk`, c + s + f + d)
      }
    }
  }
  return app
}

describe('below three parents', () => {
  it('a list has the records that belong to every ancestor of the path', async () => {
    const app = await filled()
    expect(await app.column('name', '/company/1/site')).toEqual(['A1', 'A2'])
    expect(await app.column('name', '/company/2/site/3/floor')).toEqual(['B1a', 'B1b'])
    expect(await app.column('name', '/company/2/site/4/floor/8/desk')).toEqual(['B2bx', 'B2by'])
    expect((await app.get('/company/2/site/4/floor/8/desk/16')).body).toEqual({
      id: 16,
      floor: 8,
      name: 'B2by',
      neighbour: null,
    })
  })

  it('an ancestor that is missing, or of another family, is 404 at every depth and for every method', async () => {
    const app = await filled()
    const paths = [
      '/company/9/site/1/floor/1/desk',
      '/company/2/site/1/floor/1/desk',
      '/company/1/site/2/floor/1/desk',
      '/company/1/site/1/floor/3/desk',
      '/company/x/site/1/floor/1/desk',
    ]
    for (const path of paths) {
      for (const [method, end, body] of [
        ['GET', ''],
        ['GET', '/1'],
        ['POST', '', { name: 'n' }],
        ['PATCH', '/1', { name: 'n' }],
        ['PUT', '/1', { name: 'n', neighbour: null }],
        ['DELETE', '/1'],
      ] as const) {
        const response = await app.send(method, path + end, body)
        expect([response.status, response.body.code], `${method} ${path}${end}`).toEqual([404, 'record-not-found'])
      }
    }
    const other = await app.send('DELETE', '/company/1/site/1/floor/1/desk/3')
    expect([other.status, other.body.detail]).toEqual([404, expect.stringContaining('desk 3 of floor 1')])
    expect(await app.column('id', '/company/1/site/1/floor/1/desk')).toEqual([1, 2])
  })

  it('a write takes its parent from the path, and a parent in the body must match it', async () => {
    const app = await filled()
    const url = '/company/1/site/1/floor/1/desk'
    const created = await app.send('POST', url, { name: 'z', floor: 1 })
    expect([created.status, created.body.floor, created.headers.location]).toEqual([201, 1, `${url}/17`])
    expect((await app.get(`${created.headers.location}`)).body).toEqual(created.body)
    const wrong = await app.send('POST', url, { name: 'z', floor: 2 })
    expect([wrong.status, wrong.body.code]).toEqual([409, 'identity-mismatch'])
    const put = await app.send('PUT', `${url}/17`, { ...created.body, name: 'zz', neighbour: 1 })
    expect(put.body).toEqual({ id: 17, floor: 1, name: 'zz', neighbour: 1 })
    expect((await app.send('PATCH', `${url}/17`, { floor: 2 })).status).toBe(409)
    expect((await app.send('PATCH', `${url}/17`, { neighbour: 99 })).status).toBe(422)
  })

  it('an invalid header is reported before a parent that differs from that of the path', async () => {
    const app = await filled()
    for (const headers of [{ 'if-match': '*' }, { 'idempotency-key': 'ä' }]) {
      const { status, body } = await app.send(
        'POST',
        '/company/1/site/1/floor/1/desk',
        { name: 'z', floor: 2 },
        headers,
      )
      expect([status, body.code]).toEqual([400, 'invalid-header'])
    }
  })

  it('a noun declared below a parent has no path at the root', async () => {
    const app = await filled()
    for (const path of ['/site', '/site/1', '/floor', '/desk', '/desk/1', '/company/1/floor', '/company/1/desk'])
      expect((await app.get(path)).status, path).toBe(404)
  })
})

describe('deleting', () => {
  const everything = async (app: TestService) => {
    const lists = ['/company/2/site', '/company/2/site/3/floor', '/company/2/site/3/floor/5/desk']
    return (await Promise.all(lists.map((url) => app.column('name', url)))).flat()
  }

  it('a grandparent deletes all descendants, and no other records', async () => {
    const app = await filled()
    const others = await everything(app)
    const gone = await app.send('DELETE', '/company/1')
    expect([gone.status, gone.body]).toEqual([200, { id: 1, name: 'A' }])
    for (const path of ['/company/1', '/company/1/site', '/company/1/site/1', '/company/1/site/1/floor/1/desk/1'])
      expect((await app.get(path)).status, path).toBe(404)
    expect(await everything(app)).toEqual(others)
    // No descendant is left for a later family with the same identity.
    const again = await app.send('POST', '/company', { name: 'C' })
    expect(again.body.id).toBe(3)
    expect(await app.column('id', '/company/3/site')).toEqual([])
    const below = await app.send('POST', '/company/3/site', { name: 'C1' })
    expect(below.body.id).toBe(5)
    expect((await app.send('POST', '/company/3/site/5/floor', { name: 'C1a' })).body.id).toBe(9)
    expect((await app.send('POST', '/company/3/site/5/floor/9/desk', { name: 'C1ax' })).body.id).toBe(17)
  })

  it('in the middle deletes only the records below', async () => {
    const app = await filled()
    expect((await app.send('DELETE', '/company/1/site/1')).status).toBe(200)
    expect(await app.column('name', '/company/1/site')).toEqual(['A2'])
    expect(await app.column('name', '/company/1/site/2/floor/3/desk')).toEqual(['A2ax', 'A2ay'])
  })

  it('clears references of others to a deleted grandchild', async () => {
    const app = await filled()
    const other = '/company/2/site/3/floor/5/desk/9'
    const before = await app.send('PATCH', other, { neighbour: 1 })
    expect(before.body.neighbour).toBe(1)
    expect((await app.send('DELETE', '/company/1')).status).toBe(200)
    const after = await app.get(other)
    expect(after.body.neighbour).toBeNull()
    expect(after.headers.etag).not.toBe(before.headers.etag)
  })

  it('is rejected without changes if another record references a grandchild', async () => {
    const app = await filled()
    expect((await app.send('POST', '/badge', { desk: 2 })).status).toBe(201)
    for (const path of ['/company/1', '/company/1/site/1', '/company/1/site/1/floor/1']) {
      const rejected = await app.send('DELETE', path)
      expect([rejected.status, rejected.body.code], path).toEqual([409, 'still-referenced'])
    }
    expect(await app.column('name', '/company/1/site/1/floor/1/desk')).toEqual(['A1ax', 'A1ay'])
    expect((await app.send('DELETE', '/badge/1')).status).toBe(200)
    expect((await app.send('DELETE', '/company/1')).status).toBe(200)
  })
})

describe('a path whose parent is not a guid', () => {
  const binder = noun('binder', { key: identity('guid'), name: text() })
  const sheet = noun('sheet', { id: identity(), binder: reference(() => binder), name: text() })
  const office = serviceOf([plainApi(resource(binder, { children: [resource(sheet)] }))])

  it.each(['1', 'banana', '%20', '%F0%9F%98%80', '0b2f8c1e5d1c4c0e9b572f6f3f1f9a10'])('is 404: %s', async (key) => {
    const app = await openService(office)
    const requests: [string, string, object?][] = [
      ['GET', `/binder/${key}`],
      ['PATCH', `/binder/${key}`, { name: 'x' }],
      ['DELETE', `/binder/${key}`],
      ['GET', `/binder/${key}/sheet`],
      ['POST', `/binder/${key}/sheet`, { name: 'x' }],
      ['PUT', `/binder/${key}/sheet/1`, { name: 'x' }],
    ]
    for (const [method, url, body] of requests) {
      const { status, body: problem } = await app.send(method, url, body)
      expect([status, problem.code], `${method} ${url}`).toEqual([404, 'record-not-found'])
    }
    const { body } = await app.send('POST', '/binder', { name: 'x' })
    expect((await app.send('POST', `/binder/${`${body.key}`.toUpperCase()}/sheet`, { name: 'x' })).status).toBe(201)
  })
})

describe('a record with several kinds of children', () => {
  const house = noun('house', { id: identity(), name: text() })
  const room = noun('room', { id: identity(), house: reference(() => house), beside: reference(() => room).nullable() })
  const guest = noun('guest', { id: identity(), house: reference(() => house), room: reference(() => room) })
  const note = noun('note', { id: identity(), guest: reference(() => guest) })
  const key = noun('key', { id: identity(), guest: reference(() => guest), room: reference(() => room) })
  const guests = resource(guest, { children: [resource(key)] })

  it.each([
    ['rooms first', [resource(room), guests]],
    ['guests first', [guests, resource(room)]],
  ])('deletes them although they reference each other: %s', async (_, children) => {
    const { send, column } = await openService(serviceOf([plainApi(resource(house, { children }), resource(note))]))
    for (const at of [1, 2]) {
      await send('POST', '/house', { name: `House ${at}` })
      await send('POST', `/house/${at}/room`, {})
      await send('POST', `/house/${at}/room`, { beside: 2 * at - 1 })
      await send('POST', `/house/${at}/guest`, { room: 2 * at })
      await send('POST', `/house/${at}/guest/${at}/key`, { room: 2 * at - 1 })
    }
    // A guest of another house in a room of the first.
    expect((await send('POST', '/house/2/guest', { room: 1 })).status).toBe(201)
    expect((await send('POST', '/note', { guest: 1 })).status).toBe(201)
    const noted = await send('DELETE', '/house/1')
    expect([noted.status, noted.body.code]).toEqual([409, 'still-referenced'])
    await send('DELETE', '/note/1')
    const visited = await send('DELETE', '/house/1')
    expect([visited.status, visited.body.detail]).toEqual([409, expect.stringContaining('1 guest record references')])
    expect(visited.body.hint).toBe('Change or delete the guest record first.')
    expect((await send('DELETE', '/house/2/guest/3')).status).toBe(200)
    expect((await send('DELETE', '/house/1')).status).toBe(200)
    expect([
      await column('id', '/house'),
      await column('id', '/house/2/guest'),
      await column('id', '/house/2/room'),
    ]).toEqual([[2], [2], [3, 4]])
  })
})
