/** The source of each field's value for existing records when a noun changes. */

import { previousFieldNames } from './change/field-renames.ts'
import { formOf } from './convert.ts'
import { type FieldSchema, fieldOf, type NounSchema } from './schema/schema.ts'

export type FieldSource =
  /** A field of the old noun, and the forms that its values are converted through. */
  | { readonly kind: 'field'; readonly path: readonly [FieldSchema, FieldSchema, ...FieldSchema[]] }
  /** The default of a field: its own, or that of the field in `defaultFrom`. */
  | { readonly kind: 'default'; readonly field: FieldSchema }
  | { readonly kind: 'nothing' }

const nothing: FieldSource = { kind: 'nothing' }

/** The source of every field: its old values, otherwise its default, otherwise nothing. */
export function fieldSources(before: NounSchema, after: NounSchema): ReadonlyMap<string, FieldSource> {
  const previousNames = previousFieldNames(before, after)
  return new Map(after.fields.map((field) => [field.name, sourceOf(field, before, after, previousNames)]))
}

function sourceOf(
  field: FieldSchema,
  before: NounSchema,
  after: NounSchema,
  previousNames: ReadonlyMap<string, string>,
): FieldSource {
  const from = previousNames.get(field.name)
  if (from !== undefined) return { kind: 'field', path: [fieldOf(before, from), field] }
  if (field.default !== undefined) return field.default === null ? nothing : { kind: 'default', field }
  if (field.defaultFrom === undefined) return nothing
  const sourceField = fieldOf(after, field.defaultFrom)
  const source = sourceOf(sourceField, before, after, previousNames)
  if (source.kind === 'field') return { kind: 'field', path: [...source.path, field] }
  return formOf(sourceField) === formOf(field) ? source : nothing
}
