/** Checks of table and column names. */
import { DeclarationError } from '../declaration/error.ts'
import type { AnyField } from '../field/field.ts'
import { isStorable } from '../field/read-value.ts'

/** PostgreSQL truncates longer identifiers. */
const maxBytes = 63

/** The column for optimistic locking that every table has. */
const version = '_version'

/** Not a valid field name. */
const versionHolder = 'the version'

/** Prefixes of table names that a service cannot use, with their owners. */
const reservedPrefixes = [
  ['_', 'Nomen'],
  ['pg_', 'PostgreSQL'],
  ['sqlite_', 'SQLite'],
] as const

/** Checks that both databases accept a name unchanged. */
export function checkStoredName(subject: string, what: 'table' | 'column', name: unknown): void {
  if (typeof name !== 'string' || name.trim() === '' || !isStorable(name)) {
    const rule = `the ${what} name must be a non-empty string that SQLite and PostgreSQL can store, not ${JSON.stringify(name)}.`
    throw new DeclarationError(subject, rule, `use the name of the ${what} in the database, or remove the option.`)
  }
  const { length } = new TextEncoder().encode(name)
  if (length > maxBytes) {
    const rule = `the name of the ${what} has ${length} bytes; the maximum is ${maxBytes}.`
    throw new DeclarationError(subject, rule, 'use a shorter name.')
  }
  // In PostgreSQL, $$ would end the body of a trigger function, even inside a quoted identifier.
  if (name.includes('$$')) {
    const rule = `the name of the ${what}, "${name}", must not contain "$$".`
    throw new DeclarationError(
      subject,
      rule,
      `use a name without "$$". Rename an existing ${what} in the database first.`,
    )
  }
  if (what === 'column') return
  for (const [prefix, owner] of reservedPrefixes) {
    if (!name.toLowerCase().startsWith(prefix)) continue
    const rule = `the table "${name}" begins with "${prefix}", which ${owner} reserves.`
    throw new DeclarationError(subject, rule, 'use another name.')
  }
}

/** Checks that each field has its own column, and none the version column. Databases compare names case-insensitively. */
export function checkColumns(subject: string, fields: { readonly [name: string]: AnyField }): void {
  const holders = new Map([[version, versionHolder]])
  for (const [name, field] of Object.entries(fields)) {
    const { column } = field.spec
    if (column !== undefined) checkStoredName(`${subject}, field "${name}"`, 'column', column)
    const stored = (column ?? name).toLowerCase()
    const holder = holders.get(stored)
    // The store reports two fields without column() whose names differ only in case.
    const isMapped = column !== undefined || (holder !== undefined && fields[holder]?.spec.column !== undefined)
    if (holder !== undefined && isMapped) {
      const reason =
        holder === versionHolder
          ? 'is reserved: Nomen stores the version of each record there'
          : `is already used for the field "${holder}"`
      const rule = `the column "${column ?? name}" ${reason}.`
      throw new DeclarationError(`${subject}, field "${name}"`, rule, 'use another column name.')
    }
    holders.set(stored, name)
  }
}
