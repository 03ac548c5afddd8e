/** Creates a project from a PostgreSQL database: nouns from tables, and notes about everything that does not fit. */
import { type CatalogReference, type CatalogTable, databaseCatalog } from '@nomen/server/admin'
import { call, type FieldPlan, Target } from '../field-plan.ts'
import type { ImportedParts } from '../imported-parts.ts'
import { propertyName } from '../names.ts'
import { type Note, noteMocks } from '../note.ts'
import { type NounPlan, nounDraft, validFields } from '../noun-plan.ts'
import { columnField } from './column-field.ts'
import { linkDraftOf, type NounTable, nounTables } from './table-noun.ts'

/** Reads the catalog without changing the database. `?schema=name` in the URL selects a schema. */
export async function fromDatabase(source: string): Promise<ImportedParts> {
  const { url, schema } = splitSchema(source)
  const catalog = await databaseCatalog(url, schema)
  const notes: Note[] = []
  const note = (added: Note) => void notes.push(added)
  if (schema !== undefined) {
    const parameter = `${url.includes('?') ? '&' : '?'}options=${searchPath(schema)}`
    note({ source: `schema ${schema}`, text: `Use a database URL that ends in ${parameter}.` })
  }
  const { nouns, pairs } = nounTables(catalog, note)
  const links = pairs.map((table) => linkDraftOf(table, nouns))
  const drafts = nouns.map((nounTable) => {
    const children = links
      .filter(({ nouns: [first] }) => first === nounTable.identifier)
      .map(({ identifier, nouns: [, second] }) => ({ identifier: second, via: identifier }))
    const { plan, resource } = readTable(nounTable, nouns, note)
    return nounDraft(plan, resource, children)
  })
  noteMocks(drafts, note)
  return { nouns: drafts, links, notes }
}

/** Splits the parameter `schema` off the URL, because only this command reads it. */
function splitSchema(source: string): { readonly url: string; readonly schema: string | undefined } {
  const [, beforeSchema = source, value, afterSchema = ''] = /^(.*[?&])schema=([^&]*)&?(.*)$/s.exec(source) ?? []
  if (value === undefined) return { url: source, schema: undefined }
  return { url: `${beforeSchema}${afterSchema}`.replace(/[?&]$/, ''), schema: decodeURIComponent(value) }
}

/** The option of a database URL that sets the search path: a quoted name in an argument with escaped spaces. */
function searchPath(schema: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/.test(schema)
  const name = isPlain ? schema : `"${schema.replaceAll('"', '""')}"`
  return encodeURIComponent(`-c search_path=${name.replace(/[\s\\]/g, '\\$&')}`)
}

interface ReadTable {
  readonly plan: NounPlan
  readonly resource: object
}

function readTable(nounTable: NounTable, all: readonly NounTable[], note: (note: Note) => void): ReadTable {
  const { table, noun, identity } = nounTable
  const names = namesOf(nounTable, note)
  const fields = new Map<string, FieldPlan>()
  for (const column of table.columns) {
    const source = `${table.name}.${column.name}`
    const name = names.get(column.name)
    if (name === undefined) continue
    const comment = column.comment?.trim()
    const modifiers = [
      ...(name === column.name ? [] : [call('column', column.name)]),
      ...(comment ? [call('description', comment)] : []),
    ]
    if (column.name === identity) {
      fields.set(name, [call('identity', column.type === 'uuid' ? 'guid' : undefined), ...modifiers])
      continue
    }
    const reference = referenceOf(table, column.name, all, note)
    const result = columnField({
      column,
      checks: table.checks.filter(({ columns }) => columns.length === 1 && columns[0] === column.name),
      target: reference && new Target(reference.to.noun, reference.to.identifier),
      isCleared: reference?.isCleared ?? false,
      isUnique: table.keys.some(
        ({ columns, isLowered }) => !isLowered && columns.length === 1 && columns[0] === column.name,
      ),
    })
    if (typeof result === 'string') {
      note({ source, text: result })
      continue
    }
    for (const text of result.notes) note({ source, text })
    fields.set(name, [...result.plan, ...modifiers])
  }
  const valid = validFields({ name: noun, fields }, (field) => `${table.name}.${field}`, note)
  noteChecks(table, note)
  noteKeys(table, note)
  const plan = {
    name: noun,
    fields: valid,
    unique: uniqueOf(table, names, valid),
    table: table.name === noun ? undefined : table.name,
    description: table.comment ?? undefined,
  }
  return { plan, resource: resourceOf(nounTable, names, valid, note) }
}

/** A unique property name for each column. */
function namesOf({ table, noun, identity }: NounTable, note: (note: Note) => void): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const usedNames = new Set<string>()
  // The identity comes first, so that it gets its preferred name.
  const ordered = [...table.columns].sort((a, b) => Number(b.name === identity) - Number(a.name === identity))
  for (const { name } of ordered) {
    const isReference = table.references.some(({ columns }) => columns.length === 1 && columns[0] === name)
    const shortName = isReference
      ? name.replace(/(?:_(id|ref|uuid|guid|key|no|nr)|(?<=[a-z])(Id|Ref|Uuid|Guid|Key|No|Nr))$/, '') || name
      : name
    const preferred = [shortName, name].flatMap((candidate) => propertyName(noun, candidate) ?? [])
    const alternatives = preferred.map((candidate) => `${candidate}Value`)
    const property = [...preferred, ...alternatives].find(
      (candidate) => !usedNames.has(candidate) && isNameAllowed(noun, candidate),
    )
    if (property === undefined) {
      note({ source: `${table.name}.${name}`, text: 'Left out: its name gives no valid, unused property name.' })
      continue
    }
    usedNames.add(property)
    names.set(name, property)
  }
  return names
}

/** Whether a property of any type may have the name. */
function isNameAllowed(noun: string, name: string): boolean {
  return (
    validFields(
      { name: noun, fields: new Map([[name, [call('text')]]]) },
      () => name,
      () => {},
    ).size === 1
  )
}

function referenceOf(
  table: CatalogTable,
  column: string,
  all: readonly NounTable[],
  note: (note: Note) => void,
): { readonly to: NounTable; readonly isCleared: boolean } | undefined {
  const source = `${table.name}.${column}`
  const columnReferences = table.references.filter(({ columns }) => columns.length === 1 && columns[0] === column)
  // A column may have several foreign keys: prefer one that references a primary key.
  for (const reference of columnReferences) {
    const to = all.find((other) => other.table.name === reference.target && reference.isInSchema)
    if (!to || reference.targetColumns[0] !== to.identity) continue
    if (reference.onDelete === 'cascade' || reference.onDelete === 'default')
      note({ source, text: deleteText(reference, table.name) })
    return { to, isCleared: reference.onDelete === 'clear' }
  }
  const [reference] = columnReferences
  if (reference) {
    const target = `${reference.target} (${reference.targetColumns.join(', ')})`
    note({ source, text: `A plain value: it references ${target}, which is not the ID of a noun.` })
  }
  return undefined
}

/** Notes foreign keys of several columns, which a declaration cannot express. */
function noteKeys({ name, references }: CatalogTable, note: (note: Note) => void): void {
  for (const { columns, target, targetColumns } of references) {
    if (columns.length === 1) continue
    const key = `foreign key (${columns.join(', ')}) references ${target} (${targetColumns.join(', ')})`
    note({ source: name, text: `${key} is not declared: a reference has one column. Violations get 422.` })
  }
}

function deleteText({ onDelete, target }: CatalogReference, table: string): string {
  const action = onDelete === 'cascade' ? 'delete these rows too' : 'set them to their default'
  return `Rows of ${target} that ${table} references cannot be deleted (409), although the database would ${action}.`
}

function noteChecks({ name, checks }: CatalogTable, note: (note: Note) => void): void {
  for (const { columns, condition } of checks) {
    if (columns.length === 1) continue
    const text = `CHECK ${condition} is not declared: write a rule. Violations get 422.`
    note({ source: name, text })
  }
}

/** Unique keys of several columns that are all declared and case-sensitive. */
function uniqueOf(
  { keys, columns: allColumns }: CatalogTable,
  names: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, FieldPlan>,
): readonly (readonly string[])[] {
  return keys
    .filter(({ columns, isPrimary }) => !isPrimary && columns.length > 1)
    .filter(({ columns }) => !allColumns.some(({ name, type }) => type === 'citext' && columns.includes(name)))
    .map(({ columns }) => columns.map((column) => names.get(column) ?? ''))
    .filter((set) => set.every((name) => fields.has(name)))
}

const withoutCreate = ['list', 'read', 'replace', 'update', 'delete']

/** The options of the resource. Leaves out `create` if a record could not be complete. */
function resourceOf(
  { table, identity, hasSequence }: NounTable,
  names: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, FieldPlan>,
  note: (note: Note) => void,
): object {
  const isDeclared = (column: string) => fields.has(names.get(column) ?? '')
  const missing = table.columns.filter(
    ({ name, isRequired, isGenerated, hasSequence, default: value }) =>
      name !== identity && isRequired && !isGenerated && !hasSequence && value === null && !isDeclared(name),
  )
  for (const { name } of missing) {
    const fix = `alter table "${table.name}" alter "${name}" set default …, or drop not null`
    const text = `Records cannot be created: ${name} needs a value, but is left out. Fix: ${fix}`
    note({ source: table.name, text: `${text}; then remove offers from the resource.` })
  }
  if (!hasSequence) {
    const fix = `alter table "${table.name}" alter "${identity}" add generated by default as identity`
    note({ source: table.name, text: `Records cannot be created: ${identity} is not generated. Fix: ${fix}` })
  }
  const lookupFields = [...fields].filter(([, plan]) => isLookup(plan)).map(([name]) => name)
  return {
    ...(lookupFields.length > 0 && { by: lookupFields }),
    ...((missing.length > 0 || !hasSequence) && { offers: withoutCreate }),
  }
}

/** A unique string, by which a record can be looked up. */
function isLookup([kind, ...modifiers]: FieldPlan): boolean {
  return kind.name === 'text' && modifiers.some(({ name }) => name === 'unique')
}
