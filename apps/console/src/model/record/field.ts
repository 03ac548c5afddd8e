/** The fields of a record: what kind of value each holds, and who may change it. */
import type { Shape } from '@nomen/core/openapi'
import type { Json } from '../service/openapi.ts'
import { title } from '../words.ts'

export type FieldKind =
  | 'text'
  | 'paragraph'
  | 'email'
  | 'url'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'date'
  | 'moment'
  | 'reference'
  | 'json'

export interface Field {
  readonly name: string
  readonly title: string
  readonly kind: FieldKind
  readonly isNullable: boolean
  readonly isRequired: boolean
  /** Only the service sets it. */
  readonly isReadOnly: boolean
  readonly isIdentity: boolean
  readonly isUnique: boolean
  readonly choices: readonly unknown[]
  /** The noun that it points at. */
  readonly reference: string | undefined
  /** A list shows these fields of the record that is pointed at, in place of its identity. */
  readonly labelFields: readonly string[] | undefined
  /** From each state, the states that may follow. */
  readonly transitions: { readonly [state: string]: readonly (string | null)[] } | undefined
  readonly hasDefault: boolean
  readonly default: unknown
  /** The property whose value it takes where none is given. */
  readonly defaultFrom: string | undefined
  readonly description: string | undefined
  /** It is a text that must not be empty. */
  readonly isFilled: boolean
  readonly isNumeric: boolean
}

/** The fields of a record's schema, in its order. */
export function fieldsOf({ properties }: Shape): readonly Field[] {
  return [...properties.values()].map(({ name, shape, isRequired }) => fieldOf(name, shape, isRequired))
}

/** What is known of a value. A shape says it all, and a type is enough for values without a schema. */
type Known = Pick<Shape, 'type' | 'schema'> & Partial<Pick<Shape, 'isNullable'>>

export function fieldOf(name: string, known: Known = { type: undefined, schema: {} }, isRequired = false): Field {
  const { type, isNullable = false, schema: raw } = known
  const choices = Array.isArray(raw.enum) ? raw.enum : 'const' in raw ? [raw.const] : []
  const reference = textIn(raw, 'x-nomen-reference')
  const label = raw['x-nomen-label']
  const kind = reference !== undefined && label === undefined ? 'reference' : kindOf(name, known)
  return {
    name,
    // `applicationRef` shows an application.
    title: title(reference === undefined ? name : name.replace(/(.)(Ref|Id)$/, '$1')),
    kind,
    isNullable,
    isRequired,
    isReadOnly: raw.readOnly === true,
    isIdentity: raw['x-nomen-identity'] === true,
    isUnique: raw['x-nomen-unique'] === true,
    choices: choices.filter((choice) => choice !== null),
    reference,
    labelFields: Array.isArray(label) ? label : undefined,
    transitions: raw['x-nomen-transitions'] as Field['transitions'],
    hasDefault: 'default' in raw || textIn(raw, 'x-nomen-default-from') !== undefined,
    default: raw.default,
    defaultFrom: textIn(raw, 'x-nomen-default-from'),
    description: textIn(raw, 'description'),
    isFilled: Number(raw.minLength ?? 0) > 0,
    isNumeric: type === 'integer' || type === 'number',
  }
}

function textIn(raw: Json, name: string): string | undefined {
  const value = raw[name]
  return typeof value === 'string' ? value : undefined
}

/** Names that mostly hold more than a line. */
const long = /^(description|notes?|comments?|remarks?|body|content|summary|about|biography)$/i

function kindOf(name: string, { type, schema }: Known): FieldKind {
  const { format, maxLength } = schema
  if ((Array.isArray(schema.enum) && schema.enum.some((value) => value !== null)) || (schema.const ?? null) !== null)
    return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return type
  if (type !== 'string') return type === undefined ? 'text' : 'json'
  if (format === 'date') return 'date'
  if (format === 'date-time') return 'moment'
  if (format === 'email') return 'email'
  if (format === 'uri' || format === 'url') return 'url'
  return long.test(name) || Number(maxLength ?? 0) > 255 ? 'paragraph' : 'text'
}
