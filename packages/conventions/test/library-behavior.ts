/** The parts of the library service that a test can replace, with the correct behavior of each. */
import type { Row, Store, Value } from './library-data.ts'
import type { Part } from './library-document.ts'

export type Query = readonly (readonly [string, string])[]

export interface LibraryRequest {
  readonly method: string
  readonly parts: readonly string[]
  readonly query: Query
  readonly type: string
  readonly authorization: string | undefined
  readonly text: string
  readonly target: string
}

export interface LibraryResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

export interface Paging {
  readonly number: number
  readonly size: number
}

/** The parts of the service that a test can break; `upright` has the correct parts. */
export interface Behavior {
  readonly onRequest: (request: LibraryRequest) => LibraryRequest
  readonly onResponse: (response: LibraryResponse, request: LibraryRequest, store: Store) => LibraryResponse
  readonly document: (document: Part) => Part
  readonly defaultSize: number
  readonly slice: (rows: readonly Row[], page: Paging) => readonly Row[]
  readonly info: (page: Paging, total: number) => Record<string, unknown>
  readonly total: (matched: readonly Row[], all: readonly Row[]) => number
  readonly matches: (value: Value | undefined, filters: readonly string[]) => boolean
  readonly combine: (matches: readonly boolean[]) => boolean
  readonly include: (row: Row, included: readonly string[]) => boolean
  readonly order: (rows: readonly Row[], sort: readonly string[], page: Paging) => readonly Row[]
  readonly pageNumber: (text: string | undefined) => number | undefined
  readonly belongs: (row: Row, name: string, parent: number) => boolean
  readonly change: (row: Row, body: Row, mutable: readonly string[], verb: 'PUT' | 'PATCH') => Row
  readonly missing: (body: Row, mutable: readonly string[], verb: 'PUT' | 'PATCH') => boolean
  readonly log: (line: string) => string | undefined
}

export const correctBehavior: Behavior = {
  onRequest: (request) => request,
  onResponse: (response) => response,
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
  matches: (value, filters) => filters.includes(`${value ?? ''}`),
  combine: (matches) => matches.every(Boolean),
  include: (row, included) => included.includes(`${row.id}`),
  order: (rows, sort) => {
    const compare = (a: Row, b: Row, key: string) => {
      const name = key.replace(/^-/, '')
      const [left, right] = [a[name] ?? '', b[name] ?? '']
      return (left < right ? -1 : left > right ? 1 : 0) * (key.startsWith('-') ? -1 : 1)
    }
    return rows.toSorted((a, b) => [...sort, 'id'].reduce((result, key) => result || compare(a, b, key), 0))
  },
  pageNumber: (text) => (text === undefined ? 1 : /^[1-9]\d*$/.test(text) ? Number(text) : undefined),
  belongs: (row, name, parent) => row[name] === parent,
  change: (row, body, mutable) => {
    const changes = Object.entries(body).filter(([name]) => mutable.includes(name))
    return { ...row, ...Object.fromEntries(changes), ...('lastUpdated' in row && { lastUpdated: nextTimestamp() }) }
  },
  missing: (body, mutable, verb) => verb === 'PUT' && mutable.some((name) => !(name in body)),
  log: (line) => line,
}

let lastTime = 0
/** The current time; every call returns a later one. */
export function nextTimestamp(): string {
  lastTime = Math.max(lastTime + 1, Date.now())
  return new Date(lastTime).toISOString()
}
