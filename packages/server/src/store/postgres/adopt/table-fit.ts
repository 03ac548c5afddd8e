/** Whether a table that was there before fits a noun or a link. All misfits are told at once, each with its remedy. */
import {
  declaredName,
  type FieldSchema,
  fieldOf,
  type LinkSchema,
  type NounSchema,
  nounOf,
  pairColumns,
  type Schema,
} from '../../schema.ts'
import type { CatalogTable } from './catalog.ts'
import { columnMisfit } from './column-fit.ts'

export interface Adopting {
  readonly schema: Schema
  /** Nouns of which records are created, by their tables. */
  readonly created: ReadonlySet<string>
}

/** The misfits of a noun's table. */
export function nounMisfits(noun: NounSchema, table: CatalogTable, adopting: Adopting): readonly string[] {
  const of = `"${noun.name}"`
  const whole = tableMisfits(table)
  if (whole.length > 0) return whole
  return [
    ...noun.fields.flatMap((field) => fieldMisfits(noun, field, table, adopting.schema)),
    ...keyMisfits(noun, table),
    ...(noun.searched.length > 0
      ? [`${of}: what other programs write is not found by a search. Leave search out of its resources.`]
      : []),
    ...(adopting.created.has(noun.name)
      ? demandedColumns(
          table,
          noun.fields.map(({ name }) => name),
        ).map(
          (column) =>
            `${of}."${column}" is never null and has no default: declare it, give it one, or offer no create.`,
        )
      : []),
  ]
}

/** Columns that every new row must name, and that are not among these. */
export function demandedColumns({ columns }: CatalogTable, known: readonly string[]): readonly string[] {
  return columns
    .filter(
      ({ isRequired, isGenerated, isCounted, default: value }) =>
        isRequired && !isGenerated && !isCounted && value === null,
    )
    .map(({ name }) => name)
    .filter((name) => !known.includes(name))
}

/** The misfits of a link's table. */
export function linkMisfits(link: LinkSchema, table: CatalogTable, { schema }: Adopting): readonly string[] {
  const of = `"${link.name}"`
  const whole = tableMisfits(table)
  if (whole.length > 0) return whole
  const columns = pairColumns(link)
  const missing = columns.filter((name) => !table.columns.some((column) => column.name === name))
  if (missing.length > 0) return missing.map((name) => `${of} has no column "${name}".`)
  const untied = columns.filter((name, at) => {
    const target = nounOf(schema, link.nouns[at] ?? '')
    return !isTied(table, name, target)
  })
  return [
    ...untied.map((name) => `${of}."${name}" is no foreign key of the noun that it belongs to: add one.`),
    ...(hasKey(table, columns) ? [] : [`${of} may hold a pair twice: make ${columns.join(' and ')} its primary key.`]),
    ...demandedColumns(table, columns).map(
      (column) =>
        `${of}."${column}" is never null and has no default: a pair has nothing else. Declare a noun instead.`,
    ),
  ]
}

function tableMisfits({ name, kind, isGuarded, columns }: CatalogTable): readonly string[] {
  if (kind !== 'table') return [`"${name}" is a ${kind}: only plain tables are adopted.`]
  if (isGuarded)
    return [`"${name}" has row security: rows that a policy hides would be missed. Serve it under its own rules.`]
  if (columns.some((column) => column.name === '_version'))
    return [`"${name}" has a column "_version" already: rename it.`]
  return []
}

function fieldMisfits(noun: NounSchema, field: FieldSchema, table: CatalogTable, schema: Schema): readonly string[] {
  const place = `"${noun.name}"."${field.name}"`
  const column = table.columns.find(({ name }) => name === field.name)
  if (!column) {
    const near = table.columns.find(({ name }) => plain(name) === plain(field.name))
    const hint = near ? ` Is it .column('${near.name}')?` : ''
    return [`${place} is not there: no column holds "${declaredName(field)}".${hint}`]
  }
  const misfit = columnMisfit(noun, field, column)
  if (misfit !== undefined) return [`${place} ${misfit}`]
  if (field.target === undefined || isTied(table, field.name, nounOf(schema, field.target))) return []
  const target = nounOf(schema, field.target)
  const key = `foreign key ("${field.name}") references "${target.name}" ("${target.identity}")`
  return [
    `${place} is no foreign key: a record could be deleted that it points at. alter table "${noun.name}" add ${key}`,
  ]
}

function keyMisfits(noun: NounSchema, table: CatalogTable): readonly string[] {
  const primary = table.keys.find(({ isPrimary }) => isPrimary)?.columns ?? []
  const [of, is] = [`"${noun.name}"`, primary.join(', ')]
  const misfits = noun.unique.flatMap((set) => {
    const isLowered = set.some((name) => fieldOf(noun, name).kind === 'email')
    if (hasKey(table, set, isLowered)) return []
    const terms = set.map((name) => (fieldOf(noun, name).kind === 'email' ? `lower("${name}")` : `"${name}"`))
    return [`${of}: nothing keeps ${set.join(' with ')} unique. create unique index on ${of} (${terms.join(', ')})`]
  })
  if (primary.length === 1 && primary[0] === noun.identity) return misfits
  const reason = primary.length === 0 ? 'has no primary key' : `has the primary key (${is})`
  return [`${of} ${reason}, and an identity is one column: "${noun.identity}".`, ...misfits]
}

function hasKey({ keys }: CatalogTable, columns: readonly string[], lowered = false): boolean {
  return keys.some(
    (key) =>
      key.isLowered === lowered &&
      key.columns.length === columns.length &&
      columns.every((name) => key.columns.includes(name)),
  )
}

function isTied({ references }: CatalogTable, column: string, { name, identity }: NounSchema): boolean {
  return references.some(
    ({ columns, target, isHere, targetColumns }) =>
      isHere && target === name && columns.length === 1 && columns[0] === column && targetColumns[0] === identity,
  )
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}
