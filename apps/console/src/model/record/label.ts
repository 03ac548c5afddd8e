/** How a record is called where there is room for a few words only. */
import type { Json } from '../service/openapi.ts'
import { type Collection, idOf, type Service } from '../service/service.ts'

/** Names that mostly say what a record is, the best first. */
const usual = [
  ['name'],
  ['title'],
  ['label'],
  ['fullName'],
  ['firstName', 'lastName'],
  ['displayName'],
  ['subject'],
  ['username'],
  ['email'],
  ['type'],
  ['code'],
]

/** The fields that name a record: as a list of the service shows it elsewhere, else by their names. */
export function labelFields(service: Service, { noun, fields, identity, api }: Collection): readonly string[] {
  const has = (names: readonly string[]) => names.every((name) => fields.some((field) => field.name === name))
  const near = [...api.collections, ...service.collections]
  const told = near.flatMap(({ variants }) => variants.flatMap(({ columns }) => columns))
  const shown = told.find(
    ({ reference, labelFields: names }) => reference === noun && names !== undefined && has(names),
  )
  if (shown?.labelFields) return shown.labelFields
  const text = fields.find(({ kind, name }) => (kind === 'text' || kind === 'email') && name !== identity)
  return usual.find(has) ?? (text ? [text.name] : [identity])
}

export function labelOf(service: Service, collection: Collection, record: Json): string {
  const told = labelFields(service, collection)
  const isThere = (names: readonly string[]) => names.every((name) => record[name] !== undefined)
  const words = (isThere(told) ? told : (usual.find(isThere) ?? told)).map((name) => record[name])
  const text = words.filter((word) => word !== null && word !== undefined && word !== '').join(' ')
  return text || `${collection.title} ${idOf(collection, record)}`
}
