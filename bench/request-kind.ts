/** The kinds of requests that are measured, and the requests of each: the same for every contender and in every run. */

export interface BenchRequest {
  readonly method: 'GET' | 'PATCH'
  readonly path: string
  readonly body?: string
}

export interface RequestKind {
  readonly name: string
  readonly isWrite?: true
  readonly request: (random: Random, users: number) => BenchRequest
}

/** A whole number from 1 to the one given. */
type Random = (to: number) => number

export const requestKinds: readonly RequestKind[] = [
  { name: 'GET one', request: (random, users) => get(`/user/${random(users)}`) },
  { name: 'list', request: (random) => get(`/user?pageSize=10&pageNumber=${random(10)}`) },
  {
    name: 'filtered list',
    request: (random) => {
      const status = random(2) === 1 ? 'ACTIVE' : 'SUSPENDED'
      return get(`/user?status=${status}&department=${random(15)}&pageSize=10`)
    },
  },
  {
    name: 'PATCH',
    isWrite: true,
    request: (random, users) => ({
      method: 'PATCH',
      path: `/user/${random(users)}`,
      body: JSON.stringify({ phone: `+1 555 ${1_000_000 + random(8_999_999)}` }),
    }),
  },
]

function get(path: string): BenchRequest {
  return { method: 'GET', path }
}

/** So many requests of a kind, drawn evenly; always the same ones. */
export function requestsOf(kind: RequestKind, number: number, users: number): readonly BenchRequest[] {
  const random = randomFrom(number)
  return Array.from({ length: number }, () => kind.request(random, users))
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
