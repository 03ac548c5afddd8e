/** Pages and totals of large collections compared with a naive model, with writes in between; runs on each database. */

import { api, boolean, choice, identity, noun, reference, resource, text } from '@nomen/core'
import { open, type Service, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { describe, expect, it, onTestFinished } from 'vitest'

type Item = { id: number | string; state: string | null; urgent: boolean; name: string; box: number }

const states = ['OPEN', 'DONE', 'LOST'] as const
const box = noun('box', { id: identity(), name: text() })
const item = noun(
  'item',
  {
    id: identity().column('item_id'),
    state: choice(...states)
      .nullable()
      .column('zustand'),
    urgent: boolean().column('is_urgent'),
    name: text().column('item_name'),
    box: reference(() => box).column('box_id'),
  },
  { table: 'items' },
)
const ticket = noun('ticket', {
  id: identity('guid'),
  state: choice(...states).nullable(),
  urgent: boolean(),
  name: text(),
  box: reference(() => box),
})
const plain = api('plain', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(box), resource(item, { search: ['name'] }), resource(ticket, { search: ['name'] })],
})
const defaulted = api('defaulted', {
  version: 1,
  versioning: 'whole',
  writes: 'flat',
  resources: [resource(box), resource(item, { defaultFilter: { state: 'OPEN', urgent: false } })],
})

/** The database of the service under test. */
export interface TestStore {
  readonly database: string
  remove(): Promise<void>
}

/** `count` is how many items there are; some databases do otherwise where there are many. */
export function pageSuite(database: string, prepare: () => Promise<TestStore>, count = 3000): void {
  describe(`pages of many records on ${database}`, () => {
    for (const seed of count > 10_000 ? [1] : [1, 2, 3]) {
      it(`agree with a naive model in every order and under every filter (seed ${seed})`, async () => {
        const random = generator(seed)
        const items = sampleItems(random, count)
        const send = await openPages(prepare, [{ noun: 'item', rows: items }])
        for (let step = 0; step < 120; step++) {
          if (random() < 0.3) await write(send, items, random)
          await compare(send, '/item', items, randomQuery(random, items))
        }
      })
    }

    it('agree with the model if identities are guids', async () => {
      const random = generator(4)
      const tickets = sampleItems(random, 2000).map((item) => ({ ...item, id: guid(random) }))
      const send = await openPages(prepare, [{ noun: 'ticket', rows: tickets }])
      tickets.sort(byIdentity)
      for (let step = 0; step < 80; step++) await compare(send, '/ticket', tickets, randomQuery(random, tickets))
    })

    it('agree with the model under a default filter of several properties', async () => {
      const random = generator(5)
      const items = sampleItems(random, 4000)
      const send = await openPages(prepare, [{ noun: 'item', rows: items }])
      const usual = items.filter(({ state, urgent }) => state === 'OPEN' && !urgent)
      for (const pageNumber of [1, 2, 7, 60, 61, 62, 1000]) {
        const { body } = await send('GET', `/v1/item?pageNumber=${pageNumber}&pageSize=10`)
        const expected = usual.slice((pageNumber - 1) * 10, pageNumber * 10).map(({ id }) => id)
        expect(body.results.map(({ id }: Item) => id)).toEqual(expected)
        expect(body.pageInfo.numberOfRecords).toBe(usual.length)
      }
    })
  })
}

type Send = (method: string, url: string, payload?: object) => Promise<{ status: number; body: Body }>
// biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the body
type Body = any

async function openPages(
  prepare: () => Promise<TestStore>,
  parts: readonly { noun: string; rows: readonly object[] }[],
) {
  const { database, remove } = await prepare()
  const boxes = { noun: 'box', rows: [{ id: 1, name: 'one' }] }
  const sample = () => [boxes, ...parts] as ReturnType<NonNullable<Service['sample']>>
  const app = await open(service({ name: 'pages', apis: [plain, defaulted], sample }), { database })
  onTestFinished(async () => {
    await app.close()
    await remove()
  })
  const send: Send = async (method, url, payload) => {
    const response = await inject(app, { method: method as 'GET', url, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.json() }
  }
  return send
}

/** Identities with gaps, so that they lie in many blocks and in few. */
function sampleItems(random: () => number, count: number): Item[] {
  let id = 0
  return Array.from({ length: count }, () => {
    id += random() < 0.8 ? 1 : 1 + Math.floor(random() * 6000)
    return { id, ...randomValues(random), name: `item ${Math.floor(random() * 50)}`, box: 1 }
  })
}

function randomValues(random: () => number): { state: string | null; urgent: boolean } {
  const state = random() < 0.02 ? null : random() < 0.03 ? 'LOST' : random() < 0.7 ? 'OPEN' : 'DONE'
  return { state, urgent: random() < 0.3 }
}

interface Query {
  readonly states: readonly (string | null)[]
  readonly urgent?: boolean
  readonly search?: string
  readonly include: readonly (number | string)[]
  readonly sort: '' | 'id' | '-id' | 'name' | '-name'
  readonly pageSize: number
  readonly pageNumber: number
}

function randomQuery(random: () => number, items: readonly Item[]): Query {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  const pageSize = pick([1, 7, 10, 100, 1000])
  return {
    states: pick<readonly (string | null)[]>([
      [],
      ['OPEN'],
      ['DONE'],
      ['LOST'],
      [null],
      ['OPEN', 'LOST'],
      ['DONE', null, 'DONE'],
      [...states, null],
    ]),
    ...(random() < 0.2 && { urgent: random() < 0.5 }),
    ...(random() < 0.1 && { search: 'M 1' }),
    include: random() < 0.5 ? [] : Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(items)?.id ?? 1),
    sort: pick(['', '', '', 'id', '-id', '-id', 'name', '-name']),
    pageSize,
    pageNumber: 1 + Math.floor(random() * (items.length / pageSize + 2)),
  }
}

async function compare(send: Send, path: string, items: readonly Item[], query: Query): Promise<void> {
  const { pageSize, pageNumber, sort } = query
  const parameters = [
    `pageSize=${pageSize}&pageNumber=${pageNumber}`,
    ...query.states.map((state) => `state=${state ?? ''}`),
    ...(query.urgent === undefined ? [] : [`urgent=${query.urgent}`]),
    ...(query.search === undefined ? [] : [`search=${encodeURIComponent(query.search)}`]),
    ...query.include.map((id) => `include=${id}`),
    ...(sort === '' ? [] : [`sort=${sort}`]),
  ]
  const url = `${path}?${parameters.join('&')}`
  const { status, body } = await send('GET', url)
  expect(status, url).toBe(200)
  const all = sorted(
    items.filter((item) => fits(item, query) || query.include.includes(item.id)),
    sort,
  )
  const expected = all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
  expect({ ...body, url }).toEqual({
    url,
    pageInfo: { pageSize, pageNumber, numberOfPages: Math.ceil(all.length / pageSize), numberOfRecords: all.length },
    results: expected,
  })
}

function fits({ state, urgent, name }: Item, query: Query): boolean {
  if (!name.toUpperCase().includes(query.search ?? '')) return false
  return (query.states.length === 0 || query.states.includes(state)) && (query.urgent ?? urgent) === urgent
}

function sorted(items: readonly Item[], sort: Query['sort']): readonly Item[] {
  if (sort === '-id') return items.toReversed()
  const byName = (a: Item, b: Item) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  if (sort === 'name') return items.toSorted(byName)
  return sort === '-name' ? items.toSorted((a, b) => byName(b, a)) : items
}

async function write(send: Send, items: Item[], random: () => number): Promise<void> {
  const at = Math.floor(random() * items.length)
  const item = items[at] as Item
  const kind = random()
  if (kind < 0.4) {
    const { status, body } = await send('POST', '/item', { ...randomValues(random), name: 'new', box: 1 })
    expect(status).toBe(201)
    items.push(body)
  } else if (kind < 0.7) {
    const { status, body } = await send('PATCH', `/item/${item.id}`, randomValues(random))
    expect(status).toBe(200)
    items[at] = body
  } else {
    expect((await send('DELETE', `/item/${item.id}`)).status).toBe(200)
    items.splice(at, 1)
  }
}

function byIdentity(a: Item, b: Item): number {
  return a.id < b.id ? -1 : 1
}

function guid(random: () => number): string {
  const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
}

/** The same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
