/** The responses of the library to requests. */
import { type Behavior, type LibraryRequest, type LibraryResponse, nextTimestamp } from './library-behavior.ts'
import { type Noun, nouns, type Row, type Store, type Value } from './library-data.ts'
import { libraryDocument } from './library-document.ts'

const ok = (body: unknown): LibraryResponse => ({ status: 200, headers: {}, body })
const rejection = (status: number, detail: string): LibraryResponse => ({ status, headers: {}, body: { detail } })

export function responseTo(request: LibraryRequest, store: Store, behavior: Behavior): LibraryResponse {
  const { parts } = request
  if (parts.length === 1 && parts[0] === 'openapi.json') return ok(behavior.document(libraryDocument()))
  const name = parts.length <= 2 || parts[1]?.startsWith('by-') ? `${parts[0]}` : `${parts[2]}`
  const base = name.replace(/-(summary|detail)$/, '')
  const noun = nouns[base]
  if (!noun || (base !== name && base !== 'book')) return rejection(404, 'no such path')
  if (base === 'tag' && parts.length > 2) return respondLinked(request, store, behavior)
  if (noun.parent) return respondNested(request, store, behavior, name, noun)
  if (parts.length > 3) return rejection(404, 'no such path')
  const rows = store[base] as Row[]
  if (parts[1] === 'by-isbn' && base === 'book')
    return respondRecord(
      request,
      rows.find((row) => row.isbn === parts[2]),
      rows,
      noun,
      behavior,
      {},
    )
  if (parts.length === 1) return respondList(request, rows, shapeOf(name, noun), noun, behavior, {})
  return parts.length === 2
    ? respondRecord(request, byId(rows, parts[1]), rows, noun, behavior, {})
    : rejection(404, 'no such path')
}

function shapeOf(name: string, noun: Noun): readonly string[] {
  if (name.endsWith('-summary')) return noun.list.slice(0, 2)
  return name.endsWith('-detail') ? noun.complete : noun.list
}

function byId(rows: readonly Row[], id: string | undefined): Row | undefined {
  return rows.find((row) => `${row.id}` === id)
}

function respondNested(
  request: LibraryRequest,
  store: Store,
  behavior: Behavior,
  name: string,
  noun: Noun,
): LibraryResponse {
  const [parentNoun = '', property = ''] = noun.parent ?? []
  const [above, id, , child] = request.parts
  const parent = above === parentNoun ? byId(store[parentNoun] as Row[], id) : undefined
  if (!parent || request.parts.length > 4) return rejection(404, 'no such parent')
  const all = store[name] as Row[]
  const rows = all.filter((row) => behavior.belongs(row, property, Number(parent.id)))
  const pathValues = { [property]: Number(parent.id) }
  if (child === undefined) return respondList(request, rows, noun.list, noun, behavior, pathValues, all)
  return respondRecord(request, byId(rows, child), all, noun, behavior, pathValues)
}

function respondLinked(request: LibraryRequest, store: Store, behavior: Behavior): LibraryResponse {
  const [above, id, , child] = request.parts
  const parent = above === 'book' ? byId(store.book as Row[], id) : undefined
  if (!parent) return rejection(404, 'no such parent')
  const noun = nouns.tag as Noun
  const isLinked = (tag: Row) => store.link.some((row) => row.book === parent.id && row.tag === tag.id)
  const rows = (store.tag as Row[]).filter(isLinked)
  if (child === undefined) return respondList(request, rows, noun.list, noun, behavior, {})
  const tag = byId(store.tag as Row[], child)
  if (!tag) return rejection(404, 'no such tag')
  if (request.method === 'PUT') {
    if (!isLinked(tag)) store.link.push({ book: parent.id as number, tag: tag.id as number })
    return ok(shown(tag, noun.complete))
  }
  if (!isLinked(tag)) return rejection(404, 'not linked')
  if (request.method === 'DELETE')
    store.link.splice(
      store.link.findIndex((row) => row.book === parent.id && row.tag === tag.id),
      1,
    )
  else if (request.method !== 'GET') return notAllowed('GET, PUT, DELETE')
  return ok(shown(tag, noun.complete))
}

function shown(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name] as Value]))
}

function notAllowed(allow: string): LibraryResponse {
  return { status: 405, headers: { allow }, body: { detail: 'not allowed' } }
}

function respondList(
  request: LibraryRequest,
  rows: Row[],
  shape: readonly string[],
  noun: Noun,
  behavior: Behavior,
  pathValues: Row,
  all = rows,
): LibraryResponse {
  if (request.method === 'POST' && !noun.isFixed && !request.parts[0]?.includes('-'))
    return createRecord(request, all, noun, pathValues)
  if (request.method !== 'GET') return notAllowed('GET')
  const values = (name: string) => request.query.filter(([key]) => key === name).map(([, value]) => value)
  const known = ['pageNumber', 'pageSize', 'sort', 'include', ...noun.complete]
  const unknown = request.query.find(([name]) => !known.includes(name))
  if (unknown) return rejection(400, `no parameter ${unknown[0]}`)
  const number = behavior.pageNumber(values('pageNumber')[0])
  const [size = `${behavior.defaultSize}`] = values('pageSize')
  if (number === undefined || !/^[1-9]\d*$/.test(size)) return rejection(400, 'no such page')
  const page = { number, size: Number(size) }
  const filters = noun.complete.filter((name) => values(name).length > 0)
  const isMatch = (row: Row) => behavior.combine(filters.map((name) => behavior.matches(row[name], values(name))))
  const matched = rows.filter((row) => filters.length === 0 || isMatch(row) || behavior.include(row, values('include')))
  const ordered = behavior.order(matched, values('sort'), page)
  if (noun.isPlain) return ok(ordered.map((row) => shown(row, shape)))
  const results = behavior.slice(ordered, page).map((row) => shown(row, shape))
  return ok({ pageInfo: behavior.info(page, behavior.total(matched, rows)), results })
}

function bodyOf({ type, text }: LibraryRequest): Row | LibraryResponse {
  if (!type.startsWith('application/json')) return rejection(415, 'not JSON')
  try {
    return JSON.parse(text)
  } catch {
    return rejection(400, 'malformed')
  }
}

const isRejection = (body: Row | LibraryResponse): body is LibraryResponse =>
  typeof body.status === 'number' && 'headers' in body

function createRecord(request: LibraryRequest, rows: Row[], noun: Noun, pathValues: Row): LibraryResponse {
  const body = bodyOf(request)
  if (isRejection(body)) return body
  const missing = noun.mutable.find((name) => !(name in body) && name !== 'note')
  if (missing) return rejection(400, `${missing} is missing`)
  const now = nextTimestamp()
  const id = Math.max(0, ...rows.map((row) => Number(row.id))) + 1
  const record = {
    id,
    note: null,
    created: now,
    lastUpdated: now,
    ...pathValues,
    ...shown(
      body,
      noun.mutable.filter((name) => name in body),
    ),
  }
  rows.push(record)
  return {
    status: 201,
    headers: { location: `/${[...request.parts, id].join('/')}` },
    body: shown(record, noun.complete),
  }
}

function respondRecord(
  request: LibraryRequest,
  row: Row | undefined,
  rows: Row[],
  noun: Noun,
  behavior: Behavior,
  pathValues: Row,
): LibraryResponse {
  if (!row) return rejection(404, 'no such record')
  const { method } = request
  if (method === 'GET') return ok(shown(row, noun.complete))
  if (noun.isFixed || request.parts[1]?.startsWith('by-')) return notAllowed('GET')
  if (method === 'DELETE') return ok(shown(rows.splice(rows.indexOf(row), 1)[0] as Row, noun.complete))
  if (method !== 'PUT' && method !== 'PATCH') return notAllowed('GET, PUT, PATCH, DELETE')
  const body = bodyOf(request)
  if (isRejection(body)) return body
  if (behavior.missing(body, noun.mutable, method)) return rejection(400, 'a field is missing')
  const changed = { ...behavior.change(row, body, noun.mutable, method), ...pathValues }
  rows.splice(rows.indexOf(row), 1, changed)
  return ok(shown(changed, noun.complete))
}
