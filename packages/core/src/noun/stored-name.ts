/** Checks of table and column names. */
import { DeclarationError } from '../declaration/error.ts'
import { isStorable } from '../field/read-value.ts'
import type { Fields } from './noun-option.ts'

/** PostgreSQL truncates longer identifiers. */
const maxBytes = 63

/** The column for optimistic locking that every table has. */
const versionColumn = '_version'

/** Stands for a field in the map of column owners. No field can have this name. */
const versionOwner = 'the version'

/** Prefixes of table names that a service cannot use, with their owners. */
const reservedPrefixes = [
  ['_', 'Nomen'],
  ['pg_', 'PostgreSQL'],
  ['sqlite_', 'SQLite'],
] as const

/** Checks that both databases accept a name unchanged. */
export function checkStoredName(subject: string, kind: 'table' | 'column', name: unknown): void {
  if (typeof name !== 'string' || name.trim() === '' || !isStorable(name)) {
    const mistake = `the ${kind} name must be a non-empty string that SQLite and PostgreSQL can store, not ${JSON.stringify(name)}.`
    throw new DeclarationError(subject, mistake, `use the name of the ${kind} in the database, or remove the option.`)
  }
  const { length } = new TextEncoder().encode(name)
  if (length > maxBytes) {
    const mistake = `the name of the ${kind} has ${length} bytes; the maximum is ${maxBytes}.`
    throw new DeclarationError(subject, mistake, 'use a shorter name.')
  }
  // In PostgreSQL, $$ would end the body of a trigger function, even inside a quoted identifier.
  if (name.includes('$$')) {
    const mistake = `the name of the ${kind}, "${name}", must not contain "$$".`
    throw new DeclarationError(
      subject,
      mistake,
      `use a name without "$$". Rename an existing ${kind} in the database first.`,
    )
  }
  if (kind === 'column') return
  for (const [prefix, owner] of reservedPrefixes) {
    if (!name.toLowerCase().startsWith(prefix)) continue
    const mistake = `the table "${name}" begins with "${prefix}", which ${owner} reserves.`
    throw new DeclarationError(subject, mistake, 'use another name.')
  }
}

/** Checks that no two fields share a column, and that none uses the version column. Databases ignore the case of names. */
export function checkColumns(subject: string, fields: Fields): void {
  const ownerByColumn = new Map([[versionColumn, versionOwner]])
  for (const [name, field] of Object.entries(fields)) {
    const { column } = field.spec
    if (column !== undefined) checkStoredName(`${subject}, field "${name}"`, 'column', column)
    const columnKey = (column ?? name).toLowerCase()
    const columnOwner = ownerByColumn.get(columnKey)
    // The store reports two fields without column() whose names differ only in case.
    const isMapped =
      column !== undefined || (columnOwner !== undefined && fields[columnOwner]?.spec.column !== undefined)
    if (columnOwner !== undefined && isMapped) {
      const reason =
        columnOwner === versionOwner
          ? 'is reserved: Nomen stores the version of each record there'
          : `is already used for the field "${columnOwner}"`
      const mistake = `the column "${column ?? name}" ${reason}.`
      throw new DeclarationError(`${subject}, field "${name}"`, mistake, 'use another column name.')
    }
    ownerByColumn.set(columnKey, name)
  }
}
