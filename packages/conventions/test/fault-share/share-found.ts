/** Measures how often the check finds a fault that affects only some of the records. */
import { type CheckResult, checkService } from '@nomen/conventions'
import { libraryFetch } from '../library.ts'
import { sampleStore } from '../library-data.ts'
import type { Part } from '../library-document.ts'
import type { PartialFault } from './partial-fault.ts'

export interface Measurement {
  /** Number of books. */
  readonly size: number
  /** The share of books with the fault. At least one book has it. */
  readonly share: number
  readonly seeds: number
}

export interface Found {
  /** The number of runs in which the check of the fault failed. */
  readonly found: number
  /** The number of runs in which a check noticed the fault and did not fail. */
  readonly excused: number
}

/** Checks the library in process once for each seed. The seed also decides which books are affected. */
export async function shareFound(fault: PartialFault, { size, share, seeds }: Measurement): Promise<Found> {
  let [found, excused] = [0, 0]
  for (let seed = 0; seed < seeds; seed++) {
    const results = await checkBooks(fault, size, share, `s${seed}`)
    if (results.some(({ code, outcome }) => code === fault.code && outcome === 'failed')) found++
    if (results.some(({ note, outcome }) => outcome === 'skipped' && note?.startsWith('failed once'))) excused++
  }
  return { found, excused }
}

async function checkBooks(fault: PartialFault, size: number, share: number, seed: string): Promise<CheckResult[]> {
  const store = sampleStore()
  const [first] = store.book ?? []
  store.book = Array.from({ length: size }, (_, at) => ({
    ...first,
    id: at + 1,
    isbn: `978-${at}`,
    title: `Title ${at % 19}`,
    shelf: at % 3 === 0 ? 'CLOSED' : 'OPEN',
    numberOfLeaves: 100 + (at % 7),
  }))
  const affected = new Set(affectedIds(size, share, seed))
  const behavior = fault.behavior(({ id }) => affected.has(Number(id)))
  const { fetch } = globalThis
  globalThis.fetch = libraryFetch({ ...behavior, document: onlyBooks }, store)
  try {
    const { results } = await checkService({ base: 'http://library', seed })
    return [...results]
  } finally {
    globalThis.fetch = fetch
  }
}

/** IDs of different books. Book 1 is never affected, because a fault needs a correct book to compare with. */
function affectedIds(size: number, share: number, seed: string): number[] {
  const order = Array.from({ length: size - 1 }, (_, at) => at + 2)
  let state = Number(seed.slice(1)) + 1
  for (let at = order.length - 1; at > 0; at--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const other = Math.floor((state / 2_147_483_648) * (at + 1))
    const kept = order[at] as number
    order[at] = order[other] as number
    order[other] = kept
  }
  return order.slice(0, Math.max(1, Math.round(size * share)))
}

/** The paths of books alone: a run needs few requests. */
function onlyBooks(document: Part): Part {
  const paths = Object.entries(document.paths as Part).filter(([path]) => /^\/book(-|\/by-|\/\{id\}$|$)/.test(path))
  return { ...document, paths: Object.fromEntries(paths) }
}
