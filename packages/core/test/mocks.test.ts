// The rules of mocks in Node.
import { collection, mocks } from '@nomen/core/mocks'
import fc from 'fast-check'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mockSuite } from './mock-suite.ts'
import { nodeMocks } from './node-mocks.ts'

const server = setupServer()
const { backendUrl, send, open } = nodeMocks({
  listen: () => server.listen({ onUnhandledFrame: 'bypass' }),
  resetHandlers: (...handlers) => server.resetHandlers(...handlers),
  close: () => server.close(),
})

describe('mocks in Node', () => {
  mockSuite(open)
})

describe('a collection', () => {
  interface Note {
    noteRef: number
    text: string
    more?: number
  }

  it('can be used by custom handlers', async () => {
    const note = collection<Note>({ ref: 'noteRef', data: [{ noteRef: 4, text: 'a' }], defaults: { text: '' } })
    const { handlers } = mocks({ base: '*', collections: { note } })
    const replace = http.put<{ ref: string }>('*/note/:ref', async ({ params, request }) => {
      const ref = Number(params.ref)
      const index = note.items.findIndex(({ noteRef }) => noteRef === ref)
      const replaced = note.find(ref) && note.update(ref, (await request.json()) as object)
      return HttpResponse.json({ index, replaced })
    })
    server.resetHandlers(replace, ...handlers)
    expect((await send('PUT', '/note/4', { text: 'b' })).body).toEqual({
      index: 0,
      replaced: { noteRef: 4, text: 'b' },
    })
    expect((await send('GET', '/note/4')).body).toEqual({ noteRef: 4, text: 'b' })
    expect(note.add({ text: 'c' })).toEqual({ noteRef: 5, text: 'c' })
    expect(note.remove(4)).toEqual({ noteRef: 4, text: 'b' })
    expect([note.remove(4), note.find(4), note.update(4, {})]).toEqual([undefined, undefined, undefined])
  })

  it('is used for requests that no earlier handler responds to', async () => {
    const data = ['a', 'b'].map((text, index) => ({ noteRef: index + 1, text }))
    const note = collection<Note>({ ref: 'noteRef', data, defaults: { text: '' } })
    const { handlers } = mocks({ base: '*', collections: { note }, list: 'array' })
    const filter = http.get('*/note', ({ request }) => {
      const text = new URL(request.url).searchParams.get('text')
      if (text === null) return undefined
      return HttpResponse.json(note.items.filter((note) => note.text === text))
    })
    server.resetHandlers(filter, ...handlers)
    expect((await send('GET', '/note?text=b')).body).toEqual([data[1]])
    expect((await send('GET', '/note')).body).toEqual(data)
  })

  it('does not change the fixtures or the defaults', async () => {
    const data = [{ noteRef: 1, text: 'a', tags: ['x'] }]
    const defaults = { text: '', tags: [] as string[] }
    const note = collection({ ref: 'noteRef', data, defaults })
    note.find(1)?.tags.push('y')
    note.add({}).tags.push('z')
    note.update(1, { text: 'b' })
    note.reset()
    expect([data, defaults]).toEqual([[{ noteRef: 1, text: 'a', tags: ['x'] }], { text: '', tags: [] }])
    expect(note.items).toEqual(data)
    expect(note.add({})).toEqual({ noteRef: 2, ...defaults })
  })

  it('behaves like a plain array for any requests in any order', async () => {
    const ref = fc.integer({ min: -3, max: 3 })
    const body = fc.record({ noteRef: ref, text: fc.string(), more: fc.integer() }, { requiredKeys: [] })
    const request = fc.oneof(
      fc.tuple(fc.constant('GET'), ref, fc.constant(undefined)),
      fc.tuple(fc.constant('POST'), ref, body),
      fc.tuple(fc.constant('PATCH'), ref, body),
      fc.tuple(fc.constant('DELETE'), ref, fc.constant(undefined)),
    )
    const run = async (start: Note[], requests: [string, number, object | undefined][]) => {
      const { handlers } = mocks({
        base: '*',
        collections: { note: collection<Note>({ ref: 'noteRef', data: start, defaults: { text: '-' } }) },
        list: 'array',
      })
      server.resetHandlers(...handlers)
      let model = start
      for (const [method, noteRef, body] of requests) {
        const record = model.find((note) => note.noteRef === noteRef)
        const largest = model.length === 0 ? 0 : Math.max(...model.map((note) => note.noteRef))
        const created = { text: '-', ...body, noteRef: largest + 1 }
        const changed = { ...record, ...body, noteRef } as Note
        const response = await send(method, method === 'POST' ? '/note' : `/note/${noteRef}`, body)
        if (method === 'POST') model = [...model, created]
        if (method === 'PATCH') model = model.map((note) => (note === record ? changed : note))
        if (method === 'DELETE') model = model.filter((note) => note !== record)
        const expectedBody = { GET: record, POST: created, PATCH: changed, DELETE: null }[method]
        expect(response).toEqual(
          record || method === 'POST' ? { status: 200, body: expectedBody } : { status: 404, body: null },
        )
        expect((await send('GET', '/note')).body).toEqual(model)
      }
    }
    const start = fc
      .uniqueArray(ref, { maxLength: 4 })
      .map((refs) => refs.map((noteRef) => ({ noteRef, text: `${noteRef}` })))
    await fc.assert(fc.asyncProperty(start, fc.array(request, { maxLength: 8 }), run), { numRuns: 40 })
  })
})

describe('a base', () => {
  const note = collection({ ref: 'noteRef', data: [{ noteRef: 1 }], defaults: {} })
  const isMocked = async (base: string, path: string) => {
    server.resetHandlers(...mocks({ base, collections: { note } }).handlers)
    return (await send('GET', path)).status === 200
  }

  it.each<[string, string, boolean]>([
    ['*', '/note', true],
    ['*', '/note/', true],
    ['*', '/api/v1/note/1', true],
    ['*', '/7/note/1', false],
    ['*', '/my-note', false],
    ['*/v1', '/api/v1/note', true],
    ['*/v1', '/v1x/note', false],
    ['*/v1', '/tenant/7/v1/note', true],
    ['*/v1/', '/v1/note', true],
    ['*/', '/note', true],
    ['*/', '/7/note/1', false],
    ['*/api/*/v1', '/api/eu/v1/note', true],
    ['*/v1.0', '/v1.0/note', true],
    ['*/v1.0', '/v1x0/note', false],
    ['/v1', '/v1/note', true],
    ['/v1', '/api/v1/note', false],
  ])('%s: %s is mocked: %s', async (base, path, expected) => {
    expect(await isMocked(base, path)).toBe(expected)
  })

  it('of one origin does not mock other origins', async () => {
    expect(await isMocked(backendUrl(), '/note')).toBe(true)
    expect(await isMocked(`${backendUrl()}/`, '/note')).toBe(true)
    expect(await isMocked(`${backendUrl()}/v1`, '/v1/note/1')).toBe(true)
    expect(await isMocked('http://example.com', '/note')).toBe(false)
  })

  it('does not match a host with the name of a collection', async () => {
    const plain = mocks({ base: '*', collections: { note }, list: 'array' })
    server.resetHandlers(...plain.handlers)
    onTestFinished(() => server.resetHandlers())
    expect(await (await fetch('http://note/v1/note/1')).json()).toEqual({ noteRef: 1 })
  })
})

it('rejects a path of names that are not collections', () => {
  const note = collection({ ref: 'noteRef', data: [{ noteRef: 1 }], defaults: {} })
  const invalidPath = ['note/nothing'] as unknown as []
  expect(() => mocks({ base: '*', collections: { note }, nested: invalidPath })).toThrow(
    'Path "note/nothing": "nothing" is not a collection. Use note.',
  )
})
