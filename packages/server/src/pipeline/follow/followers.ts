/** The requests that follow changes: long polls and event streams. Their number is limited for each caller. */
import { ProblemError, problem } from '@nomen/core'
import { userKey } from '../../auth/user-key.ts'
import type { Caller } from '../../define/caller/caller.ts'
import type { RawRequest } from '../read/parsed-request.ts'
import type { NewEntries } from './new-entries.ts'

/** The default limit for each user, or for each client address without authentication. */
const defaultFollowerLimit = 100

export interface FollowerOptions {
  /** Returns the address by which a client is counted. */
  readonly countedAddress: (address: string) => string
  /** Whether the service has more requests than it can serve. */
  readonly isOverloaded: () => boolean
  /** The maximum number of followers of a caller. */
  readonly limit: number | undefined
}

export class Followers {
  readonly newEntries: NewEntries
  readonly #options: FollowerOptions
  readonly #numbers = new Map<string, number>()
  #total = 0

  constructor(newEntries: NewEntries, options: FollowerOptions) {
    this.newEntries = newEntries
    this.#options = options
  }

  /** Whether streams must end, so that other requests are served. Their clients connect again later. */
  get isOverloaded(): boolean {
    return this.#options.isOverloaded()
  }

  /** The number of open streams and waiting polls. */
  get count(): number {
    return this.#total
  }

  /** Runs a long poll and counts it against the caller's limit. */
  async runCounted<Result>(raw: RawRequest, caller: Caller, follow: () => Promise<Result>): Promise<Result> {
    const leave = this.join(raw, caller)
    try {
      return await follow()
    } finally {
      leave()
    }
  }

  /** Adds a follower, and returns the function that removes it. Throws a problem if the caller has too many. */
  join({ address }: RawRequest, caller: Caller): () => void {
    const { countedAddress, limit = defaultFollowerLimit } = this.#options
    const user = userKey(caller)
    const key = user === undefined ? `address ${countedAddress(address)}` : `user ${user}`
    const count = this.#numbers.get(key) ?? 0
    if (count >= limit) throw tooManyFollowers(limit)
    this.#set(key, count + 1)
    let isJoined = true
    return () => {
      if (isJoined) this.#set(key, (this.#numbers.get(key) ?? 1) - 1)
      isJoined = false
    }
  }

  #set(key: string, count: number): void {
    this.#total += count - (this.#numbers.get(key) ?? 0)
    if (count === 0) this.#numbers.delete(key)
    else this.#numbers.set(key, count)
  }
}

function tooManyFollowers(limit: number): ProblemError {
  return new ProblemError(
    problem('too-many-requests', {
      detail: `You have ${limit} open event streams and long-polling requests for changes, which is the limit.`,
      hint: 'Close some of them first.',
    }),
  )
}
