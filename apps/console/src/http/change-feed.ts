/** The changes of the records of a list: a list knows its position among them before it is requested, so that none is missed. */
import { type FollowedList, followedList } from '../model/history/followed-list.ts'
import { isTransient, problemOf } from '../model/service/problem.ts'
import type { Collection, Service } from '../model/service/service.ts'
import type { HttpClient } from './http-client.ts'
import { pageFrom } from './response-body.ts'

/** The maximum number of entries in a response. Only their existence matters. */
const maxEntries = 10

/** How long a request waits for a change, in seconds. */
const waitSeconds = '30'

/** One feed for each list of changes. A feed keeps its position while no list follows it. */
export class ChangeFeeds {
  readonly #http: HttpClient
  readonly #feeds = new Map<string, ChangeFeed>()

  constructor(http: HttpClient) {
    this.#http = http
  }

  /** The changes that concern a list; undefined if the service has none that can be followed. */
  of(service: Service, collection: Collection): ChangeFeed | undefined {
    const list = followedList(service, collection)
    if (!list) return undefined
    const key = `${list.base}${list.path}?${list.filter}`
    const feed = this.#feeds.get(key) ?? new ChangeFeed(this.#http, list)
    this.#feeds.set(key, feed)
    return feed
  }
}

export class ChangeFeed {
  readonly #http: HttpClient
  readonly #list: FollowedList
  /** The ID of the last change that is known. */
  #position: string | undefined
  #start: Promise<void> | undefined
  /** A list was requested without a position. */
  #isLate = false

  constructor(http: HttpClient, list: FollowedList) {
    this.#http = http
    this.#list = list
  }

  /** Resolves when a list can be requested: its position is known, or not available. */
  async ready(): Promise<void> {
    if (this.#isLate) return
    await this.#started().catch(() => {
      this.#isLate = true
    })
  }

  /** Waits for changes. True if lists must be loaded again, undefined if the list of changes cannot be followed. */
  async next(signal: AbortSignal): Promise<boolean | undefined> {
    if (this.#position === undefined) {
      await this.#started()
      const isLate = this.#isLate
      this.#isLate = false
      return this.#position === undefined ? undefined : isLate
    }
    const { position, count } = await this.#read({ afterId: this.#position, wait: waitSeconds }, signal)
    // After a load of many records, the next position is the current one: the list is loaded again with all of them.
    this.#position = count < maxEntries ? position : (await this.#read({ wait: '0' }, signal)).position
    return count > 0
  }

  /** Whether to try again after an error. */
  canRetry(error: unknown): boolean {
    if (isTransient(error)) return true
    if (problemOf(error).status !== 400 || this.#position === undefined) return false
    // The position does not exist, because the database was restored from a backup.
    this.#position = undefined
    this.#isLate = true
    return true
  }

  async #started(): Promise<void> {
    if (this.#position !== undefined) return
    this.#start ??= this.#read({ wait: '0' }).then(({ position }) => {
      this.#position = position
    })
    try {
      await this.#start
    } finally {
      this.#start = undefined
    }
  }

  async #read(parameters: { readonly [name: string]: string }, signal?: AbortSignal) {
    const { base, path, filter, property } = this.#list
    const query = new URLSearchParams([...filter, ['pageSize', `${maxEntries}`], ...Object.entries(parameters)])
    const { body, headers } = await this.#http.send({ base, method: 'GET', path, query, signal, isBackground: true })
    const position = /[?&]afterId=(\d+)/.exec(headers.link ?? '')?.[1]
    return { position, count: pageFrom(body, property).records.length }
  }
}
