/** The kinds of requests that are measured, and what each asks: the same of every contender and in every run. */
import { type Ask, pageSize } from './ask.ts'

export interface RequestKind {
  readonly name: string
  readonly isWrite?: true
  readonly ask: (random: Random, users: number) => Ask
}

/** A whole number from 1 to the one given. */
type Random = (to: number) => number

/** Pages are drawn from so many. */
const pages = 10

export const one: RequestKind = { name: 'GET one', ask: (random, users) => ({ of: 'record', id: random(users) }) }

const list: RequestKind = { name: 'list', ask: (random) => ({ of: 'page', number: random(pages) }) }

const filteredList: RequestKind = {
  name: 'filtered list',
  ask: (random) => {
    const status = random(2) === 1 ? 'ACTIVE' : 'SUSPENDED'
    return { of: 'page', number: 1, filter: { status, department: random(15) } }
  },
}

const lastPage: RequestKind = {
  name: 'last page',
  ask: (random, users) => {
    const last = Math.ceil(users / pageSize)
    return { of: 'page', number: last + 1 - random(Math.min(pages, last)) }
  },
}

export const change: RequestKind = {
  name: 'PATCH',
  isWrite: true,
  ask: (random, users) => ({ of: 'change', id: random(users), phone: `+1 555 ${1_000_000 + random(8_999_999)}` }),
}

/** What `npm run bench` measures. */
export const requestKinds: readonly RequestKind[] = [one, list, filteredList, change]

/** What is measured of peers too. */
export const peerRequestKinds: readonly RequestKind[] = [one, list, filteredList, lastPage, change]

/** So many asks of a kind, drawn evenly; always the same ones. */
export function asksOf(kind: RequestKind, number: number, users: number): readonly Ask[] {
  const random = randomFrom(number)
  return Array.from({ length: number }, () => kind.ask(random, users))
}

/** Mulberry32: small, even, and the same every time. */
function randomFrom(seed: number): Random {
  let state = seed
  return (to) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) % to) + 1
  }
}
