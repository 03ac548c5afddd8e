/** Decides how the database keeps a field that is no longer declared. */
import type { Change } from '../change/change.ts'
import { type FieldSchema, type NounSchema, nounOf, type Schema } from '../schema/schema.ts'

/** Whether records can be created without the dropped field: it is nullable, or its column can have a default. */
export function isKeepable(before: Schema, { subject, field: name }: Change): boolean {
  const noun = nounOf(before, subject)
  const field = noun.fields.find((candidate) => candidate.name === name)
  if (!field || field.kind === 'identity') return false
  return field.nullable === true || field.databaseDefault === true || hasUsableDefault(noun, field)
}

export function keptField(noun: NounSchema, field: FieldSchema): FieldSchema {
  return field.nullable || !hasUsableDefault(noun, field) ? field : { ...field, columnDefault: true }
}

/** Whether several records may have the default of a field. */
export function hasUsableDefault({ unique }: NounSchema, field: FieldSchema): boolean {
  const { name, default: value = null, databaseDefault } = field
  return value !== null && !databaseDefault && !unique.some((set) => set.includes(name))
}
