/** Converts a collection of a document into a noun and its resource. */
import type { DocumentOperation } from '@nomen/core/openapi'
import { identifierOf } from '../../identifier.ts'
import { Code } from '../../literal.ts'
import { call, type FieldPlan, Target } from '../field-plan.ts'
import { propertyName } from '../names.ts'
import type { Note } from '../note.ts'
import { type NounPlan, validFields } from '../noun-plan.ts'
import type { Collection } from './collection.ts'
import { describedField } from './described-field.ts'
import { identityName, identityPlan, isReadByName } from './identity.ts'
import { propertyNotes } from './property-note.ts'
import { noteParameters, noteRecord } from './record-note.ts'
import { schemaField } from './schema-field.ts'

/** A converted noun, without its children. */
export interface ConvertedNoun {
  readonly plan: NounPlan
  readonly resource: object
  readonly collection: Collection
}

export function readNoun(
  collection: Collection,
  all: readonly Collection[],
  note: (note: Note) => void,
): ConvertedNoun {
  const { noun: name, segment, list } = collection
  const { names, fields } = readFields(collection, all, note)
  const identity = identityPlan(collection, note)
  const valid = validFields({ name, fields }, (field) => `${name}.${field}`, note)
  noteRecord(collection, valid, note)
  const lookups = [...collection.by, ...(isReadByName(collection) ? [collection.parameter ?? ''] : [])]
  const lookupFields = lookups.flatMap((lookup) => propertyName(name, lookup) ?? []).filter((field) => valid.has(field))
  const complete = new Map([[identity.name, identity.plan], ...valid])
  for (const field of lookupFields) complete.set(field, [...(complete.get(field) as FieldPlan), call('unique')])
  const shownProperties = (item: Collection['item']) => shownPropertiesOf(item, names, identity.name, complete)
  const filters = rangesOf(collection, complete)
  noteParameters(collection, complete, note)
  if (!list) note({ source: `/${segment}`, text: `GET /${name} is added: the document has no list.` })
  const resource = {
    description: operationDescriptions(collection),
    list: shownProperties(collection.item),
    summary: collection.summary && (shownProperties(collection.summary) ?? undefined),
    detail: collection.detail && (shownProperties(collection.detail) ?? true),
    by: lookupFields.length > 0 ? lookupFields : undefined,
    search: searchedFields(collection, complete),
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    offers: offersOf(collection),
  }
  const plan = { name, fields: complete, description: collection.description }
  return { plan, resource: withoutUndefined(resource), collection }
}

/** The fields that can be converted, and their names by the name of the property in the document. */
function readFields(collection: Collection, all: readonly Collection[], note: (note: Note) => void) {
  const { noun: name } = collection
  const names = new Map<string, string>()
  const fields = new Map<string, FieldPlan>()
  for (const { name: sourceName, shape, isRequired, isWriteOnly } of collection.record.properties.values()) {
    const source = `${name}.${sourceName}`
    if (sourceName === identityName(collection)) continue
    if (isWriteOnly) {
      note({ source, text: 'Left out: it is write-only, but responses contain all fields of a record.' })
      continue
    }
    const property = propertyName(name, sourceName)
    if (property === undefined || fields.has(property)) {
      note({
        source,
        text: property
          ? `Left out: another property is already named "${property}".`
          : 'Left out: its name has no letters.',
      })
      continue
    }
    const referencedNoun = collection.references.get(sourceName)
    const targetNoun =
      all.find(({ noun }) => noun === referencedNoun)?.noun ??
      (shape.type === 'object' ? sameRecord(shape, all) : undefined)
    const target = targetNoun === undefined ? undefined : new Target(targetNoun, identifierOf(targetNoun, 'Noun'))
    const plan = schemaField({ name: sourceName, shape, isRequired, target })
    if (typeof plan === 'string') {
      note({ source, text: plan })
      continue
    }
    if (property !== sourceName) note({ source, text: `Renamed to ${property}.` })
    for (const text of propertyNotes(shape, plan)) note({ source, text })
    const described = describedField(plan, shape)
    if (described.exampleNote !== undefined) note({ source, text: described.exampleNote })
    names.set(sourceName, property)
    fields.set(property, described.plan)
  }
  return { names, fields }
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

/** The descriptions of the operations; a string if only the list has a description. */
function operationDescriptions({ operations }: Collection): string | object | undefined {
  const texts = withoutUndefined(
    Object.fromEntries([...operations].map(([name, operation]) => [name, ownDescription(operation)])),
  )
  const names = Object.keys(texts)
  if (names.length === 0) return undefined
  return names.length === 1 && 'list' in texts ? (texts.list as string) : texts
}

/** Documents of Nomen append a standard paragraph to the description of a write; this removes it. */
function ownDescription({ description, raw, role }: DocumentOperation): string | undefined {
  const isAppended = raw['x-nomen-kind'] !== undefined && role !== 'list' && role !== 'read'
  const text = isAppended ? description?.split('\n\n').slice(0, -1).join('\n\n') : description
  return text?.trim() || undefined
}

/** The noun whose record has the same properties as a nested object. */
function sameRecord({ properties }: Collection['record'], all: readonly Collection[]): string | undefined {
  const names = [...properties.keys()].join()
  return names === '' ? undefined : all.find(({ record }) => [...record.properties.keys()].join() === names)?.noun
}

/** The properties of a list item; undefined if it has all. */
function shownPropertiesOf(
  item: Collection['item'],
  names: ReadonlyMap<string, string>,
  identity: string,
  fields: ReadonlyMap<string, FieldPlan>,
): readonly string[] | undefined {
  const itemNames = [...(item?.properties.keys() ?? [])].flatMap((name) => names.get(name) ?? [])
  const properties = [identity, ...itemNames.filter((name) => fields.has(name))]
  return itemNames.length === 0 || properties.length >= fields.size ? undefined : properties
}

/** The text fields of a noun whose list has a search parameter. A document does not show which properties are searched. */
function searchedFields({ list }: Collection, fields: ReadonlyMap<string, FieldPlan>): readonly string[] | undefined {
  if (!list?.parameters.some(({ role }) => role === 'search')) return undefined
  const texts = [...fields].filter(([, [kind]]) => kind.name === 'text' || kind.name === 'email').map(([name]) => name)
  return texts.length > 0 ? texts : undefined
}

/** `createdFrom` and `createdTo` are one filter of a property `created`. */
function rangesOf({ list }: Collection, fields: ReadonlyMap<string, FieldPlan>): Readonly<Record<string, Code>> {
  const ranges = new Set(list?.parameters.flatMap(({ range }) => range?.name ?? []))
  return Object.fromEntries(
    [...ranges].filter((name) => fields.has(name)).map((name) => [`${name}`, new Code(`range('${name}')`)]),
  )
}

const allOffers = ['list', 'read', 'create', 'replace', 'update', 'delete']

function offersOf({ offers }: Collection): readonly string[] | undefined {
  return allOffers.every((offer) => offers.has(offer)) ? undefined : allOffers.filter((offer) => offers.has(offer))
}
