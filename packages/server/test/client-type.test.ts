// The types of the client, compared with real requests and responses: each response has exactly the declared type.

import {
  api,
  boolean,
  choice,
  createdAt,
  createdBy,
  date,
  decimal,
  email,
  guid,
  identity,
  integer,
  link,
  noun,
  number,
  operation,
  reference,
  resource,
  text,
  timestamp,
  updatedAt,
  url,
} from '@nomen/core'
import { client, type Envelope } from '@nomen/core/client'
import { compute, handle, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { expect, expectTypeOf, it } from 'vitest'
import { openService } from './test-service.ts'

const place = noun('place', { guid: identity('guid'), name: text() }, { label: 'name' })
const maker = noun('maker', { id: identity(), name: text(), code: integer().unique() }, { label: 'name' })
const item = noun(
  'item',
  {
    id: identity(),
    count: integer(),
    ratio: number(),
    price: decimal({ scale: 2 }),
    name: text().unique(),
    mail: email(),
    home: url(),
    key: guid().nullable().unique(),
    isOpen: boolean().default(true),
    state: choice('NEW', 'DONE').default('NEW'),
    due: date().nullable(),
    at: timestamp().nullable(),
    title: text().defaultFrom('name'),
    maker: reference(() => maker),
    place: reference(() => place)
      .nullable()
      .clearedOnDelete(),
    hash: text().nullable().managed(),
    created: createdAt(),
    changed: updatedAt(),
    author: createdBy(() => maker),
  },
  { computed: { shout: text(), half: number().nullable() } },
)
const note = noun('note', { id: identity(), item: reference(() => item), line: text() })
const tag = noun('tag', { id: identity(), name: text() })
const itemTag = link(item, tag)

const tally = operation({
  method: 'GET',
  on: 'collection',
  query: { atLeast: integer().default(0) },
  response: { count: integer(), last: date().nullable() },
})
const closing = operation({ method: 'POST', on: 'record', body: { reason: text(), day: date().nullable() } })

const shop = api('shop', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(item, {
      rename: { worth: 'price' },
      list: ['id', 'worth', 'maker', 'shout'],
      summary: ['id'],
      detail: ['id', 'worth', 'maker', 'place', 'shout', 'half'],
      by: ['name', 'key'],
      search: ['name'],
      operations: { tally, closing },
      children: [resource(note, { paginated: false, display: [] }), resource(tag, { via: itemTag })],
    }),
    resource(maker, { by: ['code'] }),
    resource(place),
    resource(tag),
  ],
})

const definition = service({
  name: 'shop',
  apis: [shop],
  computed: [
    compute(item, 'shout', ['name'], ({ name }) => name.toUpperCase()),
    compute(item, 'half', ['count'], ({ count }) => (count === 0 ? null : count / 2)),
  ],
  handlers: [
    handle(item, tally, ({ query }) => ({ count: query.atLeast, last: null })),
    handle(item, closing, () => null),
  ],
})

async function calls() {
  const { app } = await openService(definition)
  return client<typeof shop>({
    baseUrl: 'http://localhost',
    fetch: async (url, { method, headers, body }) => {
      const response = await inject(app, {
        method: method as 'GET',
        url: url.replace('http://localhost', ''),
        headers: Object.fromEntries(new Headers(headers)),
        ...(body != null && { payload: `${body}` }),
      })
      return new Response(response.body || null, { status: response.statusCode })
    },
  })
}

interface Item {
  id: number
  count: number
  ratio: number
  worth: string
  name: string
  mail: string
  home: string
  key: string | null
  isOpen: boolean
  state: 'NEW' | 'DONE'
  due: string | null
  at: string | null
  title: string
  maker: number
  place: string | null
  hash: string | null
  created: string
  changed: string
  author: number | null
  shout: string
  half: number | null
}

it('each kind of field has its declared type in requests and responses', async () => {
  const { item, maker, place } = await calls()
  const home = await place.create({ name: 'Ulm' })
  expectTypeOf(home).toEqualTypeOf<{ guid: string; name: string }>()
  expect(home).toEqual({ guid: expect.any(String), name: 'Ulm' })
  await maker.create({ name: 'Ada', code: 7 })

  const least = { count: 3, ratio: 0.5, worth: '1.50', name: 'lamp', mail: 'a@b.example', home: 'https://b.example/' }
  const created = await item.create({ ...least, maker: 1 })
  expectTypeOf(created).toEqualTypeOf<Item>()
  const whole = {
    ...least,
    id: 1,
    key: null,
    isOpen: true,
    state: 'NEW',
    due: null,
    at: null,
    title: 'lamp',
    maker: 1,
    place: null,
    hash: null,
    created: expect.any(String),
    changed: expect.any(String),
    author: null,
    shout: 'LAMP',
    half: 1.5,
  }
  expect(created).toEqual(whole)
  expect(await item.read(1)).toEqual(whole)

  const key = '0b1f5c0e-9d0c-4b8e-8f6a-111111111111'
  const more = { key, due: '2026-01-02', at: '2026-01-02T03:04:05.678Z', place: home.guid, isOpen: false } as const
  const changed = await item.update(1, { ...more, count: 0, state: 'DONE' })
  expectTypeOf(changed).toEqualTypeOf<Item>()
  expect(changed).toEqual({ ...whole, ...more, count: 0, state: 'DONE', half: null })

  const replaced = await item.replace(1, { ...least, ...more, state: 'DONE', title: 'x', maker: 1 })
  expectTypeOf(replaced).toEqualTypeOf<Item>()
  expect(replaced).toMatchObject({ title: 'x', count: 3 })
  const removed = await item.delete(1)
  expectTypeOf(removed).toEqualTypeOf<Item>()
  expect(removed).toEqual(replaced)
})

it('bodies have the writable fields: no managed or computed ones, and all that have no default', async () => {
  const { item } = await calls()
  type Create = Parameters<typeof item.create>[0]
  type Needed = { [K in keyof Create]-?: object extends Pick<Create, K> ? never : K }[keyof Create]
  expectTypeOf<Needed>().toEqualTypeOf<'count' | 'ratio' | 'worth' | 'name' | 'mail' | 'home' | 'maker'>()
  type Set = 'id' | 'hash' | 'created' | 'changed' | 'author' | 'shout' | 'half'
  expectTypeOf<keyof Create>().toEqualTypeOf<Exclude<keyof Item, Set>>()
  expectTypeOf<Parameters<typeof item.replace>[1]>().toEqualTypeOf<Omit<Item, Set>>()
  expectTypeOf<Parameters<typeof item.update>[1]>().toEqualTypeOf<Partial<Omit<Item, Set>>>()
  const missing = await item.create({} as Create).catch((error) => error)
  expect(missing.errors.map(({ pointer = '' }) => pointer.slice(1)).sort()).toEqual(
    ['count', 'ratio', 'worth', 'name', 'mail', 'home', 'maker'].sort(),
  )
})

it('lists and their variants have labels of references, computed fields and the requested properties', async () => {
  const { item, maker, place } = await calls()
  const { guid } = await place.create({ name: 'Ulm' })
  await maker.create({ name: 'Ada', code: 7 })
  const body = { count: 0, ratio: 1, worth: '1.50', mail: 'a@b.example', home: 'https://b.example/', maker: 1 }
  await item.create({ ...body, name: 'lamp', place: guid })
  await item.create({ ...body, name: 'desk' })

  const { results } = await item.list({ name: 'lamp', maker: 1, place: guid, key: null, sort: '-worth' })
  expectTypeOf(results).toEqualTypeOf<readonly { id: number; worth: string; maker: string; shout: string }[]>()
  expect(results).toEqual([{ id: 1, worth: '1.50', maker: 'Ada', shout: 'LAMP' }])
  const detail = await item.detail.list({ search: 'des' })
  type Detail = { id: number; worth: string; maker: string; place: string | null; shout: string; half: number | null }
  expectTypeOf(detail).toEqualTypeOf<Envelope<Detail>>()
  expect(detail.results).toEqual([{ id: 2, worth: '1.50', maker: 'Ada', place: null, shout: 'DESK', half: null }])

  const summary = await item.summary.list({ isOpen: false, include: 2 })
  expectTypeOf(summary.results).toEqualTypeOf<readonly { id: number }[]>()
  expect(summary.results).toEqual([{ id: 2 }])
  expect((await item.summary.list({ isOpen: false, include: [1, 2] })).results).toHaveLength(2)
})

it('lookups take the type of their property', async () => {
  const { item, maker } = await calls()
  await maker.create({ name: 'Ada', code: 7 })
  expect(await maker.by.code(7)).toEqual({ id: 1, name: 'Ada', code: 7 })
  expectTypeOf(maker.by.code).parameter(0).toEqualTypeOf<number>()
  expectTypeOf(item.by.key).parameter(0).toEqualTypeOf<string>()
  expectTypeOf(item.by.name).returns.resolves.toEqualTypeOf<Item>()
  await expect(item.by.name('x')).rejects.toMatchObject({ status: 404 })
})

it('children, links and custom operations have the types of their responses', async () => {
  const { item, maker, tag } = await calls()
  await maker.create({ name: 'Ada', code: 7 })
  const body = { count: 0, ratio: 1, worth: '1.50', mail: 'a@b.example', home: 'https://b.example/', maker: 1 }
  await item.create({ ...body, name: 'lamp' })
  const below = item.of(1)
  await below.note.create({ line: 'x' })
  const notes = await below.note.list()
  expectTypeOf(notes).toEqualTypeOf<{ id: number; item: number; line: string }[]>()
  expect(notes).toEqual([{ id: 1, item: 1, line: 'x' }])

  await tag.create({ name: 'old' })
  const linked = await below.tag.link(1)
  expectTypeOf(linked).toEqualTypeOf<{ id: number; name: string }>()
  expect(linked).toEqual({ id: 1, name: 'old' })
  expect(await below.tag.unlink(1)).toEqual(linked)

  const tallied = await item.tally.get({ atLeast: 2 })
  expectTypeOf(tallied).toEqualTypeOf<{ count: number; last: string | null }>()
  expect([tallied, await item.tally.get()]).toEqual([
    { count: 2, last: null },
    { count: 0, last: null },
  ])
  const closed = await below.closing.post({ reason: 'x' })
  expectTypeOf(closed).toEqualTypeOf<null>()
  expect(closed).toBeNull()
})
