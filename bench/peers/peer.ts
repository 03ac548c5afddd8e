/** What the harness knows of a peer beside how it is spoken to. */
import type { Ask } from '../ask.ts'
import type { Contender, DatabaseKind } from '../contender.ts'
import type { Sample } from './sample.ts'

export interface Peer extends Contender {
  /** The folder below this one with its package.json; the package in it whose version is told. */
  readonly folder: string
  readonly package: string
  /** The Node that it needs, where it is not the one that runs this. */
  readonly node?: string
  /** Whether something of it is compiled when it is installed. */
  readonly isCompiled?: true
  /** Where a change is when it is answered. */
  readonly durability: string
  /** What a reader of the figures has to know. */
  readonly notes: readonly string[]
  /** Gives it the users, in a form of its own. Returns its database: a file, or an address. */
  prepare(sample: Sample, home: Home): Promise<string>
}

/** What a peer is prepared with. */
export interface Home {
  /** A folder that it may write into. */
  readonly folder: string
  /** The Node that it runs on. */
  readonly node: string
  /** Makes a plain database of the sample and gives its file or address. */
  readonly makeDatabase: (kind: DatabaseKind) => Promise<string>
}

/** A record as all contenders can show it. */
export type Shown = Readonly<Record<string, unknown>>

const items = ['id', 'firstName', 'lastName', 'email']
const details = [...items, 'phone', 'extension', 'status', 'department', 'supervisor', 'created', 'lastUpdated']

/** The properties that a list is asked for, where a contender can be asked for some of them. */
export const listed: readonly string[] = items

/** What is compared of a list. */
export function page(total: unknown, records: unknown) {
  return { total: Number(total), records: (records as Shown[]).map((record) => pick(record, items)) }
}

/** What is compared of a single record. */
export function single(record: unknown): Shown {
  return pick(record as Shown, details)
}

function pick(record: Shown, names: readonly string[]): Shown {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

/** The properties that a list is filtered by, and their values. */
export function filterOf(ask: Ask): [string, string | number][] {
  return ask.of === 'page' ? Object.entries(ask.filter ?? {}) : []
}
