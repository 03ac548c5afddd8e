/** The names under which a database keeps nouns, fields and links, where these are not their own. */
import { DeclarationError } from './declaration-error.ts'
import type { AnyField } from './field/field.ts'

/** PostgreSQL keeps so many bytes of a name. */
const longest = 63

/** The column in which every table counts the changes of a record. */
const version = '_version'

/** A name that a database can keep as it is. */
export function checkStoredName(subject: string, what: 'table' | 'column', name: unknown): void {
  const refuse = (rule: string, mend: string) => {
    throw new DeclarationError(subject, rule, mend)
  }
  const isName = typeof name === 'string' && name.trim() !== '' && name.isWellFormed() && !name.includes('\u0000')
  if (!isName)
    return refuse(`its ${what} is ${JSON.stringify(name)}.`, `name the ${what} as the database does, or leave it out.`)
  const { length } = new TextEncoder().encode(name)
  if (length > longest)
    refuse(`its ${what} has a name of ${length} bytes.`, `a database keeps ${longest} of them: shorten it.`)
  if (what === 'table' && name.startsWith('_'))
    refuse(`its table "${name}" begins with "_".`, 'tables of that form belong to Nomen: choose another name.')
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
