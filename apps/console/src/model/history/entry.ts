/** Entries of the history: who changed which record, when, and the values before and after. */
import { type Field, fieldOf } from '../record/field.ts'
import { isSame, type Values } from '../record/values.ts'
import { isObject, type Json } from '../service/openapi.ts'
import { type Api, type Collection, rootOf, type Service } from '../service/service.ts'

export interface Entry {
  readonly id: unknown
  readonly time: string
  /** The noun, or the name of a link: `user-role`. */
  readonly noun: string
  /** `user/7`; only the noun if the entry is about all its records. */
  readonly record: string
  /** The other record of a link, or the owner of the record. */
  readonly linked: string | undefined
  readonly kind: string
  /** The names of the changed fields. */
  readonly fields: readonly string[]
  readonly before: Json
  readonly after: Json
  readonly user: string | undefined
  readonly application: string | undefined
}

export function entryFrom(record: Json): Entry {
  const textOf = (name: string) => (typeof record[name] === 'string' ? (record[name] as string) : undefined)
  return {
    id: record.id,
    time: textOf('time') ?? '',
    noun: textOf('noun') ?? '',
    record: textOf('record') ?? '',
    linked: textOf('linked'),
    kind: textOf('kind') ?? '',
    fields: (textOf('fields') ?? '').split(',').filter(Boolean),
    before: objectIn(textOf('before')),
    after: objectIn(textOf('after')),
    user: textOf('user'),
    application: textOf('application'),
  }
}

function objectIn(text = '{}'): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The records that an entry is about: both of a link. The owner of a record is not named. */
export function recordNames(entry: Entry): readonly string[] {
  return isLinkEntry(entry) && entry.linked !== undefined ? [entry.record, entry.linked] : [entry.record]
}

/** Whether an entry is about a link between two records. */
export function isLinkEntry({ kind }: Entry): boolean {
  return kind === 'LINKED' || kind === 'UNLINKED'
}

/** `user/7` as noun and ID. The ID is undefined in an entry about all records of a noun. */
export function recordNameParts(name: string): { readonly noun: string; readonly id: string | undefined } {
  const [noun = '', id] = name.split(/\/(.*)/s)
  return { noun, id }
}

/** A record in the service: the collection of its noun, and the IDs of its path. */
export interface RecordLocation {
  readonly collection: Collection
  readonly ids: readonly string[]
}

/** The record that an entry names, at the root or below its owner. Undefined if the service has no path for it. */
export function locate(
  service: Service,
  api: Api,
  name: string | undefined,
  owner?: string,
): RecordLocation | undefined {
  const { noun, id } = recordNameParts(name ?? '')
  if (id === undefined) return undefined
  const collection = rootOf(service, api, noun)
  if (collection) return { collection, ids: [id] }
  const ownerLocation = owner === undefined ? undefined : locate(service, api, owner)
  const child = ownerLocation?.collection.children.find((candidate) => candidate.noun === noun)
  return ownerLocation && child && { collection: child, ids: [...ownerLocation.ids, id] }
}

/** A field with its values before and after a change. */
export interface FieldChange {
  readonly field: Field
  readonly before: unknown
  readonly after: unknown
}

/** The fields of a noun's entries: entries have the names of the noun, which no single resource may have all of. */
export function entryFields(service: Service, entry: Entry, nearest: Collection | undefined): readonly Field[] {
  const collections = [...(nearest ? [nearest] : []), ...service.collections.filter(({ noun }) => noun === entry.noun)]
  const knownFields = collections.flatMap(({ fields }) => fields)
  const names = new Set([...entry.fields, ...Object.keys(entry.before), ...Object.keys(entry.after)])
  const position = (name: string) => knownFields.findIndex((field) => field.name === name)
  return [...names]
    .map((name) => knownFields[position(name)] ?? fieldOf(name))
    .toSorted(
      (a, b) => (position(a.name) + 1 || knownFields.length + 1) - (position(b.name) + 1 || knownFields.length + 1),
    )
}

/** The changed fields. Those that only the service sets, such as the time of the change, are left out if there are others. */
export function fieldChanges({ before, after }: Entry, fields: readonly Field[]): readonly FieldChange[] {
  const all = fields.map((field) => ({ field, before: before[field.name], after: after[field.name] }))
  const written = all.filter(({ field }) => !field.isReadOnly)
  return written.length > 0 ? written : all
}

/**
 * The newest entries that lead from an earlier state to the present one, newest first: each is undone until the states
 * are the same. Entries without a change of a differing field are left out.
 */
export function entriesBetween(entries: readonly Entry[], earlier: Values, present: Values): readonly Entry[] {
  const names = Object.keys(earlier).filter((name) => !isSame(earlier[name], present[name]))
  let state = present
  const laterEntries: Entry[] = []
  for (const entry of entries) {
    if (names.every((name) => isSame(state[name], earlier[name]))) break
    if (names.some((name) => name in entry.before)) laterEntries.push(entry)
    state = { ...state, ...entry.before }
  }
  return laterEntries
}
