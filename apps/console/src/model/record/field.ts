/** The fields of a record: the kind of each value, and its constraints. */
import type { Shape } from '@nomen/core/openapi'
import type { Json } from '../service/openapi.ts'
import { title } from '../title.ts'

export type FieldKind =
  | 'text'
  | 'paragraph'
  | 'email'
  | 'url'
  | 'color'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'choice'
  | 'date'
  | 'timestamp'
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
  /** A list shows these fields of the referenced record instead of its ID. */
  readonly labelFields: readonly string[] | undefined
  /** From each state, the states that may follow. */
  readonly transitions: { readonly [state: string]: readonly (string | null)[] } | undefined
  readonly hasDefault: boolean
  readonly default: unknown
  /** The field whose value is its default. */
  readonly defaultFrom: string | undefined
  readonly description: string | undefined
  /** The descriptions of the choices, by value. */
  readonly choiceDescriptions: ReadonlyMap<string, string>
  readonly example: unknown
  /** The regular expression that a text must match. */
  readonly pattern: string | undefined
  readonly minLength: number
  readonly maxLength: number
  /** The limits of a number (also as text, for exact decimals), a date or a time. */
  readonly minimum: number | string | undefined
  readonly maximum: number | string | undefined
  /** The scope without which a caller neither reads nor writes the field. */
  readonly scope: string | undefined
  /** It is a text that must not be empty. */
  readonly requiresText: boolean
  readonly isNumeric: boolean
}

/** The fields of a record's schema, in its order. */
export function fieldsOf({ properties }: Shape): readonly Field[] {
  return [...properties.values()].map(({ name, shape, isRequired }) => fieldOf(name, shape, isRequired))
}

/** The known facts about a value. Without a schema, only the type may be known. */
type KnownSchema = Pick<Shape, 'type' | 'schema'> &
  Partial<Pick<Shape, 'isNullable' | 'description' | 'example' | 'valueDescriptions'>>

export function fieldOf(name: string, known: KnownSchema = { type: undefined, schema: {} }, isRequired = false): Field {
  const { type, isNullable = false, schema: raw } = known
  const choices = Array.isArray(raw.enum) ? raw.enum : 'const' in raw ? [raw.const] : []
  const reference = textIn(raw, 'x-nomen-reference')
  const label = raw['x-nomen-label']
  const kind = reference !== undefined && label === undefined ? 'reference' : kindOf(name, known)
  return {
    name,
    title: titleOf(kind === 'boolean' ? withoutIs(name) : name, raw, reference),
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
    description: known.description,
    choiceDescriptions: known.valueDescriptions ?? new Map(),
    example: known.example,
    pattern: textIn(raw, 'pattern'),
    minLength: Number(raw.minLength ?? 0),
    maxLength: Number(raw.maxLength ?? Number.POSITIVE_INFINITY),
    minimum: limitIn(raw, 'minimum'),
    maximum: limitIn(raw, 'maximum'),
    scope: textIn(raw, 'x-nomen-scope'),
    requiresText: Number(raw.minLength ?? 0) > 0 || !allowsEmpty(textIn(raw, 'pattern')),
    isNumeric: type === 'integer' || type === 'number',
  }
}

/** Whether a form cannot be saved without a value. A text may be empty unless its minimum length or its pattern forbids it. */
export function isMandatory({ kind, isRequired, isNullable, hasDefault, requiresText }: Field): boolean {
  const mayBeEmpty = (kind === 'text' || kind === 'paragraph') && !requiresText
  return isRequired && !isNullable && !hasDefault && !mayBeEmpty
}

/** Only the service can check a pattern that JavaScript does not know. */
function allowsEmpty(pattern: string | undefined): boolean {
  try {
    return pattern === undefined || new RegExp(pattern, 'u').test('')
  } catch {
    return true
  }
}

/** The title of the identity is "ID", whatever its name. A reference such as `applicationRef` has the title "Application". */
function titleOf(name: string, raw: Json, reference: string | undefined): string {
  if (raw['x-nomen-identity'] === true) return title('id')
  return title(reference === undefined ? name : name.replace(/(.)(Ref|Id)$/, '$1'))
}

/** `isActive` gives `active`, so that the title is "Active". */
function withoutIs(name: string): string {
  return name.replace(/^is(?:[-_]|(?=[A-Z]))(?=.)/, '')
}

function textIn(raw: Json, name: string): string | undefined {
  const value = raw[name]
  return typeof value === 'string' ? value : undefined
}

/** JSON Schema has limits of numbers only; those of dates, times and decimals are extensions. */
function limitIn(raw: Json, name: 'minimum' | 'maximum'): number | string | undefined {
  const limit = raw[name] ?? raw[`x-nomen-${name}`]
  return typeof limit === 'number' || typeof limit === 'string' ? limit : undefined
}

/** Names of fields that usually have several lines. */
const long = /^(description|notes?|comments?|remarks?|body|content|summary|about|biography)$/i

function kindOf(name: string, { type, schema }: KnownSchema): FieldKind {
  const { format, maxLength } = schema
  if ((Array.isArray(schema.enum) && schema.enum.some((value) => value !== null)) || (schema.const ?? null) !== null)
    return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return type
  if (type !== 'string') return type === undefined ? 'text' : 'json'
  if (format === 'date') return 'date'
  if (format === 'date-time') return 'timestamp'
  if (format === 'decimal') return 'decimal'
  if (format === 'email') return 'email'
  if (format === 'color' || textIn(schema, 'pattern')?.startsWith('^#')) return 'color'
  if (format === 'uri' || format === 'url') return 'url'
  return long.test(name) || Number(maxLength ?? 0) > 255 ? 'paragraph' : 'text'
}
