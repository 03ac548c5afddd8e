import { createHash } from 'node:crypto'
import { choice, identity, noun, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { expectFiltered, items, posted, query } from './item-service.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

describe('a choice that may be null', () => {
  it('is one of its values or null, can be filtered by both, and sorts by code point', async () => {
    const app = await openService(items)
    expect(await posted(app, 'state', ['NEW', 'ÜBER', null, 'DONE'])).toEqual(['NEW', 'ÜBER', null, 'DONE'])
    expect(await app.column('state', '/item?state=DONE&state=')).toEqual([null, 'DONE'])
    expect(await app.column('state', '/item?sort=state')).toEqual([null, 'DONE', 'NEW', 'ÜBER'])
    expect(await app.column('state', '/item?sort=-state')).toEqual(['ÜBER', 'NEW', 'DONE', null])
    expect((await app.send('PATCH', '/item/1', { state: null })).body.state).toBeNull()
    for (const wrong of ['new', '', 1]) expect((await app.send('POST', '/item', { state: wrong })).status).toBe(400)
    expect((await app.get('/item?state=OLD')).status).toBe(400)
  })
})

describe('a url', () => {
  it('is an absolute http URL, stored unchanged', async () => {
    const app = await openService(items)
    const addresses = [
      'https://example.com',
      'HTTP://Example.com:80/A%20b?c=d&e#f',
      'https://xn--bcher-kva.example/%C3%BC',
    ]
    expect(await posted(app, 'home', addresses)).toEqual(addresses)
    await expectFiltered(app, 'home', addresses)
    for (const wrong of [
      'example.com',
      '/path',
      'ftp://example.com',
      'javascript:alert(1)',
      'https://',
      'http://a b',
      'https://bücher.example',
      '',
    ])
      expect((await app.send('POST', '/item', { home: wrong })).status, wrong).toBe(400)
    expect(await app.column('home', '/item?home=no+address')).toEqual([])
  })
})

describe('a guid', () => {
  it('is in lower case in responses, and found in any case', async () => {
    const app = await openService(items)
    const key = '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10'
    expect(await posted(app, 'key', [key])).toEqual([key.toLowerCase()])
    expect(await app.column('id', `/item?key=${key}`)).toEqual([1])
    expect((await app.get('/item?key=none')).status).toBe(400)
    expect((await app.send('POST', '/item', { key: 'none' })).status).toBe(400)
  })
})

describe('an identity that is a guid', () => {
  const box = noun('box', { id: identity('guid'), name: text() }, { label: 'name' })
  const thing = noun('thing', { id: identity('guid'), box: reference(() => box), name: text() })
  const label = noun('label', { id: identity(), box: reference(() => box).nullable() })
  const boxes = serviceOf([plainApi(resource(box, { children: [resource(thing)] }), resource(label))])
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  const unknown = '00000000-0000-4000-8000-000000000000'

  it('is assigned by the service, and accepted in paths in any case', async () => {
    const app = await openService(boxes)
    const created = await app.send('POST', '/box', { name: 'a', id: unknown })
    expect(created.body.id).toMatch(form)
    expect(created.body.id).not.toBe(unknown)
    expect(created.headers.location).toBe(`/box/${created.body.id}`)
    expect((await app.get(`/box/${created.body.id.toUpperCase()}`)).body).toEqual(created.body)
    for (const path of [unknown, '1', 'x', created.body.id.slice(0, -1)])
      expect((await app.get(`/box/${path}`)).status, path).toBe(404)
    const put = await app.send('PUT', `/box/${created.body.id}`, { id: created.body.id, name: 'b' })
    expect(put.body).toEqual({ id: created.body.id, name: 'b' })
    expect((await app.send('PUT', `/box/${created.body.id}`, { id: unknown, name: 'b' })).status).toBe(409)
    expect((await app.send('DELETE', `/box/${created.body.id}`)).body.name).toBe('b')
    expect((await app.get(`/box/${created.body.id}`)).status).toBe(404)
  })

  it('is the default order, and works in include and filters', async () => {
    const app = await openService(boxes)
    const created = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => app.send('POST', '/box', { name })))
    const ids = created.map(({ body }) => body.id)
    expect(await app.column('id', '/box')).toEqual(ids.toSorted())
    expect(await app.column('id', '/box?sort=-id')).toEqual(ids.toSorted().reverse())
    const included = await app.column('id', `/box?name=a&include=${ids[3].toUpperCase()}&include=${unknown}`)
    expect(included).toEqual([ids[0], ids[3]].toSorted())
    expect(await app.column('name', `/box?id=${ids[1]}&id=${ids[2].toUpperCase()}&sort=name`)).toEqual(['b', 'c'])
    expect((await app.get('/box?id=none')).status).toBe(400)
    expect((await app.get('/box?include=none')).status).toBe(400)
  })

  it('is the value of references, also in lists and nested paths', async () => {
    const app = await openService(boxes)
    const { body } = await app.send('POST', '/box', { name: 'a' })
    const nested = await app.send('POST', `/box/${body.id.toUpperCase()}/thing`, { name: 'x', box: body.id })
    expect([nested.status, nested.body]).toEqual([201, { id: nested.body.id, box: body.id, name: 'x' }])
    expect(await app.column('name', `/box/${body.id}/thing`)).toEqual(['x'])
    expect((await app.get(`/box/${unknown}/thing`)).status).toBe(404)
    const labelled = await app.send('POST', '/label', { box: body.id.toUpperCase() })
    expect(labelled.body).toEqual({ id: 1, box: body.id })
    expect(await app.column('box', `/label?box=${body.id.toUpperCase()}`)).toEqual(['a'])
    expect((await app.send('POST', '/label', { box: unknown })).status).toBe(422)
    for (const wrong of [1, 'x', true]) expect((await app.send('POST', '/label', { box: wrong })).status).toBe(400)
    const rejected = await app.send('DELETE', `/box/${body.id}`)
    expect([rejected.status, rejected.body.code]).toEqual([409, 'still-referenced'])
    expect(await app.column('name', `/box/${body.id}/thing`)).toEqual(['x'])
  })

  it('supports ETags, Idempotency-Keys and pages', async () => {
    const app = await openService(boxes)
    const first = await app.send('POST', '/box', { name: 'a' }, { 'idempotency-key': 'k' })
    const again = await app.send('POST', '/box', { name: 'a' }, { 'idempotency-key': 'k' })
    expect([again.status, again.body, again.headers.location, again.headers.etag]).toEqual([
      201,
      first.body,
      first.headers.location,
      first.headers.etag,
    ])
    const patch = (tag: string) => app.send('PATCH', `/box/${first.body.id}`, { name: 'b' }, { 'if-match': tag })
    expect((await patch(`${first.headers.etag}`)).status).toBe(200)
    expect((await patch(`${first.headers.etag}`)).status).toBe(412)
    await Promise.all(Array.from({ length: 6 }, (_, at) => app.send('POST', '/box', { name: `${at}` })))
    const pages = await Promise.all([1, 2, 3].map((page) => app.get(`/box?pageSize=3&pageNumber=${page}`)))
    const walked = pages.flatMap(({ body }) => body.results.map(({ id }: { id: string }) => id))
    expect(walked).toEqual(await app.column('id', '/box'))
  })
})

describe('a text field', () => {
  const page = noun('page', { id: identity(), words: text() })
  /** A text that no trick makes shorter. */
  const noise = Array.from({ length: 80 }, (_, at) => createHash('sha256').update(`${at}`).digest('base64')).join('')

  it('of any length is stored, and found by its whole value', async () => {
    const app = await openService(serviceOf([plainApi(resource(page))]))
    const same = 'é'.repeat(700)
    const texts = [`${same}b`, `${same}a`, same, 'é', noise]
    for (const words of texts) expect((await app.send('POST', '/page', { words })).body.words).toBe(words)
    for (const words of texts) expect(await app.column('words', `/page?${query('words', words)}`)).toEqual([words])
    expect(await app.column('id', `/page?${query('words', texts[0], texts[2])}`)).toEqual([1, 3])
    expect(await app.column('id', '/page?sort=words')).toHaveLength(5)
  })
})

describe('names that are longer than the database allows', () => {
  const long = 'aVeryLongNameThatSaysEverythingThereIsToSayAboutAPropertyAndThenSome'
  const [first, second] = [`${long}One`, `${long}Two`]
  const thing = noun(`thing-${'of-a-kind-'.repeat(7)}end`, {
    id: identity(),
    [first]: text(),
    [second]: text().unique(),
  })
  const path = `/${thing.name}`

  it('are distinguished, and returned in full', async () => {
    const app = await openService(serviceOf([plainApi(resource(thing, { search: [first] }))]))
    const created = await app.send('POST', path, { [first]: 'b', [second]: 'a' })
    expect(created.body).toEqual({ id: 1, [first]: 'b', [second]: 'a' })
    expect((await app.send('POST', path, { [first]: 'a', [second]: 'a' })).body).toMatchObject({ code: 'value-taken' })
    await app.send('POST', path, { [first]: 'a', [second]: 'b' })
    expect(await app.column(second, `${path}?${first}=b`)).toEqual(['a'])
    expect(await app.column(first, `${path}?sort=${first}`)).toEqual(['a', 'b'])
    expect(await app.column('id', `${path}?search=B`)).toEqual([1])
    expect((await app.send('PATCH', `${path}/1`, { [first]: 'c' })).body).toEqual({
      id: 1,
      [first]: 'c',
      [second]: 'a',
    })
  })
})

describe('a choice that may be null, with transitions', () => {
  const order = noun('order', {
    id: identity(),
    title: text(),
    state: choice({ null: ['NEW'], NEW: ['PAID', null], PAID: ['DONE'], DONE: [] }).nullable(),
  })
  const orders = serviceOf([plainApi(resource(order))])

  it('treats null as a state with declared transitions', async () => {
    const app = await openService(orders)
    const create = async (state: string | null): Promise<string> => {
      const { status, body } = await app.send('POST', '/order', { title: `${state}`, state })
      expect(status).toBe(201)
      return `/order/${body.id}`
    }
    const change = async (url: string, state: string | null, method = 'PATCH') =>
      (await app.send(method, url, { state, ...(method === 'PUT' && { title: 'a' }) })).status

    const fresh = await create(null)
    expect(await change(fresh, 'DONE')).toBe(422)
    expect(await change(fresh, 'PAID', 'PUT')).toBe(422)
    expect(await change(fresh, null)).toBe(200)
    expect(await change(fresh, 'NEW')).toBe(200)
    expect(await change(fresh, null)).toBe(200)
    expect(await change(fresh, 'NEW', 'PUT')).toBe(200)
    expect(await change(fresh, 'PAID')).toBe(200)
    expect(await change(fresh, null)).toBe(422)
    expect(await change(fresh, null, 'PUT')).toBe(422)
    expect((await app.get(fresh)).body.state).toBe('PAID')

    const done = await app.send('PATCH', await create('DONE'), { state: null })
    expect(done.body).toMatchObject({
      code: 'transition-not-allowed',
      detail: 'state cannot change from "DONE" to null.',
      hint: '"DONE" is final: no transitions are allowed.',
    })
    const none = await app.send('PATCH', await create(null), { state: 'DONE' })
    expect(none.body).toMatchObject({
      detail: 'state cannot change from null to "DONE".',
      hint: 'null can change to "NEW".',
    })
    const paid = await app.send('PATCH', await create('NEW'), { state: 'DONE' })
    expect(paid.body.hint).toBe('"NEW" can change to "PAID" or null.')
  })

  it('is nullable in its document, without an additional value', async () => {
    const app = await openService(orders)
    const { body } = await app.get('/openapi.json')
    const text = JSON.stringify(body)
    expect(text).toContain('"x-nomen-transitions":{"null":["NEW"],"NEW":["PAID",null],"PAID":["DONE"],"DONE":[]}')
    expect(text).toContain('"enum":["NEW","PAID","DONE"]')
    expect(text).toMatch(/"anyOf":\[\{"\$ref":"#\/components\/schemas\/\w+"\},\{"type":"null"\}\]/)
  })
})
