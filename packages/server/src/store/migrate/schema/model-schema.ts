/** Builds the schema of a model. */
import { type AnyLink, type AnyNoun, change, hasHistory, specOf, targetOf, tenantField } from '@nomen/core'
import { sortKeyVersion } from '../../collation/sort-key.ts'
import { historyLimits, type Model, recordNameFields, type StoredNoun } from '../../model.ts'
import { columnName, pairColumn, tableName } from '../../stored-name.ts'
import { isShortText } from '../../text/short-text.ts'
import { checkNames, checkWidths } from './check.ts'
import type { FieldSchema, LinkSchema, NounSchema, Schema, SortedField } from './schema.ts'

/** The schema of a model. Rejects names that a database could not tell apart. */
export function schemaOf({ nouns, links }: Model): Schema {
  const schema: Schema = {
    nouns: [...nouns.values()].map(nounSchema),
    links: links.map(linkSchema),
  }
  checkNames(schema)
  checkWidths(schema)
  return schema
}

function linkSchema(link: AnyLink): LinkSchema {
  const nouns = link.nouns.map(tableName) as [string, string]
  const columns = link.nouns.map((noun) => pairColumn(link, noun)) as [string, string]
  const { sharing } = link
  return {
    name: tableName(link),
    nouns,
    ...(columns.join('\n') !== nouns.join('\n') && { columns }),
    ...(sharing !== undefined && {
      sharing: link.nouns.map((noun) => columnName(noun, sharing)) as [string, string],
    }),
    ...(hasHistory(link) && { history: true }),
  }
}

function nounSchema({ noun, indexed, searched, tallies, owner }: StoredNoun): NounSchema {
  const fields = Object.keys(noun.fields).map((name) => fieldSchema(noun, name))
  const column = (name: string) => columnName(noun, name)
  const columns = (names: ReadonlySet<string>) => new Set([...names].map(column))
  const unique = uniqueSets(noun).map((set) => set.map(column))
  const [identity, indexedColumns, folded] = [column(noun.identity), columns(indexed), columns(searched)]
  const isUnique = (name: string) => unique.some((set) => set.length === 1 && set[0] === name)
  const needsIndex = ({ name, kind }: FieldSchema) => indexedColumns.has(name) && (!isUnique(name) || kind === 'email')
  const name = tableName(noun)
  const sorted = sortedFields(noun, indexed)
  const indexes = noun.options.indexes?.map((index) => index.map(column)) ?? []
  const unaccented = [...searched].filter((field) => specOf(noun, field).search !== undefined).map(column)
  return {
    name,
    ...(name !== noun.name && { noun: noun.name }),
    identity,
    fields,
    indexed: fields.filter(needsIndex).map(({ name }) => name),
    ...(indexes.length > 0 && { indexes }),
    // Most history entries have no other record, and each entry is a write of its own.
    ...(noun === change && {
      partial: fields.filter((field) => needsIndex(field) && field.nullable).map(({ name }) => name),
    }),
    searched: fields.map(({ name }) => name).filter((column) => folded.has(column)),
    ...(unaccented.length > 0 && { unaccented }),
    ...(sorted.length > 0 && { sorted }),
    tallies,
    ...(noun === change && {
      blocks: true,
      recordNames: recordNameFields.map((field) => columnName(change, field)),
    }),
    unique,
    ...(hasHistory(noun) && historySchema(noun, owner)),
  }
}

function historySchema(noun: AnyNoun, owner: string | undefined): Partial<NounSchema> {
  const { entries } = historyLimits(noun)
  return {
    history: true,
    ...(owner !== undefined && { historyOwner: columnName(noun, owner) }),
    ...(entries !== undefined && { historyEntries: entries }),
  }
}

/** Fields with a collation. The keys have an index if the field has one. */
function sortedFields(noun: AnyNoun, indexed: ReadonlySet<string>): readonly SortedField[] {
  return Object.keys(noun.fields).flatMap((field) => {
    const { sort: collation } = specOf(noun, field)
    if (!collation) return []
    const isIndexed = indexed.has(field)
    return [{ name: columnName(noun, field), collation, edition: sortKeyVersion, isIndexed }]
  })
}

function fieldSchema(noun: AnyNoun, name: string): FieldSchema {
  const spec = specOf(noun, name)
  const { min, max, minLength, maxLength, precision } = spec
  const limits = withoutUndefined({ min, max, minLength, maxLength, precision })
  const column = columnName(noun, name)
  return withoutUndefined({
    name: column,
    field: column === name ? undefined : name,
    kind: spec.kind,
    nullable: spec.nullable,
    guid: spec.guid,
    scale: spec.scale,
    choices: spec.choices,
    target: spec.kind === 'reference' ? tableName(targetOf(noun, name)) : undefined,
    default: spec.default,
    defaultFrom: spec.defaultFrom === undefined ? undefined : columnName(noun, spec.defaultFrom),
    databaseDefault: spec.databaseDefault,
    limits: Object.keys(limits).length === 0 ? undefined : limits,
    isShort: isShortText(spec) || undefined,
    renamedFrom: spec.renamedFrom,
  })
}

/** Sets of one or more fields whose values must be unique; within one tenant, if the noun has tenants. */
export function uniqueSets(noun: AnyNoun): readonly (readonly string[])[] {
  const singleFields = Object.keys(noun.fields).filter((name) => specOf(noun, name).unique && name !== noun.identity)
  const sets = [...singleFields.map((name) => [name]), ...(noun.options.unique ?? []).map((set) => [...new Set(set)])]
  const tenant = tenantField(noun)
  const scopedSets = tenant === undefined ? sets : sets.map((set) => [tenant, ...set.filter((name) => name !== tenant)])
  return [...new Map(scopedSets.map((set) => [set.join(), set])).values()]
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

function withoutUndefined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>
}
