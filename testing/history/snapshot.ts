/**
 * Checks whether lists and their totals show one snapshot between call and response. The possible lifetime of each version
 * of a record is known. A list is valid if there is a time at which everything that it shows may have been current.
 */
import { type Timed, timeText, type Violation } from './history.ts'

/** A write with a certain or unknown outcome: the new content of the record, null after a delete. */
export interface Version<Content> extends Timed {
  readonly content: Content | null
}

/** One page of a list in the order of identities. */
export interface PageRead<Content> extends Timed {
  /** A name for messages. */
  readonly name: string
  readonly matches: (content: Content) => boolean
  readonly pageNumber: number
  readonly pageSize: number
  readonly numberOfRecords: number
  readonly numberOfPages: number
  readonly items: readonly { readonly id: number; readonly writeId: string }[]
}

/** Every content has a unique write ID. */
interface WrittenContent {
  readonly writeId: string
}

/** A version and its possible lifetime. */
interface Span<Content> {
  readonly content: Content | null
  readonly from: number
  readonly until: number
}

const numberOfSlices = 1000

export class Timeline<Content extends WrittenContent> {
  readonly #byWriteId = new Map<string, Span<Content>>()
  /** The possible versions of each record, by time slice. */
  readonly #slices: Map<number, Span<Content>[]>[] = Array.from({ length: numberOfSlices }, () => new Map())
  readonly #begin: number
  readonly #width: number

  /** All writes of each record, by its identity. */
  constructor(records: ReadonlyMap<number, readonly Version<Content>[]>) {
    const times = [...records.values()].flatMap((versions) => versions.flatMap(({ start, end }) => [start, end]))
    const finite = times.filter((time) => time < Number.POSITIVE_INFINITY)
    this.#begin = finite.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
    const end = finite.reduce((most, time) => Math.max(most, time), 0)
    this.#width = Math.max(Number.MIN_VALUE, (end - this.#begin) / numberOfSlices)
    for (const [id, versions] of records) this.#add(id, versions)
  }

  /** The violation of a page; undefined if there is a time at which it was correct. */
  check(page: PageRead<Content>): Violation | undefined {
    const form = formFault(page)
    if (form) return { kind: 'page', detail: `${pageText(page)} ${form}` }
    const itemSpans = page.items.map(({ id, writeId }) => ({
      id,
      writeId,
      span: this.#byWriteId.get(`${id} ${writeId}`),
    }))
    const unexpected = itemSpans.find(({ span }) => !span?.content || !page.matches(span.content))
    if (unexpected)
      return {
        kind: 'page',
        detail: `${pageText(page)} shows ${unexpected.id} ${unexpected.writeId}, which cannot exist.`,
      }
    const from = itemSpans.reduce((latest, { span }) => Math.max(latest, span?.from ?? latest), page.start)
    const to = itemSpans.reduce((first, { span }) => Math.min(first, span?.until ?? first), page.end)
    if (from > to)
      return { kind: 'snapshot', detail: `${pageText(page)} shows records that never existed at the same time.` }
    const records = this.#near(from, to)
    let reason = ''
    for (const time of relevantTimes(records, from, to)) {
      const fault = faultAt(page, records, time)
      if (fault === undefined) return undefined
      reason = fault
    }
    return { kind: 'total', detail: `${pageText(page)} is never correct: ${reason}` }
  }

  #add(id: number, versions: readonly Version<Content>[]): void {
    const absent = { start: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY, content: null }
    const sorted = [absent, ...versions].sort((a, b) => a.start - b.start)
    // The earliest end among this version and later ones.
    const firstEnd: number[] = []
    sorted.forEach((_, offset) => {
      const index = sorted.length - 1 - offset
      firstEnd[index] = Math.min(sorted[index]?.end ?? 0, firstEnd[index + 1] ?? Number.POSITIVE_INFINITY)
    })
    firstEnd[0] = firstEnd[1] ?? Number.POSITIVE_INFINITY
    const spans = sorted.map(({ start, end, content }) => {
      // A version has certainly ended when a write that started after its end is complete.
      return { content, from: start, until: firstEnd[firstAfter(sorted, end)] ?? Number.POSITIVE_INFINITY }
    })
    const present = spans.filter(({ content }) => content !== null)
    for (const span of present) this.#byWriteId.set(`${id} ${span.content?.writeId}`, span)
    // While a record certainly does not exist, it is not part of any list.
    const first = present.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)
    const last = present.reduce((most, { until }) => Math.max(most, until), Number.NEGATIVE_INFINITY)
    for (const span of spans) {
      const to = this.#slice(Math.min(span.until, last))
      for (let slice = this.#slice(Math.max(span.from, first)); slice <= to; slice++) {
        const sliceSpans = this.#slices[slice] as Map<number, Span<Content>[]>
        const own = sliceSpans.get(id)
        if (own) own.push(span)
        else sliceSpans.set(id, [span])
      }
    }
  }

  #slice(time: number): number {
    const slice = Math.floor((time - this.#begin) / this.#width)
    return Math.max(0, Math.min(numberOfSlices - 1, Number.isNaN(slice) ? 0 : slice))
  }

  /** The possible versions of every record in this time. */
  #near(from: number, to: number): ReadonlyMap<number, readonly Span<Content>[]> {
    const records = new Map<number, Set<Span<Content>>>()
    for (let slice = this.#slice(from); slice <= this.#slice(to); slice++) {
      for (const [id, spans] of this.#slices[slice] ?? []) {
        const candidates = records.get(id) ?? new Set()
        for (const span of spans) if (span.from <= to && span.until >= from) candidates.add(span)
        records.set(id, candidates)
      }
    }
    const present = [...records].filter(([, spans]) => [...spans].some(({ content }) => content !== null))
    return new Map(present.map(([id, spans]) => [id, [...spans]]))
  }
}

/** The index of the first version that started after a time. */
function firstAfter(sorted: readonly Timed[], time: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.start ?? 0) > time) high = middle
    else low = middle + 1
  }
  return low
}

/** All times that can matter: the possibilities do not change in between. */
function relevantTimes<Content>(
  records: ReadonlyMap<number, readonly Span<Content>[]>,
  from: number,
  to: number,
): ReadonlySet<number> {
  const times = new Set([from, to])
  for (const spans of records.values()) {
    for (const span of spans) for (const time of [span.from, span.until]) if (time > from && time < to) times.add(time)
  }
  return times
}

/** Why a page is not correct at a time. */
function faultAt<Content>(
  { matches, pageNumber, pageSize, numberOfRecords, numberOfPages, items }: PageRead<Content>,
  records: ReadonlyMap<number, readonly Span<Content>[]>,
  time: number,
): string | undefined {
  const itemSpans = new Set(items.map(({ id }) => id))
  const first = pageNumber === 1 ? Number.NEGATIVE_INFINITY : (items[0]?.id ?? Number.POSITIVE_INFINITY)
  const last = pageNumber >= numberOfPages ? Number.POSITIVE_INFINITY : (items.at(-1)?.id ?? first)
  const counts = { least: 0, most: 0, leastBefore: 0, mostBefore: 0 }
  for (const [id, spans] of records) {
    let isPossible = false
    let isCertain = true
    for (const { content, from, until } of spans) {
      if (from > time || until < time) continue
      if (content !== null && matches(content)) isPossible = true
      else isCertain = false
    }
    isCertain &&= isPossible
    counts.most += Number(isPossible)
    counts.least += Number(isCertain)
    if (id < first) {
      counts.mostBefore += Number(isPossible)
      counts.leastBefore += Number(isCertain)
    } else if (isCertain && id <= last && !itemSpans.has(id)) return `record ${id} is missing.`
  }
  if (numberOfRecords < counts.least || numberOfRecords > counts.most)
    return `there were ${counts.least} to ${counts.most} records.`
  const skipped = (pageNumber - 1) * pageSize
  if (items.length > 0 && (skipped < counts.leastBefore || skipped > counts.mostBefore))
    return `${counts.leastBefore} to ${counts.mostBefore} records came before the page.`
  return undefined
}

/** Inconsistencies within a page. */
function formFault<Content>(page: PageRead<Content>): string | undefined {
  const { pageNumber, pageSize, numberOfRecords, numberOfPages, items } = page
  const length = Math.max(0, Math.min(pageSize, numberOfRecords - (pageNumber - 1) * pageSize))
  if (numberOfPages !== Math.ceil(numberOfRecords / pageSize)) return `has ${numberOfPages} pages.`
  if (items.length !== length) return `shows ${items.length} records.`
  if (items.some(({ id }, index) => index > 0 && id <= (items[index - 1]?.id ?? id))) return 'is not sorted.'
  return undefined
}

function pageText<Content>(page: PageRead<Content>): string {
  const { name, pageNumber, pageSize, numberOfRecords } = page
  return `Page ${pageNumber} (size ${pageSize}) of ${name} with ${numberOfRecords} records in total (${timeText(page)})`
}
