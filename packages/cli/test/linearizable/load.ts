/** Clients that read and write the ledger concurrently, and record their observations. */
import { type Timed, timeCall } from '@nomen/testing/history/history'
import type { Random } from '@nomen/testing/random'
import { History, type Item } from './history.ts'
import { type Content, groups, numberOfAccounts, numberOfBooks, numberOfShelves } from './ledger.ts'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

export interface Response {
  readonly status: number
  readonly tag: string | undefined
  readonly body: unknown
}

/** Sends a request. Rejects if there is no response. */
export type Send = (request: Request) => Promise<Response>

interface Page {
  readonly pageInfo: { readonly numberOfRecords: number; readonly numberOfPages: number }
  readonly results: readonly Item[]
}

interface KnownItem {
  readonly item: Item
  readonly tag: string
}

/** The items that clients create, without the initial ones. */
const allItems: Filter = { query: '&group=A&group=B&group=C', name: 'all items', matches: () => true }

/** The approximate number of items at a time. */
const usualCount = 40

export class Load {
  readonly history = new History()
  /** The number of requests, and the number of those with an unknown outcome. */
  sentCount = 0
  unknownCount = 0
  readonly statuses = new Map<number, number>()
  readonly #random: Random
  readonly #name: string
  /** The existing items, from the last responses. */
  readonly #items = new Map<number, KnownItem>()
  #writeCount = 0

  /** The name must be unique among the loads of a service. */
  constructor(random: Random, name = '') {
    this.#random = random
    this.#name = name
  }

  /** Runs all clients until this number of requests is sent. */
  async run(clients: readonly Send[], requests: number): Promise<void> {
    await Promise.all(
      clients.map(async (send, index) => {
        while (this.sentCount < requests) await this.#act(send, `c${index}-`)
      }),
    )
    // Read everything at the end, when no other request runs.
    for (const send of clients.slice(0, 2)) await this.#list(send, allItems, 1, 1000)
  }

  /** Deletes all records of the clients. */
  async clear(send: Send): Promise<void> {
    const { body } = await send({ method: 'GET', path: `/item?pageSize=1000${allItems.query}` })
    for (const { id } of (body as Page).results) await send({ method: 'DELETE', path: `/item/${id}` })
    for (let shelf = 1; shelf <= numberOfShelves; shelf++)
      for (let book = 1; book <= numberOfBooks; book++)
        await send({ method: 'DELETE', path: `/shelf/${shelf}/book/${book}` })
  }

  async #act(send: Send, client: string): Promise<void> {
    const { below } = this.#random
    const shelf = 1 + below(numberOfShelves)
    const book = 1 + below(numberOfBooks)
    if (this.#items.size < usualCount / 4) return this.#create(send, client)
    const actions: readonly (readonly [number, () => Promise<void>])[] = [
      [this.#items.size < usualCount ? 6 : 1, () => this.#create(send, client)],
      [2, () => this.#createTwice(send, client)],
      [28, () => this.#read(send, this.#anyId())],
      [10, () => this.#change(send, this.#anyId(), false)],
      [14, () => this.#change(send, this.#anyId(), true)],
      [this.#items.size > usualCount / 2 ? 5 : 1, () => this.#remove(send, this.#anyId(), below(2) === 0)],
      [18, () => this.#listAny(send)],
      [4, () => this.#link(send, shelf, book)],
      [3, () => this.#unlink(send, shelf, book)],
      [4, () => this.#books(send, shelf)],
      [6, () => this.#transfer(send)],
      [6, () => this.#balances(send)],
    ]
    let index = below(actions.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, action] of actions) {
      index -= weight
      if (index < 0) return action()
    }
  }

  /** Sends a request. Its outcome is unknown without a response or with a 5xx status. */
  async #sendTimed(send: Send, request: Request): Promise<Timed & { readonly response: Response | undefined }> {
    this.sentCount++
    const { start, end, result } = await timeCall(() => send(request))
    const status = result?.status ?? 0
    this.statuses.set(status, 1 + (this.statuses.get(status) ?? 0))
    if (result && status < 500) return { start, end, response: result }
    this.unknownCount++
    return { start, end: Number.POSITIVE_INFINITY, response: undefined }
  }

  /** Prefers a few items, so that several clients use them at the same time. */
  #anyId(): number {
    const ids = [...this.#items.keys()]
    return this.#random.pick(this.#random.below(10) < 6 ? ids.slice(0, 5) : ids)
  }

  #content(origin?: string): Content {
    const writeId = `${this.#name}m${++this.#writeCount}`
    return { origin: origin ?? writeId, writeId, group: this.#random.pick(groups), weight: this.#random.below(100) }
  }

  #note(time: Timed, item: Item, tag: string | undefined): void {
    this.history.read(time, item.id, item, tag)
    if (tag !== undefined) this.#items.set(item.id, { item, tag })
  }

  async #create(send: Send, client: string): Promise<void> {
    const content = this.#content(`${client}${this.#writeCount}`)
    this.history.addPendingCreate(content)
    const { response, ...time } = await this.#sendTimed(send, { method: 'POST', path: '/item', body: content })
    if (response) this.#created(time, content, response)
  }

  /** Sends two requests with the same key at the same time. They create one item, before the first response. */
  async #createTwice(send: Send, client: string): Promise<void> {
    const content = this.#content(`${client}${this.#writeCount}`)
    this.history.addPendingCreate(content)
    const headers = { 'idempotency-key': `key-${content.writeId}` }
    const request: Request = { method: 'POST', path: '/item', body: content, headers }
    const attempts = await Promise.all([this.#sendTimed(send, request), this.#sendTimed(send, request)])
    const start = Math.min(...attempts.map((attempt) => attempt.start))
    const end = Math.min(...attempts.map((attempt) => attempt.end))
    for (const { response } of attempts) if (response) this.#created({ start, end }, content, response)
  }

  #created(time: Timed, content: Content, { status, body, tag }: Response): void {
    if (status === 201) {
      const item = body as Item
      this.history.create(time, content, item.id)
      this.#note(time, item, tag)
    } else this.history.fault('status', `A create gets ${status}.`)
  }

  async #read(send: Send, id: number): Promise<void> {
    const knownItem = this.#items.get(id)
    const reads: readonly (() => Promise<void>)[] = [
      () => this.#readOne(send, id),
      () => this.#readOne(send, id),
      () => this.#readUnless(send, id, knownItem),
      () => this.#readListed(send, id, `/item?id=${id}`),
      () => this.#readListed(send, id, `/item?weight=-1&include=${id}`),
      () => this.#lookUp(send, id, knownItem),
      () => this.#look(send, id),
    ]
    await this.#random.pick(reads)()
  }

  async #readOne(send: Send, id: number): Promise<void> {
    const { response, ...time } = await this.#sendTimed(send, { method: 'GET', path: `/item/${id}` })
    if (response?.status === 200) this.#note(time, response.body as Item, response.tag)
    else if (response) this.#gone(time, id)
  }

  async #readUnless(send: Send, id: number, knownItem: KnownItem | undefined): Promise<void> {
    if (!knownItem) return
    const { response, ...time } = await this.#sendTimed(send, {
      method: 'GET',
      path: `/item/${id}`,
      headers: { 'if-none-match': knownItem.tag },
    })
    if (response?.status === 304) this.history.read(time, id, knownItem.item)
    else if (response?.status === 200) this.#note(time, response.body as Item, response.tag)
    else if (response) this.#gone(time, id)
  }

  async #readListed(send: Send, id: number, path: string): Promise<void> {
    const { response, ...time } = await this.#sendTimed(send, { method: 'GET', path })
    if (!response) return
    const { pageInfo, results } = response.body as Page
    if (pageInfo.numberOfRecords !== results.length)
      this.history.fault('page', `${path} has ${pageInfo.numberOfRecords}.`)
    this.history.read(time, id, results[0] ?? null)
  }

  async #lookUp(send: Send, id: number, knownItem: KnownItem | undefined): Promise<void> {
    if (!knownItem) return
    const { response, ...time } = await this.#sendTimed(send, {
      method: 'GET',
      path: `/item/by-write-id/${knownItem.item.writeId}`,
    })
    if (response?.status === 200) this.history.read(time, id, response.body as Item)
    else if (response) this.history.readNot(time, id, knownItem.item.writeId)
  }

  async #look(send: Send, id: number): Promise<void> {
    const { response, ...time } = await this.#sendTimed(send, { method: 'GET', path: `/item/${id}/look` })
    if (response?.status === 200) this.history.readWriteId(time, id, (response.body as Item).writeId)
    else if (response?.status === 404) this.#gone(time, id)
  }

  #gone(time: Timed, id: number): void {
    this.history.read(time, id, null)
    this.#items.delete(id)
  }

  async #change(send: Send, id: number, isConditional: boolean): Promise<void> {
    // Sometimes use an older observation.
    if (isConditional && this.#random.below(3) > 0) await this.#readOne(send, id)
    const knownItem = this.#items.get(id)
    if (!knownItem) return
    const content = { ...this.#content(), origin: knownItem.item.origin }
    this.history.addPendingWrite(content)
    const expected = isConditional ? knownItem.item.writeId : undefined
    const { response, ...time } = await this.#sendTimed(send, {
      method: 'PATCH',
      path: `/item/${id}`,
      body: { writeId: content.writeId, group: content.group, weight: content.weight },
      headers: isConditional ? { 'if-match': knownItem.tag } : {},
    })
    if (!response) return this.history.write(time, id, content, expected)
    if (response.status === 200) {
      this.history.write(time, id, content, expected)
      const item = response.body as Item
      if (item.writeId !== content.writeId)
        this.history.fault('mixed', `A write of ${content.writeId} gets ${item.writeId}.`)
      this.#note(time, item, response.tag)
    } else this.#rejected(time, id, response, knownItem, isConditional)
  }

  async #remove(send: Send, id: number, isConditional: boolean): Promise<void> {
    const knownItem = this.#items.get(id)
    if (!knownItem) return
    const headers: Record<string, string> = isConditional ? { 'if-match': knownItem.tag } : {}
    const { response, ...time } = await this.#sendTimed(send, { method: 'DELETE', path: `/item/${id}`, headers })
    if (response && response.status !== 200) return this.#rejected(time, id, response, knownItem, isConditional)
    this.history.remove(time, id, isConditional ? knownItem.item.writeId : undefined)
    this.#items.delete(id)
  }

  #rejected(time: Timed, id: number, { status }: Response, { item }: KnownItem, isConditional: boolean): void {
    if (status === 404) this.#gone(time, id)
    else if (status === 412 && isConditional) this.history.readNot(time, id, item.writeId)
    else this.history.fault('status', `A write of item ${id} gets ${status}.`)
  }

  #listAny(send: Send): Promise<void> {
    const group = this.#random.pick(groups)
    const minimum = this.#random.below(100)
    const client = `c${this.#random.below(4)}-`
    const filter = this.#random.pick<Filter>([
      allItems,
      allItems,
      { query: `&group=${group}`, name: `items of ${group}`, matches: (item) => item.group === group },
      { query: '&group=A&group=C', name: 'items of A or C', matches: (item) => item.group !== 'B' },
      { query: `&weighedFrom=${minimum}`, name: `items from ${minimum} on`, matches: (item) => item.weight >= minimum },
      { query: `&search=${client}`, name: `items of ${client}`, matches: (item) => item.origin.includes(client) },
      {
        query: `&group=${group}&weighedFrom=${minimum}`,
        name: `items of ${group} from ${minimum} on`,
        matches: (item) => item.group === group && item.weight >= minimum,
      },
    ])
    return this.#list(send, filter, 1 + this.#random.below(3), this.#random.pick([3, 10, 10, 100]))
  }

  async #list(send: Send, { query, name, matches }: Filter, pageNumber: number, pageSize: number): Promise<void> {
    const path = `/item?pageNumber=${pageNumber}&pageSize=${pageSize}${query}`
    const { response, start, end } = await this.#sendTimed(send, { method: 'GET', path })
    if (!response) return
    const { pageInfo, results } = response.body as Page
    const { numberOfRecords, numberOfPages } = pageInfo
    this.history.page(
      { start, end, name, matches, pageNumber, pageSize, numberOfRecords, numberOfPages, items: results },
      results,
    )
  }

  async #link(send: Send, shelf: number, book: number): Promise<void> {
    const { response, ...time } = await this.#sendTimed(send, { method: 'PUT', path: `/shelf/${shelf}/book/${book}` })
    if (response && response.status !== 200) this.history.fault('status', `A link gets ${response.status}.`)
    this.history.pair(time, shelf, book, { kind: 'link' })
  }

  async #unlink(send: Send, shelf: number, book: number): Promise<void> {
    const { response, ...time } = await this.#sendTimed(send, {
      method: 'DELETE',
      path: `/shelf/${shelf}/book/${book}`,
    })
    const isMissing = response?.status === 404
    this.history.pair(time, shelf, book, isMissing ? { kind: 'read', isLinked: false } : { kind: 'unlink' })
  }

  async #books(send: Send, shelf: number): Promise<void> {
    const { response, ...time } = await this.#sendTimed(send, { method: 'GET', path: `/shelf/${shelf}/book` })
    if (!response) return
    const books = response.body as readonly { readonly id: number }[]
    for (let book = 1; book <= numberOfBooks; book++)
      this.history.pair(time, shelf, book, { kind: 'read', isLinked: books.some(({ id }) => id === book) })
  }

  async #transfer(send: Send): Promise<void> {
    const [from, offset, amount] = [
      this.#random.below(numberOfAccounts),
      1 + this.#random.below(numberOfAccounts - 1),
      1 + this.#random.below(50),
    ]
    const body = { to: 1 + ((from + offset) % numberOfAccounts), amount }
    const { response } = await this.#sendTimed(send, { method: 'POST', path: `/account/${from + 1}/transfer`, body })
    if (response && response.status !== 204) this.history.fault('status', `A transfer gets ${response.status}.`)
  }

  async #balances(send: Send): Promise<void> {
    const { response } = await this.#sendTimed(send, { method: 'GET', path: '/account?pageSize=100' })
    const { results } = (response?.body ?? {}) as { readonly results?: readonly { readonly balance: number }[] }
    if (results) this.history.balances(results.map(({ balance }) => balance))
  }
}

interface Filter {
  readonly query: string
  readonly name: string
  readonly matches: (content: Content) => boolean
}
