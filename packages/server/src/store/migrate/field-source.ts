/** Where each field of a changed noun takes its values from, for the records that are there already. */
import { formOf } from './convert.ts'
import { keptFieldNames } from './field-renames.ts'
import { type FieldSchema, fieldOf, type NounSchema } from './schema.ts'

export type FieldSource =
  /** A field of the noun as it was, and the forms that its values are carried through. */
  | { readonly kind: 'field'; readonly path: readonly [FieldSchema, FieldSchema, ...FieldSchema[]] }
  /** The default of a field: its own, or that of the field that it takes its default from. */
  | { readonly kind: 'default'; readonly of: FieldSchema }
  | { readonly kind: 'nothing' }

const nothing: FieldSource = { kind: 'nothing' }

/** The source of every field: what it was before, else its default, else nothing. */
export function fieldSources(before: NounSchema, after: NounSchema): ReadonlyMap<string, FieldSource> {
  const kept = keptFieldNames(before, after)
  return new Map(after.fields.map((field) => [field.name, sourceOf(field, before, after, kept)]))
}

function sourceOf(
  field: FieldSchema,
  before: NounSchema,
  after: NounSchema,
  kept: ReadonlyMap<string, string>,
): FieldSource {
  const from = kept.get(field.name)
  if (from !== undefined) return { kind: 'field', path: [fieldOf(before, from), field] }
  if (field.default !== undefined) return field.default === null ? nothing : { kind: 'default', of: field }
  if (field.defaultFrom === undefined) return nothing
  const other = fieldOf(after, field.defaultFrom)
  const source = sourceOf(other, before, after, kept)
  if (source.kind === 'field') return { kind: 'field', path: [...source.path, field] }
  return formOf(other) === formOf(field) ? source : nothing
}
