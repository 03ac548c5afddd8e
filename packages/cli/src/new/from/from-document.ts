/** Reads an OpenAPI document of whatever origin into a project. */
import { readDocument } from '@nomen/conventions'
import { readOpenApi } from '@nomen/core/openapi'
import { identifierOf } from '../identifier.ts'
import { Code } from '../literal.ts'
import { isMockable, type LinkDraft, type NounDraft, type Project } from '../project.ts'
import { type Collection, collectionsOf, nameOf, versionOf } from './document-collection.ts'
import { call, type FieldPlan, Target } from './field-plan.ts'
import { kebab, propertyName } from './names.ts'
import type { Note } from './note.ts'
import { fittingFields, type NounPlan, nounDraft } from './noun-plan.ts'
import { schemaField } from './schema-field.ts'

export interface Reading {
  readonly nouns: readonly NounDraft[]
  readonly links?: readonly LinkDraft[]
  readonly version?: number | undefined
  readonly notes: readonly Note[]
}

export async function fromDocument(source: string): Promise<Reading> {
  const table = readOpenApi(await readDocument(source))
  const notes: Note[] = []
  const note = (one: Note) => void notes.push(one)
  const collections = collectionsOf(table, note)
  const read = collections.map((one) => readNoun(one, collections, note))
  const nouns = read.map((one) => nounDraft(one.plan, one.resource, childrenOf(one, read, note)))
  if (!isMockable({ nouns: nouns as unknown as Project['nouns'] })) {
    note({ place: 'mocks', text: 'Left out: they find records by numbers, and some identities here are guids.' })
  }
  return { nouns, version: versionOf(table), notes }
}

/** What was read of a noun, before it is known what stands below it. */
interface Read {
  readonly plan: NounPlan
  readonly resource: object
  readonly collection: Collection
}

function readNoun(collection: Collection, all: readonly Collection[], note: (note: Note) => void): Read {
  const { noun: name, segment, list } = collection
  if (segment !== name) note({ place: `/${segment}`, text: `Named /${name}: a noun is singular and in kebab-case.` })
  const names = new Map<string, string>()
  const fields = new Map<string, FieldPlan>()
  for (const { name: given, shape, isRequired } of collection.record.properties.values()) {
    const place = `${name}.${given}`
    if (given === identityName(collection)) continue
    const property = propertyName(name, given)
    if (property === undefined || fields.has(property)) {
      note({
        place,
        text: property ? `Left out: there is another "${property}".` : 'Left out: no letter to begin a name with.',
      })
      continue
    }
    const named = collection.references.get(given)
    const pointed =
      all.find(({ noun }) => noun === named)?.noun ?? (shape.type === 'object' ? sameRecord(shape, all) : undefined)
    const target = pointed === undefined ? undefined : new Target(pointed, identifierOf(pointed, 'Noun'))
    const plan = schemaField({ name: given, shape, isRequired, target })
    if (typeof plan === 'string') {
      note({ place, text: plan })
      continue
    }
    if (property !== given) note({ place, text: `Named ${property}.` })
    const { pattern } = shape.schema
    if (pattern !== undefined) note({ place, text: `Its pattern ${pattern} is not checked: write a rule.` })
    names.set(given, property)
    fields.set(property, plan)
  }
  const identity = identityPlan(collection, note)
  const fitting = fittingFields({ name, fields }, (field) => `${name}.${field}`, note)
  const lookups = [
    ...collection.by,
    ...(isOtherText(collection.record, collection.parameter) ? [collection.parameter ?? ''] : []),
  ]
  const by = lookups.flatMap((one) => propertyName(name, one) ?? []).filter((one) => fitting.has(one))
  for (const one of collection.by.length < lookups.length ? by.slice(-1) : []) {
    note({
      place: `/${segment}/{${one}}`,
      text: `Read by /${name}/by-${kebab(one)}/{${one}}: an identity is a number or a guid.`,
    })
  }
  const complete = new Map([[identity.name, identity.plan], ...fitting])
  for (const field of by) complete.set(field, [...(complete.get(field) as FieldPlan), call('unique')])
  const shown = (item: Collection['item']) => shownOf(item, names, identity.name, complete)
  const filters = rangesOf(collection, complete)
  noteParameters(collection, complete, note)
  if (!list) note({ place: `/${segment}`, text: 'A list is offered as well: there was none.' })
  if (!collection.isPaged && list) {
    note({ place: nameOf(list), text: 'Gives pages now, { pageInfo, results }: a list at the root has no end.' })
  }
  const resource = {
    list: shown(collection.item),
    summary: collection.summary && (shown(collection.summary) ?? undefined),
    detail: collection.detail && (shown(collection.detail) ?? true),
    by: by.length > 0 ? by : undefined,
    search: searched(collection, complete),
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    offers: offersOf(collection),
  }
  return { plan: { name, fields: complete }, resource: withoutUndefined(resource), collection }
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

/** The nouns that stand below this one in paths, and can: those that point at it. */
function childrenOf({ plan }: Read, all: readonly Read[], note: (note: Note) => void): readonly string[] {
  return all.flatMap(({ plan: child, collection }) => {
    if (!collection.parents.includes(plan.name)) return []
    const place = `/${plan.name}/{…}/${collection.segment}`
    const points = [...child.fields.values()].filter(([kind]) => (kind.given[0] as Target)?.noun === plan.name)
    if (points.length === 1) return identifierOf(child.name, 'Noun')
    const text = `Offered at the root only, /${child.name}: ${points.length === 0 ? 'no property' : 'more than one property'} of it points at ${plan.name}. See via and link.`
    note({ place, text })
    return []
  })
}

/** The property that tells records apart: the one that paths name, unless that is a text which merely does so as well. */
function identityName({ record, parameter, noun }: Collection): string | undefined {
  const names = [...record.properties.keys()]
  const camel = identifierOf(noun, 'Noun')
  const usual = ['id', `${camel}Id`, `${noun.replaceAll('-', '_')}_id`, `${camel}Ref`, 'uuid', 'guid']
  const candidates = [...(isOtherText(record, parameter) ? [] : [parameter]), ...usual]
  return candidates.find((name): name is string => name !== undefined && names.includes(name))
}

/** A text that records are read by, such as a user name: a lookup here. */
function isOtherText({ properties }: Collection['record'], name = ''): boolean {
  const shape = properties.get(name)?.shape
  return shape?.type === 'string' && shape.schema.format !== 'uuid' && !/(id|ref|guid)$/i.test(name)
}

function identityPlan(collection: Collection, note: (note: Note) => void): { name: string; plan: FieldPlan } {
  const given = identityName(collection)
  const shape = given === undefined ? collection.identity : collection.record.properties.get(given)?.shape
  const isReferenceName = given === `${identifierOf(collection.noun, 'Noun')}Ref`
  const property = isReferenceName ? given : given && propertyName(collection.noun, given)
  const name = property ?? 'id'
  if (given !== undefined && name !== given) note({ place: `${collection.noun}.${given}`, text: `Named ${name}.` })
  if (shape?.schema.format === 'uuid') return { name, plan: [call('identity', 'guid')] }
  if (given !== undefined && shape?.type !== 'integer') {
    const text = 'Declared as a number that counts up: an identity is that, or a guid.'
    note({ place: `${collection.noun}.${given ?? name}`, text })
  }
  return { name, plan: [call('identity')] }
}

/** The noun whose record an object within a record is. */
function sameRecord({ properties }: Collection['record'], all: readonly Collection[]): string | undefined {
  const names = [...properties.keys()].join()
  return names === '' ? undefined : all.find(({ record }) => [...record.properties.keys()].join() === names)?.noun
}

/** The properties of an item of a list; undefined where they are all. */
function shownOf(
  item: Collection['item'],
  names: ReadonlyMap<string, string>,
  identity: string,
  fields: ReadonlyMap<string, FieldPlan>,
): readonly string[] | undefined {
  const given = [...(item?.properties.keys() ?? [])].flatMap((name) => names.get(name) ?? [])
  const shown = [identity, ...given.filter((name) => fields.has(name))]
  return given.length === 0 || shown.length >= fields.size ? undefined : shown
}

/** Where a list is searched, nobody says in which properties: in its texts. */
function searched({ list }: Collection, fields: ReadonlyMap<string, FieldPlan>): readonly string[] | undefined {
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
    const text = 'No property bears that name. A filter beside the properties is declared: filters: { … }.'
    note({ place: `${nameOf(list as NonNullable<typeof list>)} ?${name}`, text })
  }
}

const everything = ['list', 'read', 'create', 'replace', 'update', 'delete']

function offersOf({ offers }: Collection): readonly string[] | undefined {
  return everything.every((one) => offers.has(one)) ? undefined : everything.filter((one) => offers.has(one))
}
