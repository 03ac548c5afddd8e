/** The changes to exactly the declared schema. Parts that are no longer declared are dropped. */
import type { Change } from '../change/change.ts'
import { previousFieldNames } from '../change/field-renames.ts'
import { MigrationError } from '../error.ts'
import { migrationOf } from '../migration.ts'
import { fieldOf, type NounSchema, type Schema } from '../schema/schema.ts'
import { expansionOf } from './expansion.ts'

/** Changes that a start makes for other versions, which a contraction does not need. */
const compatibilityChanges: ReadonlySet<Change['kind']> = new Set<Change['kind']>([
  'add-column-default',
  'add-derive-trigger',
  'merge-rules',
  'finish-table',
])

interface Contraction {
  readonly schema: Schema
  readonly changes: readonly Change[]
}

export function contractionOf(before: Schema | undefined, declared: Schema): Contraction {
  const nouns = declared.nouns.map((noun) => {
    const old = before?.nouns.find(({ name }) => name === noun.name)
    return old && !noun.adopted && !old.adopted ? withPreviousNames(old, noun) : noun
  })
  const schema = { ...declared, nouns }
  return { schema, changes: migrationOf(before, schema) }
}

/** Remembers renamed columns, so that a version with the previous name does not add an empty one. */
function withPreviousNames(old: NounSchema, noun: NounSchema): NounSchema {
  const previousNames = previousFieldNames(old, noun)
  const fields = noun.fields.map((field) => {
    const from = previousNames.get(field.name)
    const previousName = from === undefined || from !== field.name ? from : fieldOf(old, from).previousName
    return previousName === undefined ? field : { ...field, previousName }
  })
  return { ...noun, fields }
}

/** A contraction only drops. Everything that the declarations need must exist. */
export function rejectExpansion(before: Schema, declared: Schema): void {
  // Undeclared derived columns are dropped here, on both databases.
  const { changes, rejected } = expansionOf(before, declared, true)
  const missing = rejected.length > 0 ? rejected : changes.filter(({ kind }) => !compatibilityChanges.has(kind))
  if (missing.length === 0) return
  throw new MigrationError(
    'The database lacks tables, columns or indexes that the service declares. Nothing was changed.',
    [
      ...missing.map(({ sentence }) => `- ${sentence}`),
      rejected.length > 0
        ? 'Apply these changes with nomen migrate --apply, while no instance runs.'
        : 'Start the service, or run: nomen migrate --expand',
    ],
  )
}
