/** Checks of existing records before a start changes the schema. */
import type { Change, ChangeKind } from '../change/change.ts'
import { migrationOf } from '../migration.ts'
import type { FieldSchema, NounSchema, Schema } from '../schema/schema.ts'

/** The changes and the schema that existing records are checked against. */
export interface CheckedMigration {
  readonly changes: readonly Change[]
  readonly schema: Schema
}

const checkedKinds: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'add-field',
  'require-field',
  'drop-choice',
  'add-unique',
  'retype-field',
  'retype-link',
  'share-link',
])

/** Fields that versions with other rules use are not checked: those versions may write such values at any time. */
export function checkedExpansion(before: Schema, declared: Schema): CheckedMigration {
  const nouns = declared.nouns.map((noun) => {
    const old = before.nouns.find(({ name }) => name === noun.name)
    return old ? withMergedRules(old, noun) : noun
  })
  const schema = { ...declared, nouns }
  return { changes: migrationOf(before, schema).filter(({ kind }) => checkedKinds.has(kind)), schema }
}

function withMergedRules(old: NounSchema, noun: NounSchema): NounSchema {
  const fields = noun.fields.map((field): FieldSchema => {
    const oldField = old.fields.find(({ name, hasMergedRules }) => hasMergedRules && name === field.name)
    if (!oldField) return field
    const choices = field.choices && [...new Set([...field.choices, ...(oldField.choices ?? [])])]
    return { ...field, nullable: true, ...(choices && { choices }) }
  })
  return { ...noun, fields }
}
