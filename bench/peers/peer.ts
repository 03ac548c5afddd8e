/** A peer: a contender with its installation and its data. */

import type { Contender, DatabaseKind } from '../contender.ts'
import type { RequestSpec } from '../request-spec.ts'
import type { Sample } from './sample.ts'

export interface Peer extends Contender {
  /** The subfolder of its files. */
  readonly folder: string
  /** The package whose version is reported; undefined for a program that is not from npm. */
  readonly package?: string
  /** Reads the version, if it is not that of the package. */
  readonly readVersion?: () => string
  /** The version of Node, if it is not the current one. */
  readonly node?: string
  /** Whether its installation compiles native code. */
  readonly isCompiled?: true
  /** Where a change is stored when its response is sent. */
  readonly durability: string
  /** Notes for readers of the figures. */
  readonly notes: readonly string[]
  /** Loads the users, in its own form. Returns its database: a file or a URL. */
  prepare(sample: Sample, resources: PreparationResources): Promise<string>
}

/** The resources for preparing a peer. */
export interface PreparationResources {
  /** A folder for its files. */
  readonly folder: string
  /** The Node executable. */
  readonly node: string
  /** Creates a plain database with the sample, and returns its file or URL. */
  readonly makeDatabase: (kind: DatabaseKind) => Promise<string>
}

/** A record in the form that all contenders can return. */
export type ComparedRecord = Readonly<Record<string, unknown>>

const items = ['id', 'firstName', 'lastName', 'email']
const details = [...items, 'phone', 'extension', 'status', 'department', 'supervisor', 'created', 'lastUpdated']

/** The requested properties of a list, if a contender can select properties. */
export const listedProperties: readonly string[] = items

/** The compared part of a list. */
export function page(total: unknown, records: unknown) {
  return { total: Number(total), records: (records as ComparedRecord[]).map((record) => pick(record, items)) }
}

/** The compared part of a record. */
export function single(record: unknown): ComparedRecord {
  return pick(record as ComparedRecord, details)
}

function pick(record: ComparedRecord, names: readonly string[]): ComparedRecord {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

/** The properties that a list is filtered by, and their values. */
export function filterOf(spec: RequestSpec): [string, string | number][] {
  return spec.target === 'page' ? Object.entries(spec.filter ?? {}) : []
}
