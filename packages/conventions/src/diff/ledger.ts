/** All changes between two documents, each once with the operations that it shows in. */
import type { Change } from './change.ts'
import { type Code, verdictOf } from './code.ts'
import { type Operation, versionText } from './operation.ts'
import type { Place } from './place.ts'
import type { Naming, Remark } from './report/remark.ts'

/** Writes a change down at the first of the places that is there. */
export type Note = (code: Code, message: string, ...places: readonly (Place | undefined)[]) => void

/** What the changes of one operation are written into. */
export interface Notebook {
  readonly note: Note
  /** A page for what differs within one value, such as `answer 200`. */
  readonly page: (whole: string) => Page
}

/** Takes a remark that is so many steps from the whole value. Of several ways to it, in whatever operation, the shortest is told. */
export type Page = (remark: Remark, distance: number, name: () => Naming) => void

/** What puts the breaking changes of an operation in order. */
export interface Cover {
  readonly under?: number | undefined
  readonly announced?: string | undefined
}

/** A change, and the operations that it shows in. */
export interface Found {
  readonly change: Change
  readonly operations: readonly Operation[]
}

export interface Ledger {
  readonly book: (operation: Operation, cover?: Cover) => Notebook
  readonly found: () => readonly Found[]
}

interface Entry {
  readonly code: Code
  readonly place: Place
  readonly cover: Cover
  readonly operations: Operation[]
  /** The operation in which it lies nearest, and how that tells it. */
  nearest: Operation
  distance: number
  message: () => string
}

export function ledger(): Ledger {
  const entries: Entry[] = []
  const notes = new Map<object, Map<string, Entry>>()
  const remarks = new Map<string, Map<Remark, Entry>>()
  const begin = (entry: Omit<Entry, 'operations'>): Entry => {
    const first = { ...entry, operations: [entry.nearest] }
    entries.push(first)
    return first
  }
  const book = (nearest: Operation, cover: Cover = {}): Notebook => {
    const covers = `${cover.under} ${cover.announced}`
    return {
      note: (code, message, ...places) => {
        const place = places.find((one) => one !== undefined) ?? nearest.place
        const known = mapIn(notes, place.reading)
        const key = `${code} ${place.side}#${place.pointer} ${message} ${covers}`
        const entry = known.get(key)
        if (entry) entry.operations.push(nearest)
        else known.set(key, begin({ code, place, cover, nearest, distance: 0, message: () => message }))
      },
      page: (whole) => {
        const known = mapIn(remarks, `${whole} ${covers}`)
        // Called for each remark in each operation that it shows in: the most frequent thing of all.
        return (remark, distance, name) => {
          const { code, place = nearest.place, words } = remark
          const message = () => words(name())
          const entry = known.get(remark)
          if (!entry) known.set(remark, begin({ code, place, cover, nearest, distance, message }))
          else {
            if (entry.operations.at(-1) !== nearest) entry.operations.push(nearest)
            if (distance < entry.distance) Object.assign(entry, { nearest, distance, message })
          }
        }
      },
    }
  }
  return { book, found: () => entries.map(foundOf) }
}

function mapIn<Key, Inner>(maps: Map<Key, Map<Inner, Entry>>, key: Key): Map<Inner, Entry> {
  const map = maps.get(key) ?? new Map<Inner, Entry>()
  maps.set(key, map)
  return map
}

function foundOf({ code, place, cover, operations, nearest, message }: Entry): Found {
  const verdict = verdictOf(code)
  const { under, announced } = verdict.isBreaking ? cover : {}
  const all = [nearest, ...operations.filter((one) => one !== nearest)]
  return {
    operations: all,
    change: {
      code,
      ...verdict,
      method: nearest.method.toUpperCase(),
      path: nearest.path,
      operations: all.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
      pointer: place.pointer,
      document: place.side,
      message: message(),
      ...(under !== undefined && { under: versionText(under) }),
      ...(announced !== undefined && { announced }),
    },
  }
}
