/** The functions that declare the fields of a noun, one for each field type. */
import { type Field, type FieldSpec, field, type Reference } from './field.ts'
import type { DecimalLimits, Range, TextLimits, TextOptions } from './limits.ts'

/**
 * Declares the primary key (ID) of a noun: an integer that counts up from 1, or a GUID (UUID). The server assigns it and
 * never reuses it. Every noun needs exactly one.
 *
 * @example
 * ```ts
 * noun('department', { id: identity(), name: text() })
 * noun('document', { key: identity('guid'), title: text() })
 * ```
 */
export function identity(): Field<number, 'identity' | 'managed'>
export function identity(kind: 'guid'): Field<string, 'identity' | 'managed'>
export function identity(kind?: 'guid') {
  return field<never, 'identity' | 'managed'>({
    kind: 'identity',
    managed: 'identity',
    ...(kind === 'guid' && { guid: true }),
  })
}

/**
 * Declares an integer field, within ±(2^53 - 1).
 *
 * @example
 * ```ts
 * noun('room', { id: identity(), seats: integer({ min: 0 }) })
 * ```
 */
export function integer(range: Range<number> = {}): Field<number> {
  return field({ kind: 'integer', ...range })
}

/**
 * Declares a floating-point number field, stored as a 64-bit double. For money, use `decimal`.
 *
 * @example
 * ```ts
 * noun('probe', { id: identity(), temperature: number({ min: -273.15 }) })
 * ```
 */
export function number(range: Range<number> = {}): Field<number> {
  return field({ kind: 'number', ...range })
}

/**
 * Declares an exact decimal field, for money and quantities. In JSON, its values are strings such as `"1499.90"`.
 *
 * @example
 * ```ts
 * noun('invoice', { id: identity(), total: decimal({ precision: 12, scale: 2 }) }) // "1499.90"
 * ```
 */
export function decimal(limits: DecimalLimits): Field<string> {
  return field({ kind: 'decimal', precision: 18, ...limits })
}

/**
 * Declares a text (string, varchar) field, optionally with length limits and a regular expression.
 *
 * @example
 * ```ts
 * noun('note', { id: identity(), title: text({ maxLength: 80 }), body: text().default('') })
 * noun('country', { id: identity(), code: text({ pattern: /^[A-Z]{2}$/ }).unique() })
 * noun('person', { id: identity(), lastName: text({ sort: 'de', search: 'accent-insensitive' }) }) // GET /person?sort=lastName
 * ```
 */
export function text(limits: TextOptions = {}): Field<string> {
  return field({ kind: 'text', ...limits })
}

/**
 * Declares an e-mail address field, of at most 254 characters. With `unique()`, it is compared case-insensitively (ASCII).
 *
 * @example
 * ```ts
 * noun('person', { id: identity(), email: email().unique() })
 * ```
 */
export function email(limits: Pick<TextLimits, 'maxLength'> = {}): Field<string> {
  return field({ kind: 'email', maxLength: 254, ...limits })
}

/**
 * Declares a URL field: an absolute http or https URL.
 *
 * @example
 * ```ts
 * noun('partner', { id: identity(), homepage: url().nullable() })
 * ```
 */
export function url(limits: TextLimits = {}): Field<string> {
  return field({ kind: 'url', ...limits })
}

/**
 * Declares a GUID (UUID) field that clients set. Values are stored in lower case. For a primary key, use
 * `identity('guid')`.
 *
 * @example
 * ```ts
 * noun('application', { id: identity(), guid: guid().unique() })
 * ```
 */
export function guid(): Field<string> {
  return field({ kind: 'guid' })
}

/**
 * Declares a boolean field: true or false.
 *
 * @example
 * ```ts
 * noun('department', { id: identity(), retired: boolean().default(false) })
 * ```
 */
export function boolean(): Field<boolean> {
  return field({ kind: 'boolean' })
}

/**
 * Declares an enum field: a string that is one of the named values.
 *
 * With an object, it is a state machine: each value lists the values that it may change to, and any other change gets 422.
 * A record can be created with any value. If the field is nullable, null is a state too: the key `null` lists what null
 * may become, and a value may become null only if its list has null.
 *
 * @example
 * ```ts
 * noun('member', { id: identity(), status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE') })
 * noun('invoice', { id: identity(), status: choice({ DRAFT: ['SENT'], SENT: ['PAID'], PAID: [] }) })
 * noun('ticket', { id: identity(), review: choice({ null: ['ASKED'], ASKED: ['DONE', null], DONE: [] }).nullable() })
 * ```
 */
export function choice<const Choices extends readonly string[]>(...choices: Choices): Field<Choices[number]>
export function choice<const Choice extends string>(
  transitions: {
    readonly [From in Choice]: readonly (NoInfer<Exclude<Choice, 'null'>> | null)[]
  },
): Field<Exclude<Choice, 'null'>>
export function choice(...options: readonly (string | FieldSpec['transitions'])[]) {
  const [transitions] = options
  if (typeof transitions === 'object' && transitions !== null)
    return field<never>({ kind: 'choice', choices: valuesOf(transitions), transitions })
  return field<never>({ kind: 'choice', choices: options as string[] })
}

function valuesOf(transitions: object): readonly string[] {
  return Object.keys(transitions).filter((value) => value !== 'null')
}

/**
 * Declares a date field without a time: `2026-11-15`.
 *
 * @example
 * ```ts
 * noun('employee', { id: identity(), hired: date({ min: '1990-01-01' }) })
 * ```
 */
export function date(range: Range<string> = {}): Field<string> {
  return field({ kind: 'date', ...range })
}

/**
 * Declares a timestamp (date and time) field with millisecond precision: `2026-11-15T03:29:00.000Z`. Requests may use any
 * UTC offset; responses use UTC.
 *
 * @example
 * ```ts
 * noun('meeting', { id: identity(), start: timestamp(), end: timestamp().nullable() })
 * ```
 */
export function timestamp(range: Range<string> = {}): Field<string> {
  return field({ kind: 'timestamp', ...range })
}

/** Rejects a noun in place of a function, which the compiler error names: the noun may not be initialized yet. */
type FunctionOnly<Target> = Target extends { readonly fields: unknown; readonly name: infer Name extends string }
  ? `write reference(() => ${Name})`
  : unknown

/**
 * Declares a reference (foreign key) to a record of another noun, or of the same noun. Pass a function that returns the
 * noun, so that nouns can refer to each other and to themselves. A reference to a missing record gets 422.
 *
 * @example
 * ```ts
 * const member = noun('member', {
 *   id: identity(),
 *   department: reference(() => department),
 *   supervisor: reference(() => member).nullable().clearedOnDelete(),
 * })
 * ```
 */
export function reference<const Target extends object>(target: Target & FunctionOnly<Target>): Reference<Target> {
  return field({ kind: 'reference', target })
}
