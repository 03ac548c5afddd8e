/** The kinds of measured requests: the same for every contender and in every run. */
import { pageSize, type RequestSpec } from './request-spec.ts'

export interface RequestKind {
  readonly name: string
  readonly isWrite?: true
  /** How the connections are used, if they are not kept open for one request after the other. Latencies are not measured then. */
  readonly connection?: ConnectionUse
  readonly requestSpec: (random: Random, users: number) => RequestSpec
}

/** A new connection for each request, or several requests on a connection before their responses. */
export type ConnectionUse = 'new' | 'pipelined'

/** An integer from 1 to `to`. */
type Random = (to: number) => number

/** Pages are chosen from this many. */
const pages = 10

export const singleRecord: RequestKind = {
  name: 'GET one',
  requestSpec: (random, users) => ({ target: 'record', id: random(users) }),
}

const list: RequestKind = { name: 'list', requestSpec: (random) => ({ target: 'page', number: random(pages) }) }

const filteredList: RequestKind = {
  name: 'filtered list',
  requestSpec: (random) => {
    const status = random(2) === 1 ? 'ACTIVE' : 'SUSPENDED'
    return { target: 'page', number: 1, filter: { status, department: random(15) } }
  },
}

const lastPage: RequestKind = {
  name: 'last page',
  requestSpec: (random, users) => {
    const last = Math.ceil(users / pageSize)
    return { target: 'page', number: last + 1 - random(Math.min(pages, last)) }
  },
}

export const change: RequestKind = {
  name: 'PATCH',
  isWrite: true,
  requestSpec: (random, users) => ({
    target: 'change',
    id: random(users),
    phone: `+1 555 ${1_000_000 + random(8_999_999)}`,
  }),
}

const largePage: RequestKind = {
  name: 'large page',
  requestSpec: (random) => ({ target: 'page', number: random(pages), size: 1000 }),
}

/** The kinds of `npm run bench`. */
export const requestKinds: readonly RequestKind[] = [singleRecord, list, filteredList, change]

/** Kinds that `npm run bench -- --only` selects. */
export const otherRequestKinds: readonly RequestKind[] = [
  largePage,
  { ...singleRecord, name: 'pipelined', connection: 'pipelined' },
  { ...singleRecord, name: 'new connections', connection: 'new' },
]

/** The kinds of `npm run bench:peers`. */
export const peerRequestKinds: readonly RequestKind[] = [singleRecord, list, filteredList, lastPage, change]

/** This many requests of a kind, evenly distributed and reproducible. */
export function requestSpecsOf(kind: RequestKind, number: number, users: number): readonly RequestSpec[] {
  const random = randomFrom(number)
  return Array.from({ length: number }, () => kind.requestSpec(random, users))
}

/** The generator Mulberry32. */
function randomFrom(seed: number): Random {
  let state = seed
  return (to) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) % to) + 1
  }
}
