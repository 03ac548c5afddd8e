/** The label of a record: a few words that name it. */
import { format } from '../../language/language.ts'
import { isHistory } from '../history/history.ts'
import type { Json } from '../service/openapi.ts'
import { type Collection, idOf, type Service } from '../service/service.ts'
import { choiceTitle } from '../title.ts'
import type { Field } from './field.ts'

/** Fields that usually name a record, the best first. */
const nameFieldNames = [
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

/** The maximum number of values in the title of a record without a name. */
const maxNameFields = 2

/** The fields of a record's display name: those of the document, or fields with a usual name; otherwise the identity. */
export function labelFields(service: Service, collection: Collection): readonly string[] {
  const { noun, fields, identity, api, label } = collection
  const has = (names: readonly string[]) => names.every((name) => fields.some((field) => field.name === name))
  if (label && has(label)) return label
  // None of the texts of an entry is its name.
  if (isHistory(collection)) return [identity]
  const collections = [...api.collections, ...service.collections]
  const columns = collections.flatMap(({ variants }) => variants.flatMap((variant) => variant.columns))
  const referencingColumn = columns.find(
    ({ reference, labelFields: names }) => reference === noun && names !== undefined && has(names),
  )
  if (referencingColumn?.labelFields) return referencingColumn.labelFields
  return nameFieldNames.find(has) ?? [nameIn(fields, identity) ?? identity]
}

/** The first text, or the first one that is unique if the record is mostly known by others that it points at. */
function nameIn(fields: readonly Field[], identity: string): string | undefined {
  const texts = fields.filter(({ kind, name }) => (kind === 'text' || kind === 'email') && name !== identity)
  const isRelation = fields.some(({ reference }) => reference !== undefined)
  return texts.find(({ isUnique }) => isUnique || !isRelation)?.name
}

/** The values of the label. A record without a name is called by its noun and identity: "Loan 1 (Dune, 2026-12-01)". */
export function labelOf(service: Service, collection: Collection, record: Json): string {
  const names = labelFields(service, collection).filter((name) => name !== collection.identity)
  const hasValues = (some: readonly string[]) => some.length > 0 && some.every((name) => record[name] !== undefined)
  const shownNames = hasValues(names) ? names : (nameFieldNames.find(hasValues) ?? names)
  const text = shownNames.flatMap((name) => valueText(collection, record, name) ?? []).join(' ')
  return text || titleOf(collection, record)
}

/** The references that the label of a record is made of. */
export function labelReferences(service: Service, collection: Collection): readonly Field[] {
  const names = labelFields(service, collection).filter((name) => name !== collection.identity)
  const labelFieldList = collection.fields.filter(({ name }) => names.includes(name))
  const fields = names.length > 0 ? labelFieldList : nameFields(collection).slice(0, maxNameFields)
  return fields.filter(({ kind }) => kind === 'reference')
}

/** The label, and the ID that tells records with the same label apart. */
export function nameWithId(service: Service, collection: Collection, record: Json): string {
  return `${labelOf(service, collection, record)} (${idOf(collection, record)})`
}

/** The state of a record: a choice with a usual name, or one with transitions. */
export function statusField({ fields }: Collection): Field | undefined {
  const choices = fields.filter(({ kind }) => kind === 'choice')
  return choices.find(({ name }) => /^(status|state)$/i.test(name)) ?? choices.find(({ transitions }) => transitions)
}

/** The noun and the ID: the title of a record before it is read. */
export function plainTitle({ title }: Collection, id: unknown): string {
  return `${title} ${id}`
}

function titleOf(collection: Collection, record: Json): string {
  const values = nameFields(collection).flatMap(({ name }) => valueText(collection, record, name) ?? [])
  const details = values.length === 0 ? '' : ` (${values.slice(0, maxNameFields).join(', ')})`
  return plainTitle(collection, idOf(collection, record)) + details
}

/** References first, then days and states; nothing that the service sets itself. */
function nameFields({ fields, identity }: Collection): readonly Field[] {
  const writable = fields.filter(({ isReadOnly, name }) => !isReadOnly && name !== identity)
  const isReference = ({ reference }: Field) => reference !== undefined
  const isState = ({ kind }: Field) => kind === 'date' || kind === 'timestamp' || kind === 'choice'
  return [...writable.filter(isReference), ...writable.filter((field) => !isReference(field) && isState(field))]
}

/** Undefined if the field is empty. A list shows a reference by its label; an identity follows the name of its field. */
function valueText({ fields }: Collection, record: Json, name: string): string | undefined {
  const value = record[name]
  if (value === null || value === undefined || value === '') return undefined
  const field = fields.find((candidate) => candidate.name === name)
  if (field?.reference !== undefined) {
    const isIdentity = typeof value === 'number' || /^[\da-f]{8}(-[\da-f]{4}){3}-/i.test(`${value}`)
    return isIdentity ? `${field.title} ${value}` : `${value}`
  }
  if (field?.kind === 'timestamp' || field?.kind === 'date') return format().day(`${value}`)
  return field?.kind === 'choice' ? choiceTitle(value, field.choices) : `${value}`
}
