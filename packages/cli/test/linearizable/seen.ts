/** What clients have seen of the ledger, and whether it can have been so. */
import type { Timed, Violation } from '@nomen/testing/history/history'
import { checkLinearizable, type TimedStep } from '@nomen/testing/history/linearizable'
import { type PairStep, pairModel, type RecordStep, recordModel } from '@nomen/testing/history/register'
import { type PageRead, Timeline, type Version } from '@nomen/testing/history/snapshot'
import { allMoney, type Content } from './ledger.ts'

/** An item as it is answered. */
export interface Item extends Content {
  readonly id: number
}

interface Create extends Timed {
  readonly content: Content
  readonly ids: Set<number>
}

export class Seen {
  readonly #steps = new Map<number, TimedStep<RecordStep>[]>()
  readonly #versions = new Map<number, Version<Content>[]>()
  readonly #pairs = new Map<string, TimedStep<PairStep>[]>()
  readonly #pages: PageRead<Content>[] = []
  readonly #creates = new Map<string, Create>()
  readonly #contents = new Map<string, Content>()
  readonly #marks = new Map<string, string>()
  readonly #found: Violation[] = []

  /** A write that is about to be sent: others may see it before its answer comes. */
  announce(content: Content): void {
    this.#contents.set(content.mark, content)
  }

  /** The same of a create. Until its answer is known it may have been done, or not. */
  announceCreate(content: Content): void {
    this.announce(content)
    const end = Number.POSITIVE_INFINITY
    this.#creates.set(content.origin, { start: performance.now(), end, content, ids: new Set() })
  }

  create({ start, end }: Timed, content: Content, id: number): void {
    const ids = this.#creates.get(content.origin)?.ids ?? new Set()
    this.#creates.set(content.origin, { start, end, content, ids: ids.add(id) })
  }

  write(time: Timed, id: number, content: Content, expected?: string): void {
    this.#step(id, time, { kind: 'write', value: content.mark, expected })
    this.#version(id, time, content)
  }

  remove(time: Timed, id: number, expected?: string): void {
    this.#step(id, time, { kind: 'delete', expected })
    this.#version(id, time, null)
  }

  /** An item that was shown, or null where it was not there. */
  read(time: Timed, id: number, item: Item | null, tag?: string | undefined): void {
    this.#step(id, time, { kind: 'read', value: item?.mark ?? null })
    if (item) this.#shown(item, tag)
  }

  /** The same where no more than its mark was shown. */
  readMark(time: Timed, id: number, mark: string): void {
    this.#step(id, time, { kind: 'read', value: mark })
  }

  /** It has another mark than this one, or is not there. */
  readNot(time: Timed, id: number, mark: string): void {
    this.#step(id, time, { kind: 'not', value: mark })
  }

  page(page: PageRead<Content>, items: readonly Item[]): void {
    this.#pages.push(page)
    for (const item of items) this.#shown(item)
    // Lists are checked as a whole by their time; some of what they show also by the order of all reads.
    for (const item of items.slice(0, 4)) this.#step(item.id, page, { kind: 'read', value: item.mark })
  }

  pair(time: Timed, shelf: number, book: number, step: PairStep): void {
    const key = `shelf ${shelf}, book ${book}`
    const own = this.#pairs.get(key) ?? []
    own.push({ start: time.start, end: time.end, step })
    this.#pairs.set(key, own)
  }

  balances(balances: readonly number[]): void {
    const sum = balances.reduce((all, one) => all + one, 0)
    if (sum !== allMoney) this.fault('sum', `The accounts hold ${sum} in all: ${balances.join(', ')}.`)
  }

  fault(kind: string, detail: string): void {
    this.#found.push({ kind, detail })
  }

  /** Everything that cannot have been so. */
  violations(): readonly Violation[] {
    const found = [...this.#found]
    const add = (violation: Violation | undefined, of = '') => {
      if (violation) found.push({ ...violation, detail: `${of}${violation.detail}` })
    }
    for (const [origin, { ids }] of this.#creates)
      if (ids.size > 1) add({ kind: 'created twice', detail: `${origin} is ${[...ids].join(' and ')}.` })
    const versions = new Map<number, readonly Version<Content>[]>()
    const steps = new Map(this.#steps)
    for (const { ids, content, start, end } of this.#creates.values()) {
      for (const id of ids) {
        versions.set(id, [{ start, end, content }, ...(this.#versions.get(id) ?? [])])
        const step: RecordStep = { kind: 'create', value: content.mark }
        steps.set(id, [{ start, end, step }, ...(steps.get(id) ?? [])])
      }
    }
    for (const [id, own] of steps) add(checkLinearizable(recordModel, own), `Item ${id}: `)
    for (const [key, own] of this.#pairs) add(checkLinearizable(pairModel, own), `${key}: `)
    const timeline = new Timeline(versions)
    for (const page of this.#pages) add(timeline.check(page))
    return found
  }

  #step(id: number, { start, end }: Timed, step: RecordStep): void {
    const own = this.#steps.get(id) ?? []
    own.push({ start, end, step })
    this.#steps.set(id, own)
  }

  #version(id: number, { start, end }: Timed, content: Content | null): void {
    const own = this.#versions.get(id) ?? []
    own.push({ start, end, content })
    this.#versions.set(id, own)
  }

  /** What a mark was written with is shown with it, and a tag names one mark. */
  #shown({ id, origin, mark, group, weight }: Item, tag?: string): void {
    const content = this.#contents.get(mark)
    const isWhole = content?.origin === origin && content.group === group && content.weight === weight
    if (!isWhole) this.fault('mixed', `Item ${id} is ${origin} ${mark} ${group} ${weight}.`)
    const create = this.#creates.get(origin)
    if (create) create.ids.add(id)
    else this.fault('phantom', `Nobody has created item ${id} of ${origin}.`)
    if (tag === undefined) return
    const known = this.#marks.get(tag)
    if (known !== undefined && known !== `${id} ${mark}`) this.fault('tag', `${tag} is ${known} and ${id} ${mark}.`)
    this.#marks.set(tag, `${id} ${mark}`)
  }
}
