/** A small service that keeps the conventions, written by hand and in memory: books, authors, awards, reviews, tags. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { libraryDocument, type Part } from './library-document.ts'

export type Value = string | number | boolean | null
export type Row = Record<string, Value>
export type Query = readonly (readonly [string, string])[]

export interface Asked {
  readonly method: string
  readonly parts: readonly string[]
  readonly query: Query
  readonly type: string
  readonly authorization: string | undefined
  readonly text: string
  readonly target: string
}

export interface Given {
  status: number
  headers: Record<string, string>
  body: unknown
}

export interface Paging {
  readonly number: number
  readonly size: number
}

/** What can be bent, part by part; each has its right form in `upright`. */
export interface Behaviour {
  readonly ask: (asked: Asked) => Asked
  readonly answer: (given: Given, asked: Asked, store: Store) => Given
  readonly document: (document: Part) => Part
  readonly defaultSize: number
  readonly slice: (rows: readonly Row[], page: Paging) => readonly Row[]
  readonly info: (page: Paging, total: number) => Record<string, unknown>
  readonly total: (matched: readonly Row[], all: readonly Row[]) => number
  readonly matches: (value: Value | undefined, given: readonly string[]) => boolean
  readonly combine: (found: readonly boolean[]) => boolean
  readonly include: (row: Row, included: readonly string[]) => boolean
  readonly order: (rows: readonly Row[], sort: readonly string[], page: Paging) => readonly Row[]
  readonly pageNumber: (text: string | undefined) => number | undefined
  readonly belongs: (row: Row, name: string, parent: number) => boolean
  readonly change: (row: Row, body: Row, mutable: readonly string[], verb: 'PUT' | 'PATCH') => Row
  readonly missing: (body: Row, mutable: readonly string[], verb: 'PUT' | 'PATCH') => boolean
  readonly log: (line: string) => string | undefined
}

export const upright: Behaviour = {
  ask: (asked) => asked,
  answer: (given) => given,
  document: (document) => document,
  defaultSize: 10,
  slice: (rows, { number, size }) => rows.slice((number - 1) * size, number * size),
  info: ({ number, size }, total) => ({
    pageSize: size,
    pageNumber: number,
    numberOfPages: Math.ceil(total / size),
    numberOfRecords: total,
  }),
  total: (matched) => matched.length,
  matches: (value, given) => given.includes(`${value ?? ''}`),
  combine: (found) => found.every(Boolean),
  include: (row, included) => included.includes(`${row.id}`),
  order: (rows, sort) => {
    const compare = (a: Row, b: Row, key: string) => {
      const name = key.replace(/^-/, '')
      const [one, other] = [a[name] ?? '', b[name] ?? '']
      return (one < other ? -1 : one > other ? 1 : 0) * (key.startsWith('-') ? -1 : 1)
    }
    return rows.toSorted((a, b) => [...sort, 'id'].reduce((found, key) => found || compare(a, b, key), 0))
  },
  pageNumber: (text) => (text === undefined ? 1 : /^[1-9]\d*$/.test(text) ? Number(text) : undefined),
  belongs: (row, name, parent) => row[name] === parent,
  change: (row, body, mutable) => {
    const own = Object.entries(body).filter(([name]) => mutable.includes(name))
    return { ...row, ...Object.fromEntries(own), ...('lastUpdated' in row && { lastUpdated: moment() }) }
  },
  missing: (body, mutable, verb) => verb === 'PUT' && mutable.some((name) => !(name in body)),
  log: (line) => line,
}

interface Noun {
  readonly list: readonly string[]
  readonly complete: readonly string[]
  readonly mutable: readonly string[]
  readonly parent?: readonly [noun: string, property: string]
  readonly isPlain?: boolean
  readonly isFixed?: boolean
}

const book = ['id', 'title', 'isbn', 'shelf', 'author', 'numberOfLeaves', 'note', 'created', 'lastUpdated']
const nouns: Readonly<Record<string, Noun>> = {
  book: { list: ['id', 'title', 'shelf'], complete: book, mutable: book.slice(1, 7) },
  author: { list: ['id', 'name', 'country'], complete: ['id', 'name', 'country'], mutable: ['name', 'country'] },
  tag: { list: ['id', 'label'], complete: ['id', 'label'], mutable: [], isFixed: true },
  award: {
    list: ['id', 'author', 'label'],
    complete: ['id', 'author', 'label', 'year'],
    mutable: ['label', 'year'],
    parent: ['author', 'author'],
  },
  review: {
    list: ['id', 'stars', 'comment'],
    complete: ['id', 'stars', 'comment'],
    mutable: ['stars', 'comment'],
    parent: ['book', 'book'],
    isPlain: true,
  },
}

export type Store = Record<string, Row[]> & { link: Row[] }

function filled(): Store {
  const rows = (count: number, row: (at: number) => Row) =>
    Array.from({ length: count }, (_, at) => ({ id: at + 1, ...row(at + 1) }))
  return {
    author: rows(14, (at) => ({ name: `Author ${at}`, country: ['FR', 'JP', 'PE'][at % 3] as string })),
    book: rows(47, (at) => ({
      title: `Title ${at % 19}`,
      isbn: `978-${at}`,
      shelf: at % 3 === 0 ? 'CLOSED' : 'OPEN',
      author: (at % 14) + 1,
      numberOfLeaves: 100 + (at % 7),
      note: at % 4 === 0 ? null : `Note ${at % 5}`,
      created: '2026-01-01T00:00:00.000Z',
      lastUpdated: '2026-01-01T00:00:00.000Z',
    })),
    tag: rows(9, (at) => ({ label: `tag ${at}` })),
    award: rows(60, (at) => ({ author: (at % 5) + 1, label: `Award ${at % 8}`, year: 1990 + (at % 9) })),
    review: rows(120, (at) => ({ book: (at % 47) + 1, stars: (at % 5) + 1, comment: `Comment ${at % 11}` })),
    link: rows(80, (at) => ({ book: (at % 47) + 1, tag: (at % 9) + 1 })),
  }
}

let last = 0
function moment(): string {
  last = Math.max(last + 1, Date.now())
  return new Date(last).toISOString()
}

export interface Library {
  readonly base: string
  readonly store: Store
  readonly lines: () => string
  close(): Promise<void>
}

/** Serves it on a free port; what is bent stands in place of the right form. */
export async function library(bent: Partial<Behaviour> = {}): Promise<Library> {
  const behaviour = { ...upright, ...bent }
  const store = filled()
  let lines = ''
  const server = createServer(async (request, response) => {
    const asked = behaviour.ask(await read(request))
    const given = behaviour.answer(answerTo(asked, store, behaviour), asked, store)
    const size = send(response, given)
    const agent = request.headers['user-agent']
    const line = behaviour.log(
      `127.0.0.1:${request.socket.remotePort} - - [15/11/2026:03:29:00 +0000] "${request.method} ${request.url} HTTP/1.1" ${given.status} ${size} "-" "${agent}"`,
    )
    if (line !== undefined) lines += `${line}\n`
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    store,
    lines: () => lines,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  let text = ''
  for await (const part of request) text += part
  const url = new URL(`${request.url}`, 'http://library')
  const parts = url.pathname.split('/').slice(1).map(decodeURIComponent)
  const { authorization, 'content-type': type = '' } = request.headers
  return {
    method: `${request.method}`,
    parts,
    query: [...url.searchParams],
    type,
    authorization,
    text,
    target: `${request.url}`,
  }
}

function send(response: ServerResponse, { status, headers, body }: Given): number {
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(text)
  return Buffer.byteLength(text)
}

const ok = (body: unknown): Given => ({ status: 200, headers: {}, body })
const refused = (status: number, detail: string): Given => ({ status, headers: {}, body: { detail } })

function answerTo(asked: Asked, store: Store, behaviour: Behaviour): Given {
  const { parts } = asked
  if (parts.length === 1 && parts[0] === 'openapi.json') return ok(behaviour.document(libraryDocument()))
  const name = parts.length <= 2 || parts[1]?.startsWith('by-') ? `${parts[0]}` : `${parts[2]}`
  const base = name.replace(/-(summary|detail)$/, '')
  const noun = nouns[base]
  if (!noun || (base !== name && base !== 'book')) return refused(404, 'no such path')
  if (base === 'tag' && parts.length > 2) return linked(asked, store, behaviour)
  if (noun.parent) return nested(asked, store, behaviour, name, noun)
  if (parts.length > 3) return refused(404, 'no such path')
  const rows = store[base] as Row[]
  if (parts[1] === 'by-isbn' && base === 'book')
    return one(
      asked,
      rows.find((row) => row.isbn === parts[2]),
      rows,
      noun,
      behaviour,
      {},
    )
  if (parts.length === 1) return many(asked, rows, shapeOf(name, noun), noun, behaviour, {})
  return parts.length === 2 ? one(asked, byId(rows, parts[1]), rows, noun, behaviour, {}) : refused(404, 'no such path')
}

function shapeOf(name: string, noun: Noun): readonly string[] {
  if (name.endsWith('-summary')) return noun.list.slice(0, 2)
  return name.endsWith('-detail') ? noun.complete : noun.list
}

function byId(rows: readonly Row[], id: string | undefined): Row | undefined {
  return rows.find((row) => `${row.id}` === id)
}

function nested(asked: Asked, store: Store, behaviour: Behaviour, name: string, noun: Noun): Given {
  const [parentNoun = '', property = ''] = noun.parent ?? []
  const [above, id, , child] = asked.parts
  const parent = above === parentNoun ? byId(store[parentNoun] as Row[], id) : undefined
  if (!parent || asked.parts.length > 4) return refused(404, 'no such parent')
  const all = store[name] as Row[]
  const rows = all.filter((row) => behaviour.belongs(row, property, Number(parent.id)))
  const given = { [property]: Number(parent.id) }
  if (child === undefined) return many(asked, rows, noun.list, noun, behaviour, given, all)
  return one(asked, byId(rows, child), all, noun, behaviour, given)
}

function linked(asked: Asked, store: Store, behaviour: Behaviour): Given {
  const [above, id, , child] = asked.parts
  const parent = above === 'book' ? byId(store.book as Row[], id) : undefined
  if (!parent) return refused(404, 'no such parent')
  const noun = nouns.tag as Noun
  const isLinked = (tag: Row) => store.link.some((row) => row.book === parent.id && row.tag === tag.id)
  const rows = (store.tag as Row[]).filter(isLinked)
  if (child === undefined) return many(asked, rows, noun.list, noun, behaviour, {})
  const tag = byId(store.tag as Row[], child)
  if (!tag) return refused(404, 'no such tag')
  if (asked.method === 'PUT') {
    if (!isLinked(tag)) store.link.push({ book: parent.id as number, tag: tag.id as number })
    return ok(shown(tag, noun.complete))
  }
  if (!isLinked(tag)) return refused(404, 'not linked')
  if (asked.method === 'DELETE')
    store.link.splice(
      store.link.findIndex((row) => row.book === parent.id && row.tag === tag.id),
      1,
    )
  else if (asked.method !== 'GET') return notAllowed('GET, PUT, DELETE')
  return ok(shown(tag, noun.complete))
}

function shown(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name] as Value]))
}

function notAllowed(allow: string): Given {
  return { status: 405, headers: { allow }, body: { detail: 'not allowed' } }
}

function many(
  asked: Asked,
  rows: Row[],
  shape: readonly string[],
  noun: Noun,
  behaviour: Behaviour,
  given: Row,
  all = rows,
): Given {
  if (asked.method === 'POST' && !noun.isFixed && !asked.parts[0]?.includes('-')) return make(asked, all, noun, given)
  if (asked.method !== 'GET') return notAllowed('GET')
  const values = (name: string) => asked.query.filter(([one]) => one === name).map(([, value]) => value)
  const known = ['pageNumber', 'pageSize', 'sort', 'include', ...noun.complete]
  const unknown = asked.query.find(([name]) => !known.includes(name))
  if (unknown) return refused(400, `no parameter ${unknown[0]}`)
  const number = behaviour.pageNumber(values('pageNumber')[0])
  const [size = `${behaviour.defaultSize}`] = values('pageSize')
  if (number === undefined || !/^[1-9]\d*$/.test(size)) return refused(400, 'no such page')
  const page = { number, size: Number(size) }
  const filters = noun.complete.filter((name) => values(name).length > 0)
  const isMatch = (row: Row) => behaviour.combine(filters.map((name) => behaviour.matches(row[name], values(name))))
  const matched = rows.filter(
    (row) => filters.length === 0 || isMatch(row) || behaviour.include(row, values('include')),
  )
  const ordered = behaviour.order(matched, values('sort'), page)
  if (noun.isPlain) return ok(ordered.map((row) => shown(row, shape)))
  const results = behaviour.slice(ordered, page).map((row) => shown(row, shape))
  return ok({ pageInfo: behaviour.info(page, behaviour.total(matched, rows)), results })
}

function bodyOf({ type, text }: Asked): Row | Given {
  if (!type.startsWith('application/json')) return refused(415, 'no JSON')
  try {
    return JSON.parse(text)
  } catch {
    return refused(400, 'malformed')
  }
}

const isRefusal = (body: Row | Given): body is Given => typeof body.status === 'number' && 'headers' in body

function make(asked: Asked, rows: Row[], noun: Noun, given: Row): Given {
  const body = bodyOf(asked)
  if (isRefusal(body)) return body
  const lacking = noun.mutable.find((name) => !(name in body) && name !== 'note')
  if (lacking) return refused(400, `${lacking} is missing`)
  const now = moment()
  const id = Math.max(0, ...rows.map((row) => Number(row.id))) + 1
  const made = {
    id,
    note: null,
    created: now,
    lastUpdated: now,
    ...given,
    ...shown(
      body,
      noun.mutable.filter((name) => name in body),
    ),
  }
  rows.push(made)
  return { status: 201, headers: { location: `/${[...asked.parts, id].join('/')}` }, body: shown(made, noun.complete) }
}

function one(asked: Asked, row: Row | undefined, rows: Row[], noun: Noun, behaviour: Behaviour, given: Row): Given {
  if (!row) return refused(404, 'no such record')
  const { method } = asked
  if (method === 'GET') return ok(shown(row, noun.complete))
  if (noun.isFixed || asked.parts[1]?.startsWith('by-')) return notAllowed('GET')
  if (method === 'DELETE') return ok(shown(rows.splice(rows.indexOf(row), 1)[0] as Row, noun.complete))
  if (method !== 'PUT' && method !== 'PATCH') return notAllowed('GET, PUT, PATCH, DELETE')
  const body = bodyOf(asked)
  if (isRefusal(body)) return body
  if (behaviour.missing(body, noun.mutable, method)) return refused(400, 'a field is missing')
  const changed = { ...behaviour.change(row, body, noun.mutable, method), ...given }
  rows.splice(rows.indexOf(row), 1, changed)
  return ok(shown(changed, noun.complete))
}
