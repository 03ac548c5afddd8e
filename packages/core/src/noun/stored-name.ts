/** The names under which a database keeps nouns, fields and links, where these are not their own. */
import { DeclarationError } from '../declaration/error.ts'
import type { AnyField } from '../field/field.ts'
import { isStorable } from '../field/read-value.ts'

/** PostgreSQL keeps so many bytes of a name. */
const longest = 63

/** The column in which every table counts the changes of a record. */
const version = '_version'

/** How the names of tables begin that are not a service's. */
const reserved = [
  ['_', "Nomen's"],
  ['pg_', "PostgreSQL's"],
  ['sqlite_', "SQLite's"],
] as const

/** A name that a database can keep as it is. */
export function checkStoredName(subject: string, what: 'table' | 'column', name: unknown): void {
  if (typeof name !== 'string' || name.trim() === '' || !isStorable(name)) {
    const rule = `its ${what} is ${JSON.stringify(name)}.`
    throw new DeclarationError(subject, rule, `name the ${what} as the database does, or leave it out.`)
  }
  const { length } = new TextEncoder().encode(name)
  if (length > longest) {
    const rule = `the name of its ${what} has ${length} bytes.`
    throw new DeclarationError(subject, rule, `shorten it: a database keeps ${longest} of them.`)
  }
  // It ends the body of a function in PostgreSQL, whatever stands around it.
  if (name.includes('$$')) {
    const rule = `the name of its ${what}, "${name}", has "$$" in it.`
    throw new DeclarationError(subject, rule, `rename the ${what} in the database.`)
  }
  if (what === 'column') return
  for (const [beginning, whose] of reserved) {
    if (!name.toLowerCase().startsWith(beginning)) continue
    const fix = `choose another name: tables of that form are ${whose} own.`
    throw new DeclarationError(subject, `its table "${name}" begins with "${beginning}".`, fix)
  }
}

/** No two fields in one column, and none in one of Nomen's own. Databases do not see case. */
export function checkColumns(subject: string, fields: { readonly [name: string]: AnyField }): void {
  const holders = new Map([[version, 'the version']])
  for (const [name, field] of Object.entries(fields)) {
    const { column } = field.spec
    if (column !== undefined) checkStoredName(`${subject}, field "${name}"`, 'column', column)
    const stored = (column ?? name).toLowerCase()
    const holder = holders.get(stored)
    // Of two fields of their own names that differ in case alone, the store tells.
    const isMapped = column !== undefined || (holder !== undefined && fields[holder]?.spec.column !== undefined)
    if (holder !== undefined && isMapped) {
      const rule = `its column "${column ?? name}" holds ${holder === 'the version' ? holder : `"${holder}"`} already.`
      throw new DeclarationError(`${subject}, field "${name}"`, rule, 'give each field a column of its own.')
    }
    holders.set(stored, name)
  }
}
