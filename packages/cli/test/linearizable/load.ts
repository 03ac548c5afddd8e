/** Clients that read and write the ledger at the same time, each one request after the other, and note what they see. */
import { type Timed, timed } from '@nomen/testing/history/history'
import type { Random } from '@nomen/testing/random'
import { type Content, groups, numberOfAccounts, numberOfBooks, numberOfShelves } from './ledger.ts'
import { type Item, Seen } from './seen.ts'

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

/** Sends a request; rejects where no answer comes. */
export type Send = (request: Request) => Promise<Response>

interface Page {
  readonly pageInfo: { readonly numberOfRecords: number; readonly numberOfPages: number }
  readonly results: readonly Item[]
}

interface Known {
  readonly item: Item
  readonly tag: string
}

/** Those that clients create; others may be there from the start. */
const allItems: Filter = { query: '&group=A&group=B&group=C', name: 'all items', fits: () => true }

/** The approximate number of items at a time. */
const usual = 40

export class Load {
  readonly seen = new Seen()
  /** How many requests were sent, and how many of them have an unknown outcome. */
  sent = 0
  unknown = 0
  readonly statuses = new Map<number, number>()
  readonly #random: Random
  readonly #name: string
  /** The items that are there, as they were last seen. */
  readonly #items = new Map<number, Known>()
  #marks = 0

  /** No two loads of one service have the same name. */
  constructor(random: Random, name = '') {
    this.#random = random
    this.#name = name
  }

  /** Runs as many clients as there are ways to send, until this number of requests is sent. */
  async run(sends: readonly Send[], requests: number): Promise<void> {
    await Promise.all(
      sends.map(async (send, at) => {
        while (this.sent < requests) await this.#act(send, `c${at}-`)
      }),
    )
    // Everything in the end, when nothing else is under way.
    for (const send of sends.slice(0, 2)) await this.#list(send, allItems, 1, 1000)
  }

  /** Takes away all that the clients have left. */
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
    if (this.#items.size < usual / 4) return this.#create(send, client)
    const actions: readonly (readonly [number, () => Promise<void>])[] = [
      [this.#items.size < usual ? 6 : 1, () => this.#create(send, client)],
      [2, () => this.#createTwice(send, client)],
      [28, () => this.#read(send, this.#anyId())],
      [10, () => this.#change(send, this.#anyId(), false)],
      [14, () => this.#change(send, this.#anyId(), true)],
      [this.#items.size > usual / 2 ? 5 : 1, () => this.#remove(send, this.#anyId(), below(2) === 0)],
      [18, () => this.#listAny(send)],
      [4, () => this.#link(send, shelf, book)],
      [3, () => this.#unlink(send, shelf, book)],
      [4, () => this.#books(send, shelf)],
      [6, () => this.#transfer(send)],
      [6, () => this.#balances(send)],
    ]
    let at = below(actions.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, action] of actions) {
      at -= weight
      if (at < 0) return action()
    }
  }

  /** Sends it. Without an answer, or with one that the service could not do it, its outcome is unknown. */
  async #ask(send: Send, request: Request): Promise<Timed & { readonly answer: Response | undefined }> {
    this.sent++
    const { start, end, result } = await timed(() => send(request))
    const status = result?.status ?? 0
    this.statuses.set(status, 1 + (this.statuses.get(status) ?? 0))
    if (result && status < 500) return { start, end, answer: result }
    this.unknown++
    return { start, end: Number.POSITIVE_INFINITY, answer: undefined }
  }

  /** Most are asked for by several clients at once. */
  #anyId(): number {
    const ids = [...this.#items.keys()]
    return this.#random.pick(this.#random.below(10) < 6 ? ids.slice(0, 5) : ids)
  }

  #content(origin?: string): Content {
    const mark = `${this.#name}m${++this.#marks}`
    return { origin: origin ?? mark, mark, group: this.#random.pick(groups), weight: this.#random.below(100) }
  }

  #note(time: Timed, item: Item, tag: string | undefined): void {
    this.seen.read(time, item.id, item, tag)
    if (tag !== undefined) this.#items.set(item.id, { item, tag })
  }

  async #create(send: Send, client: string): Promise<void> {
    const content = this.#content(`${client}${this.#marks}`)
    this.seen.announceCreate(content)
    const { answer, ...time } = await this.#ask(send, { method: 'POST', path: '/item', body: content })
    if (answer) this.#created(time, content, answer)
  }

  /** By one key, sent twice at once: one item. It is there when the first answer comes. */
  async #createTwice(send: Send, client: string): Promise<void> {
    const content = this.#content(`${client}${this.#marks}`)
    this.seen.announceCreate(content)
    const headers = { 'idempotency-key': `key-${content.mark}` }
    const request: Request = { method: 'POST', path: '/item', body: content, headers }
    const both = await Promise.all([this.#ask(send, request), this.#ask(send, request)])
    const start = Math.min(...both.map((one) => one.start))
    const end = Math.min(...both.map((one) => one.end))
    for (const { answer } of both) if (answer) this.#created({ start, end }, content, answer)
  }

  #created(time: Timed, content: Content, { status, body, tag }: Response): void {
    if (status === 201) {
      const item = body as Item
      this.seen.create(time, content, item.id)
      this.#note(time, item, tag)
    } else this.seen.fault('status', `A create is answered ${status}.`)
  }

  async #read(send: Send, id: number): Promise<void> {
    const known = this.#items.get(id)
    const ways: readonly (() => Promise<void>)[] = [
      () => this.#readOne(send, id),
      () => this.#readOne(send, id),
      () => this.#readUnless(send, id, known),
      () => this.#readListed(send, id, `/item?id=${id}`),
      () => this.#readListed(send, id, `/item?weight=-1&include=${id}`),
      () => this.#lookUp(send, id, known),
      () => this.#look(send, id),
    ]
    await this.#random.pick(ways)()
  }

  async #readOne(send: Send, id: number): Promise<void> {
    const { answer, ...time } = await this.#ask(send, { method: 'GET', path: `/item/${id}` })
    if (answer?.status === 200) this.#note(time, answer.body as Item, answer.tag)
    else if (answer) this.#gone(time, id)
  }

  async #readUnless(send: Send, id: number, known: Known | undefined): Promise<void> {
    if (!known) return
    const { answer, ...time } = await this.#ask(send, {
      method: 'GET',
      path: `/item/${id}`,
      headers: { 'if-none-match': known.tag },
    })
    if (answer?.status === 304) this.seen.read(time, id, known.item)
    else if (answer?.status === 200) this.#note(time, answer.body as Item, answer.tag)
    else if (answer) this.#gone(time, id)
  }

  async #readListed(send: Send, id: number, path: string): Promise<void> {
    const { answer, ...time } = await this.#ask(send, { method: 'GET', path })
    if (!answer) return
    const { pageInfo, results } = answer.body as Page
    if (pageInfo.numberOfRecords !== results.length) this.seen.fault('page', `${path} has ${pageInfo.numberOfRecords}.`)
    this.seen.read(time, id, results[0] ?? null)
  }

  async #lookUp(send: Send, id: number, known: Known | undefined): Promise<void> {
    if (!known) return
    const { answer, ...time } = await this.#ask(send, { method: 'GET', path: `/item/by-mark/${known.item.mark}` })
    if (answer?.status === 200) this.seen.read(time, id, answer.body as Item)
    else if (answer) this.seen.readNot(time, id, known.item.mark)
  }

  async #look(send: Send, id: number): Promise<void> {
    const { answer, ...time } = await this.#ask(send, { method: 'GET', path: `/item/${id}/look` })
    if (answer?.status === 200) this.seen.readMark(time, id, (answer.body as Item).mark)
    else if (answer?.status === 404) this.#gone(time, id)
  }

  #gone(time: Timed, id: number): void {
    this.seen.read(time, id, null)
    this.#items.delete(id)
  }

  async #change(send: Send, id: number, isGuarded: boolean): Promise<void> {
    // Now and then from what was seen a while ago.
    if (isGuarded && this.#random.below(3) > 0) await this.#readOne(send, id)
    const known = this.#items.get(id)
    if (!known) return
    const content = { ...this.#content(), origin: known.item.origin }
    this.seen.announce(content)
    const expected = isGuarded ? known.item.mark : undefined
    const { answer, ...time } = await this.#ask(send, {
      method: 'PATCH',
      path: `/item/${id}`,
      body: { mark: content.mark, group: content.group, weight: content.weight },
      headers: isGuarded ? { 'if-match': known.tag } : {},
    })
    if (!answer) return this.seen.write(time, id, content, expected)
    if (answer.status === 200) {
      this.seen.write(time, id, content, expected)
      const item = answer.body as Item
      if (item.mark !== content.mark) this.seen.fault('mixed', `A write of ${content.mark} is answered ${item.mark}.`)
      this.#note(time, item, answer.tag)
    } else this.#refused(time, id, answer, known, isGuarded)
  }

  async #remove(send: Send, id: number, isGuarded: boolean): Promise<void> {
    const known = this.#items.get(id)
    if (!known) return
    const headers: Record<string, string> = isGuarded ? { 'if-match': known.tag } : {}
    const { answer, ...time } = await this.#ask(send, { method: 'DELETE', path: `/item/${id}`, headers })
    if (answer && answer.status !== 200) return this.#refused(time, id, answer, known, isGuarded)
    this.seen.remove(time, id, isGuarded ? known.item.mark : undefined)
    this.#items.delete(id)
  }

  #refused(time: Timed, id: number, { status }: Response, { item }: Known, isGuarded: boolean): void {
    if (status === 404) this.#gone(time, id)
    else if (status === 412 && isGuarded) this.seen.readNot(time, id, item.mark)
    else this.seen.fault('status', `A write of item ${id} is answered ${status}.`)
  }

  #listAny(send: Send): Promise<void> {
    const group = this.#random.pick(groups)
    const least = this.#random.below(100)
    const client = `c${this.#random.below(4)}-`
    const filter = this.#random.pick<Filter>([
      allItems,
      allItems,
      { query: `&group=${group}`, name: `items of ${group}`, fits: (one) => one.group === group },
      { query: '&group=A&group=C', name: 'items of A or C', fits: (one) => one.group !== 'B' },
      { query: `&weighedFrom=${least}`, name: `items from ${least} on`, fits: (one) => one.weight >= least },
      { query: `&search=${client}`, name: `items of ${client}`, fits: (one) => one.origin.includes(client) },
      {
        query: `&group=${group}&weighedFrom=${least}`,
        name: `items of ${group} from ${least} on`,
        fits: (one) => one.group === group && one.weight >= least,
      },
    ])
    return this.#list(send, filter, 1 + this.#random.below(3), this.#random.pick([3, 10, 10, 100]))
  }

  async #list(send: Send, { query, name, fits }: Filter, pageNumber: number, pageSize: number): Promise<void> {
    const path = `/item?pageNumber=${pageNumber}&pageSize=${pageSize}${query}`
    const { answer, start, end } = await this.#ask(send, { method: 'GET', path })
    if (!answer) return
    const { pageInfo, results } = answer.body as Page
    const { numberOfRecords, numberOfPages } = pageInfo
    this.seen.page(
      { start, end, name, fits, pageNumber, pageSize, numberOfRecords, numberOfPages, items: results },
      results,
    )
  }

  async #link(send: Send, shelf: number, book: number): Promise<void> {
    const { answer, ...time } = await this.#ask(send, { method: 'PUT', path: `/shelf/${shelf}/book/${book}` })
    if (answer && answer.status !== 200) this.seen.fault('status', `A link is answered ${answer.status}.`)
    this.seen.pair(time, shelf, book, { kind: 'link' })
  }

  async #unlink(send: Send, shelf: number, book: number): Promise<void> {
    const { answer, ...time } = await this.#ask(send, { method: 'DELETE', path: `/shelf/${shelf}/book/${book}` })
    const isMissing = answer?.status === 404
    this.seen.pair(time, shelf, book, isMissing ? { kind: 'read', isLinked: false } : { kind: 'unlink' })
  }

  async #books(send: Send, shelf: number): Promise<void> {
    const { answer, ...time } = await this.#ask(send, { method: 'GET', path: `/shelf/${shelf}/book` })
    if (!answer) return
    const books = answer.body as readonly { readonly id: number }[]
    for (let book = 1; book <= numberOfBooks; book++)
      this.seen.pair(time, shelf, book, { kind: 'read', isLinked: books.some(({ id }) => id === book) })
  }

  async #transfer(send: Send): Promise<void> {
    const [from, more, amount] = [
      this.#random.below(numberOfAccounts),
      1 + this.#random.below(numberOfAccounts - 1),
      1 + this.#random.below(50),
    ]
    const body = { to: 1 + ((from + more) % numberOfAccounts), amount }
    const { answer } = await this.#ask(send, { method: 'POST', path: `/account/${from + 1}/transfer`, body })
    if (answer && answer.status !== 204) this.seen.fault('status', `A transfer is answered ${answer.status}.`)
  }

  async #balances(send: Send): Promise<void> {
    const { answer } = await this.#ask(send, { method: 'GET', path: '/account?pageSize=100' })
    const { results } = (answer?.body ?? {}) as { readonly results?: readonly { readonly balance: number }[] }
    if (results) this.seen.balances(results.map(({ balance }) => balance))
  }
}

interface Filter {
  readonly query: string
  readonly name: string
  readonly fits: (content: Content) => boolean
}
