/** Creates a project from an OpenAPI document of any service. */
import { type OpenApiDocument, readDocument } from '@nomen/conventions'
import { type DocumentOperation, type JsonObject, readOpenApi, recordIn } from '@nomen/core/openapi'
import { identifierOf } from '../../identifier.ts'
import { Code } from '../../literal.ts'
import { type ChildDraft, isMockable, type LinkDraft, type NounDraft, type Project } from '../../project.ts'
import { declaredOperations } from '../declared-api.ts'
import { call, type FieldPlan, Target } from '../field-plan.ts'
import { propertyName } from '../names.ts'
import { mergedNotes, type Note } from '../note.ts'
import { fittingFields, labelOf, type NounPlan, nounDraft } from '../noun-plan.ts'
import { type Collection, collectionsOf, nameOf, versionOf } from './collection.ts'
import { describedField } from './described-field.ts'
import { basePath, noteDocument } from './note.ts'
import { noteOperations } from './operation.ts'
import { propertyNotes } from './property-note.ts'
import { schemaField } from './schema-field.ts'

export interface Reading {
  readonly nouns: readonly NounDraft[]
  readonly links?: readonly LinkDraft[]
  /** Description of the api. */
  readonly description?: string | undefined
  readonly version?: number | undefined
  readonly notes: readonly Note[]
}

export async function fromDocument(source: string): Promise<Reading> {
  return readingOf(await readDocument(source))
}

/** Converts a document, with a note about everything that changes. */
export function readingOf(document: OpenApiDocument): Reading {
  const table = readOpenApi(document)
  const notes: Note[] = []
  const note = (added: Note) => void notes.push(added)
  const collections = collectionsOf(table, note)
  const version = versionOf(table)
  noteDocument(document as JsonObject, table, version === undefined ? '' : `/v${version}`, note)
  const read = withIds(
    collections.map((collection) => readNoun(collection, collections, note)),
    note,
  )
  const children = read.map((parent) => childrenOf(parent, read, note))
  const drafts = read.map(({ plan, resource }, at) => nounDraft(plan, resource, children[at]))
  const resourcePlans = drafts.map(({ identifier }, at) => ({
    ...(read[at] as Read),
    identifier,
    children: children[at] ?? [],
  }))
  if (read.length > 0) {
    const context = {
      collections,
      base: basePath(document as JsonObject),
      projectOperations: declaredOperations(resourcePlans, version),
      isReadByName,
    }
    noteOperations(table.operations, context, new Set(notes.map(({ source }) => source)), note)
  }
  if (!isMockable({ nouns: drafts as unknown as Project['nouns'] })) {
    note({ source: 'mocks', text: 'Left out: mocks support only numeric IDs, and some IDs are UUIDs.' })
  }
  return { nouns: drafts, description: table.description, version, notes: mergedNotes(notes) }
}

/** A converted noun, without its children. */
interface Read {
  readonly plan: NounPlan
  readonly resource: object
  readonly collection: Collection
}

/** Lists show a reference by the label of its target. To keep a property an ID, `display` leaves it out. */
function withIds(all: readonly Read[], note: (note: Note) => void): readonly Read[] {
  return all.map((read) => {
    const { plan, collection } = read
    const isLabelled = ([, [kind]]: readonly [string, FieldPlan]) =>
      kind.args[0] instanceof Target && hasLabel(kind.args[0].noun, all)
    const references = [...plan.fields].filter(isLabelled)
    const ids = references.filter(([property]) => isListedAsId(property, collection))
    if (ids.length === 0) return read
    for (const [property, [kind]] of ids) {
      const { noun } = kind.args[0] as Target
      const text = `Lists show the ID of the ${noun}, not its label. To show the label, add the property to display.`
      note({ source: `${plan.name}.${property}`, text })
    }
    const display = references.filter((reference) => !ids.includes(reference)).map(([property]) => property)
    return { ...read, resource: { ...read.resource, display } }
  })
}

/** Whether a list of the document shows an integer or a UUID for a reference. */
function isListedAsId(property: string, { noun, record, item }: Collection): boolean {
  const listed = item && item.properties.size > 0 ? item : record
  const source = [...listed.properties.values()].find(({ name }) => propertyName(noun, name) === property)
  return source?.shape.type === 'integer' || source?.shape.schema.format === 'uuid'
}

function hasLabel(noun: string, all: readonly Read[]): boolean {
  const fields = all.find(({ plan }) => plan.name === noun)?.plan.fields
  return fields !== undefined && labelOf(fields) !== undefined
}

function isReadByName({ record, parameter }: Collection): boolean {
  return isOtherText(record, parameter)
}

function readNoun(collection: Collection, all: readonly Collection[], note: (note: Note) => void): Read {
  const { noun: name, segment, list } = collection
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
    const named = collection.references.get(sourceName)
    const pointed =
      all.find(({ noun }) => noun === named)?.noun ?? (shape.type === 'object' ? sameRecord(shape, all) : undefined)
    const target = pointed === undefined ? undefined : new Target(pointed, identifierOf(pointed, 'Noun'))
    const plan = schemaField({ name: sourceName, shape, isRequired, target })
    if (typeof plan === 'string') {
      note({ source, text: plan })
      continue
    }
    if (property !== sourceName) note({ source, text: `Renamed to ${property}.` })
    for (const text of propertyNotes(shape, plan)) note({ source, text })
    const described = describedField(plan, shape)
    if (described.refusal !== undefined) note({ source, text: described.refusal })
    names.set(sourceName, property)
    fields.set(property, described.plan)
  }
  const identity = identityPlan(collection, note)
  const fitting = fittingFields({ name, fields }, (field) => `${name}.${field}`, note)
  noteRecord(collection, fitting, note)
  const lookups = [
    ...collection.by,
    ...(isOtherText(collection.record, collection.parameter) ? [collection.parameter ?? ''] : []),
  ]
  const by = lookups.flatMap((lookup) => propertyName(name, lookup) ?? []).filter((field) => fitting.has(field))
  const complete = new Map([[identity.name, identity.plan], ...fitting])
  for (const field of by) complete.set(field, [...(complete.get(field) as FieldPlan), call('unique')])
  const shownProperties = (item: Collection['item']) => shownOf(item, names, identity.name, complete)
  const filters = rangesOf(collection, complete)
  noteParameters(collection, complete, note)
  if (!list) note({ source: `/${segment}`, text: `GET /${name} is added: the document has no list.` })
  const resource = {
    description: operationDescriptions(collection),
    list: shownProperties(collection.item),
    summary: collection.summary && (shownProperties(collection.summary) ?? undefined),
    detail: collection.detail && (shownProperties(collection.detail) ?? true),
    by: by.length > 0 ? by : undefined,
    search: searchedFields(collection, complete),
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    offers: offersOf(collection),
  }
  const plan = { name, fields: complete, description: collection.description }
  return { plan, resource: withoutUndefined(resource), collection }
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

/** Notes about a whole record: properties that only lists or bodies have, and null instead of missing properties. */
function noteRecord(collection: Collection, fields: ReadonlyMap<string, FieldPlan>, note: (note: Note) => void): void {
  const { noun, record, item, group } = collection
  const bodies = group.flatMap(({ operations }) => [operations.create, operations.replace, operations.update])
  const shapes = [
    item,
    collection.summary,
    collection.detail,
    ...bodies.map((operation) => operation?.body?.shape && recordIn(operation.body.shape, noun)),
  ]
  const others = new Set(shapes.flatMap((shape) => [...(shape?.properties.keys() ?? [])]))
  for (const name of others)
    if (!record.properties.has(name))
      note({ source: `${noun}.${name}`, text: 'Left out: the record in responses has no such property.' })
  const optional = [...record.properties.values()].filter(
    ({ name, shape, isRequired }) =>
      !isRequired &&
      !shape.isNullable &&
      fields.get(propertyName(noun, name) ?? '')?.some((modifier) => modifier.name === 'nullable'),
  )
  if (optional.length > 0)
    note({
      source: noun,
      text: `Responses have null for a missing ${optional.map(({ name }) => name).join(', ')}.`,
    })
  if (record.isUnion)
    note({
      source: noun,
      text: 'A union of several schemas in the document, here one record with all of their properties.',
    })
  else if (record.isOpen)
    note({ source: noun, text: 'Additional properties, which the document allows, are not stored.' })
}

/** The nouns below this one in paths, if they have exactly one reference to it. */
function childrenOf({ plan }: Read, all: readonly Read[], note: (note: Note) => void): readonly ChildDraft[] {
  return all.flatMap(({ plan: child, collection, resource }) => {
    if (!collection.parents.includes(plan.name)) return []
    const source = `/${plan.name}/{…}/${collection.segment}`
    const points = [...child.fields.values()].filter(([kind]) => (kind.args[0] as Target)?.noun === plan.name)
    const { display } = resource as { display?: readonly string[] }
    if (points.length === 1)
      return { identifier: identifierOf(child.name, 'Noun'), ...(display && { options: { display } }) }
    const text = `Only at the root, /${child.name}: it has ${points.length === 0 ? 'no property that references' : 'several properties that reference'} ${plan.name}. See via and link.`
    note({ source, text })
    return []
  })
}

/** The property with the ID: the parameter of the paths, unless that is a text such as a user name. */
function identityName({ record, parameter, noun }: Collection): string | undefined {
  const names = [...record.properties.keys()]
  const camel = identifierOf(noun, 'Noun')
  const usual = ['id', `${camel}Id`, `${noun.replaceAll('-', '_')}_id`, `${camel}Ref`, 'uuid', 'guid']
  const candidates = [...(isOtherText(record, parameter) ? [] : [parameter]), ...usual]
  return candidates.find((name): name is string => name !== undefined && names.includes(name))
}

/** A text in the path of a record that is not its ID, such as a user name; it becomes a lookup. */
function isOtherText({ properties }: Collection['record'], name = ''): boolean {
  const shape = properties.get(name)?.shape
  return shape?.type === 'string' && shape.schema.format !== 'uuid' && !/(id|ref|guid)$/i.test(name)
}

function identityPlan(collection: Collection, note: (note: Note) => void): { name: string; plan: FieldPlan } {
  const sourceName = identityName(collection)
  const shape = sourceName === undefined ? collection.identity : collection.record.properties.get(sourceName)?.shape
  const isReferenceName = sourceName === `${identifierOf(collection.noun, 'Noun')}Ref`
  const property = isReferenceName ? sourceName : sourceName && propertyName(collection.noun, sourceName)
  const name = property ?? 'id'
  if (sourceName !== undefined && name !== sourceName)
    note({ source: `${collection.noun}.${sourceName}`, text: `Renamed to ${name}.` })
  const described = (plan: FieldPlan) => (shape ? describedField(plan, shape).plan : plan)
  if (shape?.schema.format === 'uuid') return { name, plan: described([call('identity', 'guid')]) }
  if (sourceName !== undefined && shape?.type !== 'integer') {
    const text = 'Declared as a generated number: an ID must be an integer or a UUID.'
    note({ source: `${collection.noun}.${sourceName ?? name}`, text })
  }
  return { name, plan: described([call('identity')]) }
}

/** The descriptions of the operations; one text if only the list has one. */
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
function shownOf(
  item: Collection['item'],
  names: ReadonlyMap<string, string>,
  identity: string,
  fields: ReadonlyMap<string, FieldPlan>,
): readonly string[] | undefined {
  const itemNames = [...(item?.properties.keys() ?? [])].flatMap((name) => names.get(name) ?? [])
  const properties = [identity, ...itemNames.filter((name) => fields.has(name))]
  return itemNames.length === 0 || properties.length >= fields.size ? undefined : properties
}

/** The texts of a noun whose list has a search parameter. A document does not show which properties are searched. */
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

function noteParameters(
  { list, noun }: Collection,
  fields: ReadonlyMap<string, FieldPlan>,
  note: (note: Note) => void,
): void {
  for (const { name, role } of list?.parameters ?? []) {
    const property = propertyName(noun, name)
    if (role !== 'filter') continue
    if (property !== undefined && fields.has(property.replace(/(From|To)$/, ''))) continue
    const text = 'Left out: no property has this name. Declare the filter with filters: { … }.'
    note({ source: `${nameOf(list as NonNullable<typeof list>)} ?${name}`, text })
  }
}

const allOffers = ['list', 'read', 'create', 'replace', 'update', 'delete']

function offersOf({ offers }: Collection): readonly string[] | undefined {
  return allOffers.every((offer) => offers.has(offer)) ? undefined : allOffers.filter((offer) => offers.has(offer))
}
