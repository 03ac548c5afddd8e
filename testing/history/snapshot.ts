/**
 * Whether lists and their totals are those of one moment between call and answer. Of each record it is known when its
 * versions may have been the current one; a list is right if there is a moment at which all that it tells may have been so.
 */
import { type Timed, timeText, type Violation } from './history.ts'

/** A write of a record that was done, or may have been: what the record is from then on, null where it is gone. */
export interface Version<Content> extends Timed {
  readonly content: Content | null
}

/** One page of a list in the order of identities. */
export interface PageRead<Content> extends Timed {
  /** In words, for messages. */
  readonly name: string
  readonly fits: (content: Content) => boolean
  readonly pageNumber: number
  readonly pageSize: number
  readonly numberOfRecords: number
  readonly numberOfPages: number
  readonly items: readonly { readonly id: number; readonly mark: string }[]
}

/** What every content has: a mark that no other write has given. */
interface Marked {
  readonly mark: string
}

/** A version and the time in which it may have been the current one. */
interface Span<Content> {
  readonly content: Content | null
  readonly from: number
  readonly until: number
}

const numberOfSlices = 1000

export class Timeline<Content extends Marked> {
  readonly #byMark = new Map<string, Span<Content>>()
  /** The versions that may have been current in each slice of time, by record. */
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

  /** What is wrong with a page; undefined where there is a moment at which it was right. */
  check(page: PageRead<Content>): Violation | undefined {
    const form = formFault(page)
    if (form) return { kind: 'page', detail: `${pageText(page)} ${form}` }
    const shown = page.items.map(({ id, mark }) => ({ id, mark, span: this.#byMark.get(`${id} ${mark}`) }))
    const strange = shown.find(({ span }) => !span?.content || !page.fits(span.content))
    if (strange)
      return { kind: 'page', detail: `${pageText(page)} shows ${strange.id} ${strange.mark}, which cannot be there.` }
    const from = shown.reduce((latest, { span }) => Math.max(latest, span?.from ?? latest), page.start)
    const to = shown.reduce((first, { span }) => Math.min(first, span?.until ?? first), page.end)
    if (from > to) return { kind: 'snapshot', detail: `${pageText(page)} shows records that were never there at once.` }
    const records = this.#near(from, to)
    let reason = ''
    for (const time of momentsIn(records, from, to)) {
      const fault = faultAt(page, records, time)
      if (fault === undefined) return undefined
      reason = fault
    }
    return { kind: 'total', detail: `${pageText(page)} is right at no moment: ${reason}` }
  }

  #add(id: number, versions: readonly Version<Content>[]): void {
    const absent = { start: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY, content: null }
    const sorted = [absent, ...versions].sort((a, b) => a.start - b.start)
    // The earliest end of all that began with a version or after it.
    const firstEnd: number[] = []
    sorted.forEach((_, at) => {
      const index = sorted.length - 1 - at
      firstEnd[index] = Math.min(sorted[index]?.end ?? 0, firstEnd[index + 1] ?? Number.POSITIVE_INFINITY)
    })
    firstEnd[0] = firstEnd[1] ?? Number.POSITIVE_INFINITY
    const spans = sorted.map(({ start, end, content }) => {
      // It is over for certain when another one that began after its end was done.
      return { content, from: start, until: firstEnd[firstAfter(sorted, end)] ?? Number.POSITIVE_INFINITY }
    })
    const present = spans.filter(({ content }) => content !== null)
    for (const span of present) this.#byMark.set(`${id} ${span.content?.mark}`, span)
    // While it is not there for certain it takes no part in any list.
    const first = present.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)
    const last = present.reduce((most, { until }) => Math.max(most, until), Number.NEGATIVE_INFINITY)
    for (const span of spans) {
      const to = this.#slice(Math.min(span.until, last))
      for (let slice = this.#slice(Math.max(span.from, first)); slice <= to; slice++) {
        const here = this.#slices[slice] as Map<number, Span<Content>[]>
        const own = here.get(id)
        if (own) own.push(span)
        else here.set(id, [span])
      }
    }
  }

  #slice(time: number): number {
    const slice = Math.floor((time - this.#begin) / this.#width)
    return Math.max(0, Math.min(numberOfSlices - 1, Number.isNaN(slice) ? 0 : slice))
  }

  /** The versions of every record that may have been current in this time. */
  #near(from: number, to: number): ReadonlyMap<number, readonly Span<Content>[]> {
    const records = new Map<number, Set<Span<Content>>>()
    for (let slice = this.#slice(from); slice <= this.#slice(to); slice++) {
      for (const [id, spans] of this.#slices[slice] ?? []) {
        const known = records.get(id) ?? new Set()
        for (const span of spans) if (span.from <= to && span.until >= from) known.add(span)
        records.set(id, known)
      }
    }
    const present = [...records].filter(([, spans]) => [...spans].some(({ content }) => content !== null))
    return new Map(present.map(([id, spans]) => [id, [...spans]]))
  }
}

/** The position of the first version that began after a time. */
function firstAfter(sorted: readonly Timed[], time: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.start ?? 0) > time) high = middle
    else low = middle + 1
  }
  return low
}

/** All moments that can matter: in between nothing is possible that is not possible at one of them. */
function momentsIn<Content>(
  records: ReadonlyMap<number, readonly Span<Content>[]>,
  from: number,
  to: number,
): ReadonlySet<number> {
  const moments = new Set([from, to])
  for (const spans of records.values()) {
    for (const span of spans)
      for (const time of [span.from, span.until]) if (time > from && time < to) moments.add(time)
  }
  return moments
}

/** What keeps a page from being right at a moment. */
function faultAt<Content>(
  { fits, pageNumber, pageSize, numberOfRecords, numberOfPages, items }: PageRead<Content>,
  records: ReadonlyMap<number, readonly Span<Content>[]>,
  time: number,
): string | undefined {
  const shown = new Set(items.map(({ id }) => id))
  const first = pageNumber === 1 ? Number.NEGATIVE_INFINITY : (items[0]?.id ?? Number.POSITIVE_INFINITY)
  const last = pageNumber >= numberOfPages ? Number.POSITIVE_INFINITY : (items.at(-1)?.id ?? first)
  const counts = { least: 0, most: 0, leastBefore: 0, mostBefore: 0 }
  for (const [id, spans] of records) {
    let isPossible = false
    let isCertain = true
    for (const { content, from, until } of spans) {
      if (from > time || until < time) continue
      if (content !== null && fits(content)) isPossible = true
      else isCertain = false
    }
    isCertain &&= isPossible
    counts.most += Number(isPossible)
    counts.least += Number(isCertain)
    if (id < first) {
      counts.mostBefore += Number(isPossible)
      counts.leastBefore += Number(isCertain)
    } else if (isCertain && id <= last && !shown.has(id)) return `record ${id} is missing.`
  }
  if (numberOfRecords < counts.least || numberOfRecords > counts.most)
    return `there were ${counts.least} to ${counts.most} records.`
  const passed = (pageNumber - 1) * pageSize
  if (items.length > 0 && (passed < counts.leastBefore || passed > counts.mostBefore))
    return `${counts.leastBefore} to ${counts.mostBefore} records came before the page.`
  return undefined
}

/** What is wrong with a page in itself. */
function formFault<Content>(page: PageRead<Content>): string | undefined {
  const { pageNumber, pageSize, numberOfRecords, numberOfPages, items } = page
  const length = Math.max(0, Math.min(pageSize, numberOfRecords - (pageNumber - 1) * pageSize))
  if (numberOfPages !== Math.ceil(numberOfRecords / pageSize)) return `has ${numberOfPages} pages.`
  if (items.length !== length) return `shows ${items.length} records.`
  if (items.some(({ id }, at) => at > 0 && id <= (items[at - 1]?.id ?? id))) return 'is not in its order.'
  return undefined
}

function pageText<Content>(page: PageRead<Content>): string {
  const { name, pageNumber, pageSize, numberOfRecords } = page
  return `Page ${pageNumber} of ${pageSize} each of ${name} with ${numberOfRecords} records in all (${timeText(page)})`
}
