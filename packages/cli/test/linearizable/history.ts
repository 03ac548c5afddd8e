/** The observations of clients, and a check that they are consistent. */
import type { Timed, Violation } from '@nomen/testing/history/history'
import { checkLinearizable, type TimedStep } from '@nomen/testing/history/linearizable'
import { type PairStep, pairModel, type RecordStep, recordModel } from '@nomen/testing/history/register'
import { type PageRead, Timeline, type Version } from '@nomen/testing/history/snapshot'
import { type Content, totalBalance } from './ledger.ts'

/** An item in a response. */
export interface Item extends Content {
  readonly id: number
}

interface Create extends Timed {
  readonly content: Content
  readonly ids: Set<number>
}

export class History {
  readonly #steps = new Map<number, TimedStep<RecordStep>[]>()
  readonly #versions = new Map<number, Version<Content>[]>()
  readonly #pairs = new Map<string, TimedStep<PairStep>[]>()
  readonly #pages: PageRead<Content>[] = []
  readonly #creates = new Map<string, Create>()
  readonly #contents = new Map<string, Content>()
  readonly #writeIds = new Map<string, string>()
  readonly #found: Violation[] = []

  /** Adds a write before it is sent, because other clients may see it before its response. */
  addPendingWrite(content: Content): void {
    this.#contents.set(content.writeId, content)
  }

  /** Adds a create before it is sent. Until its response, its outcome is unknown. */
  addPendingCreate(content: Content): void {
    this.addPendingWrite(content)
    const end = Number.POSITIVE_INFINITY
    this.#creates.set(content.origin, { start: performance.now(), end, content, ids: new Set() })
  }

  create({ start, end }: Timed, content: Content, id: number): void {
    const ids = this.#creates.get(content.origin)?.ids ?? new Set()
    this.#creates.set(content.origin, { start, end, content, ids: ids.add(id) })
  }

  write(time: Timed, id: number, content: Content, expected?: string): void {
    this.#step(id, time, { kind: 'write', value: content.writeId, expected })
    this.#version(id, time, content)
  }

  remove(time: Timed, id: number, expected?: string): void {
    this.#step(id, time, { kind: 'delete', expected })
    this.#version(id, time, null)
  }

  /** Adds a read of an item, or null if it does not exist. */
  read(time: Timed, id: number, item: Item | null, tag?: string | undefined): void {
    this.#step(id, time, { kind: 'read', value: item?.writeId ?? null })
    if (item) this.#shown(item, tag)
  }

  /** Adds a read that shows only the write ID of an item. */
  readWriteId(time: Timed, id: number, writeId: string): void {
    this.#step(id, time, { kind: 'read', value: writeId })
  }

  /** Adds a read of an item that has another write ID or does not exist. */
  readNot(time: Timed, id: number, writeId: string): void {
    this.#step(id, time, { kind: 'not', value: writeId })
  }

  page(page: PageRead<Content>, items: readonly Item[]): void {
    this.#pages.push(page)
    for (const item of items) this.#shown(item)
    // Lists are checked as snapshots. Some of their items are also checked as single reads.
    for (const item of items.slice(0, 4)) this.#step(item.id, page, { kind: 'read', value: item.writeId })
  }

  pair(time: Timed, shelf: number, book: number, step: PairStep): void {
    const key = `shelf ${shelf}, book ${book}`
    const steps = this.#pairs.get(key) ?? []
    steps.push({ start: time.start, end: time.end, step })
    this.#pairs.set(key, steps)
  }

  balances(balances: readonly number[]): void {
    const sum = balances.reduce((total, balance) => total + balance, 0)
    if (sum !== totalBalance) this.fault('sum', `The accounts hold ${sum} in all: ${balances.join(', ')}.`)
  }

  fault(kind: string, detail: string): void {
    this.#found.push({ kind, detail })
  }

  /** All violations of consistency. */
  violations(): readonly Violation[] {
    const violations = [...this.#found]
    const add = (violation: Violation | undefined, subject = '') => {
      if (violation) violations.push({ ...violation, detail: `${subject}${violation.detail}` })
    }
    for (const [origin, { ids }] of this.#creates)
      if (ids.size > 1) add({ kind: 'created twice', detail: `${origin} is ${[...ids].join(' and ')}.` })
    const versions = new Map<number, readonly Version<Content>[]>()
    const steps = new Map(this.#steps)
    for (const { ids, content, start, end } of this.#creates.values()) {
      for (const id of ids) {
        versions.set(id, [{ start, end, content }, ...(this.#versions.get(id) ?? [])])
        const step: RecordStep = { kind: 'create', value: content.writeId }
        steps.set(id, [{ start, end, step }, ...(steps.get(id) ?? [])])
      }
    }
    for (const [id, recordSteps] of steps) add(checkLinearizable(recordModel, recordSteps), `Item ${id}: `)
    for (const [key, pairSteps] of this.#pairs) add(checkLinearizable(pairModel, pairSteps), `${key}: `)
    const timeline = new Timeline(versions)
    for (const page of this.#pages) add(timeline.check(page))
    return violations
  }

  #step(id: number, { start, end }: Timed, step: RecordStep): void {
    const steps = this.#steps.get(id) ?? []
    steps.push({ start, end, step })
    this.#steps.set(id, steps)
  }

  #version(id: number, { start, end }: Timed, content: Content | null): void {
    const versions = this.#versions.get(id) ?? []
    versions.push({ start, end, content })
    this.#versions.set(id, versions)
  }

  /** Checks that an item has all values of its write, and that an ETag belongs to one write ID. */
  #shown({ id, origin, writeId, group, weight }: Item, tag?: string): void {
    const content = this.#contents.get(writeId)
    const isConsistent = content?.origin === origin && content.group === group && content.weight === weight
    if (!isConsistent) this.fault('mixed', `Item ${id} is ${origin} ${writeId} ${group} ${weight}.`)
    const create = this.#creates.get(origin)
    if (create) create.ids.add(id)
    else this.fault('phantom', `Nobody has created item ${id} of ${origin}.`)
    if (tag === undefined) return
    const knownItem = this.#writeIds.get(tag)
    if (knownItem !== undefined && knownItem !== `${id} ${writeId}`)
      this.fault('tag', `${tag} is ${knownItem} and ${id} ${writeId}.`)
    this.#writeIds.set(tag, `${id} ${writeId}`)
  }
}
