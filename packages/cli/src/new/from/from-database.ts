/** Reads a database of PostgreSQL into a project: what its tables are as nouns, and what did not fit. */
import { type CatalogReference, type CatalogTable, databaseCatalog } from '@nomen/server/admin'
import { isMockable, type Project } from '../project.ts'
import { columnField } from './column-field.ts'
import { call, type FieldPlan, Target } from './field-plan.ts'
import type { Reading } from './from-document.ts'
import { propertyName } from './names.ts'
import type { Note } from './note.ts'
import { fittingFields, type NounPlan, nounDraft } from './noun-plan.ts'
import { linkDraftOf, type NounTable, nounTables } from './table-noun.ts'

/** Nothing in the database is changed. `?schema=name` reads another schema than the usual one. */
export async function fromDatabase(source: string): Promise<Reading> {
  const { address, schema } = addressIn(source)
  const catalog = await databaseCatalog(address, schema)
  const notes: Note[] = []
  const note = (one: Note) => void notes.push(one)
  if (schema !== undefined) {
    note({ place: `schema ${schema}`, text: `Serve it by an address that ends in ?options=${searchPath(schema)}.` })
  }
  const { nouns, pairs } = nounTables(catalog, note)
  const links = pairs.map((table) => linkDraftOf(table, nouns))
  const drafts = nouns.map((one) => {
    const children = links
      .filter(({ nouns: [first] }) => first === one.identifier)
      .map(({ identifier, nouns: [, second] }) => ({ identifier: second, via: identifier }))
    const { plan, resource } = readTable(one, nouns, note)
    return nounDraft(plan, resource, children)
  })
  if (!isMockable({ nouns: drafts as unknown as Project['nouns'] })) {
    note({ place: 'mocks', text: 'Left out: they find records by numbers, and some identities here are guids.' })
  }
  return { nouns: drafts, links, notes }
}

/** The address without what only this command reads. */
function addressIn(source: string): { readonly address: string; readonly schema: string | undefined } {
  const [, before = source, value, after = ''] = /^(.*[?&])schema=([^&]*)&?(.*)$/s.exec(source) ?? []
  if (value === undefined) return { address: source, schema: undefined }
  return { address: `${before}${after}`.replace(/[?&]$/, ''), schema: decodeURIComponent(value) }
}

/** The option of an address that makes a schema the current one: a name in quotes, in an argument whose spaces are escaped. */
function searchPath(schema: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/.test(schema)
  const name = isPlain ? schema : `"${schema.replaceAll('"', '""')}"`
  return encodeURIComponent(`-c search_path=${name.replace(/[\s\\]/g, '\\$&')}`)
}

interface ReadTable {
  readonly plan: NounPlan
  readonly resource: object
}

function readTable(one: NounTable, all: readonly NounTable[], note: (note: Note) => void): ReadTable {
  const { table, noun, identity } = one
  const names = namesOf(one, note)
  const fields = new Map<string, FieldPlan>()
  const comments = new Map<string, string>()
  for (const column of table.columns) {
    const place = `${table.name}.${column.name}`
    const name = names.get(column.name)
    if (name === undefined) continue
    if (column.comment !== null) comments.set(name, column.comment)
    const mapped = name === column.name ? [] : [call('column', column.name)]
    if (column.name === identity) {
      fields.set(name, [call('identity', column.type === 'uuid' ? 'guid' : undefined), ...mapped])
      continue
    }
    const reference = referenceOf(table, column.name, all, note)
    const read = columnField({
      column,
      checks: table.checks.filter(({ columns }) => columns.length === 1 && columns[0] === column.name),
      target: reference && new Target(reference.to.noun, reference.to.identifier),
      isCleared: reference?.isCleared ?? false,
      isUnique: table.keys.some(
        ({ columns, isLowered }) => !isLowered && columns.length === 1 && columns[0] === column.name,
      ),
    })
    if (typeof read === 'string') {
      note({ place, text: read })
      continue
    }
    for (const text of read.notes) note({ place, text })
    fields.set(name, [...read.plan, ...mapped])
  }
  const fitting = fittingFields({ name: noun, fields }, (field) => `${table.name}.${field}`, note)
  noteChecks(table, note)
  noteKeys(table, note)
  const plan = {
    name: noun,
    fields: fitting,
    unique: uniqueOf(table, names, fitting),
    table: table.name === noun ? undefined : table.name,
    comment: table.comment ?? undefined,
    comments,
  }
  return { plan, resource: resourceOf(one, names, fitting, note) }
}

/** What the columns are called; each by a name of its own. */
function namesOf({ table, noun, identity }: NounTable, note: (note: Note) => void): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  // The identity chooses first.
  const ordered = [...table.columns].sort((a, b) => Number(b.name === identity) - Number(a.name === identity))
  for (const { name } of ordered) {
    const isReference = table.references.some(({ columns }) => columns.length === 1 && columns[0] === name)
    const short = isReference
      ? name.replace(/(?:_(id|ref|uuid|guid|key|no|nr)|(?<=[a-z])(Id|Ref|Uuid|Guid|Key|No|Nr))$/, '') || name
      : name
    const given = [short, name].flatMap((one) => propertyName(noun, one) ?? [])
    const reserved = given.map((one) => `${one}Value`)
    const found = [...given, ...reserved].find((one) => !taken.has(one) && isNameFree(noun, one))
    if (found === undefined) {
      note({ place: `${table.name}.${name}`, text: 'Left out: no name can be made of it that is not taken.' })
      continue
    }
    taken.add(found)
    names.set(name, found)
  }
  return names
}

/** Whether a property may bear the name, whatever it holds. */
function isNameFree(noun: string, name: string): boolean {
  return (
    fittingFields(
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
  const place = `${table.name}.${column}`
  const single = table.references.filter(({ columns }) => columns.length === 1 && columns[0] === column)
  // A column may be the end of several keys: one that leads to an identity tells most.
  for (const found of single) {
    const to = all.find((other) => other.table.name === found.target && found.isHere)
    if (!to || found.targetColumns[0] !== to.identity) continue
    if (found.onDelete === 'cascade' || found.onDelete === 'default')
      note({ place, text: deleteText(found, table.name) })
    return { to, isCleared: found.onDelete === 'clear' }
  }
  const [found] = single
  if (found) {
    const text = `A plain value: it points at ${found.target} (${found.targetColumns.join(', ')}), which is no identity here.`
    note({ place, text })
  }
  return undefined
}

/** A reference holds one identity: what a key of several columns demands, no declaration does. */
function noteKeys({ name, references }: CatalogTable, note: (note: Note) => void): void {
  for (const { columns, target, targetColumns } of references) {
    if (columns.length === 1) continue
    const key = `foreign key (${columns.join(', ')}) references ${target} (${targetColumns.join(', ')})`
    note({ place: name, text: `${key} is not declared: a reference is one column. What breaks it is answered 422.` })
  }
}

function deleteText({ onDelete, target }: CatalogReference, table: string): string {
  const would = onDelete === 'cascade' ? 'delete those as well' : 'give those their default'
  return `What rows of ${table} point at in ${target} cannot be deleted (409); the database itself would ${would}.`
}

function noteChecks({ name, checks }: CatalogTable, note: (note: Note) => void): void {
  for (const { columns, condition } of checks) {
    if (columns.length === 1) continue
    const text = `CHECK ${condition} is not declared: write a rule. What breaks it is answered 422.`
    note({ place: name, text })
  }
}

/** Keys of several columns, all of which are declared and compared exactly. */
function uniqueOf(
  { keys, columns: all }: CatalogTable,
  names: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, FieldPlan>,
): readonly (readonly string[])[] {
  return keys
    .filter(({ columns, isPrimary }) => !isPrimary && columns.length > 1)
    .filter(({ columns }) => !all.some(({ name, type }) => type === 'citext' && columns.includes(name)))
    .map(({ columns }) => columns.map((column) => names.get(column) ?? ''))
    .filter((set) => set.every((name) => fields.has(name)))
}

const withoutCreate = ['list', 'read', 'replace', 'update', 'delete']

/** A record that cannot be whole is not offered to be created. */
function resourceOf(
  { table, identity, isCounted }: NounTable,
  names: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, FieldPlan>,
  note: (note: Note) => void,
): object {
  const isDeclared = (column: string) => fields.has(names.get(column) ?? '')
  const missing = table.columns.filter(
    ({ name, isRequired, isGenerated, isCounted, default: value }) =>
      name !== identity && isRequired && !isGenerated && !isCounted && value === null && !isDeclared(name),
  )
  for (const { name } of missing) {
    const remedy = `alter table "${table.name}" alter "${name}" set default …, or drop not null`
    const text = `No record can be created: ${name} must have a value, and is left out. ${remedy}`
    note({ place: table.name, text: `${text}; then leave offers out of the resource.` })
  }
  if (!isCounted) {
    const remedy = `alter table "${table.name}" alter "${identity}" add generated by default as identity`
    note({ place: table.name, text: `No record can be created: nothing counts up ${identity}. ${remedy}` })
  }
  const by = [...fields].filter(([, plan]) => isLookup(plan)).map(([name]) => name)
  return {
    ...(by.length > 0 && { by }),
    ...((missing.length > 0 || !isCounted) && { offers: withoutCreate }),
  }
}

/** A text by which a record can be looked up. */
function isLookup([kind, ...modifiers]: FieldPlan): boolean {
  return kind.name === 'text' && modifiers.some(({ name }) => name === 'unique')
}
