/** The kinds of field that a noun is declared with. */
import { type Field, type FieldSpec, field, type Reference } from './field.ts'

export interface TextLimits {
  /** `text({ minLength: 1 })` takes no empty text. */
  readonly minLength?: number
  /** `text({ maxLength: 80 })` takes 80 characters at most. */
  readonly maxLength?: number
}

export interface Range<Bound> {
  /** The least that is taken: `integer({ min: 0 })`. */
  readonly min?: Bound
  /** The most that is taken: `date({ max: '2099-12-31' })`. */
  readonly max?: Bound
}

/**
 * The field that tells one record from all others; given by the server and never used again: an integer that counts up
 * from 1, or a guid.
 *
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
 * A whole number within ±(2^53 - 1).
 *
 * ```ts
 * noun('room', { id: identity(), seats: integer({ min: 0 }) })
 * ```
 */
export function integer(range: Range<number> = {}): Field<number> {
  return field({ kind: 'integer', ...range })
}

/**
 * A number with a fraction, held as a double. For money use `decimal`.
 *
 * ```ts
 * noun('probe', { id: identity(), temperature: number({ min: -273.15 }) })
 * ```
 */
export function number(range: Range<number> = {}): Field<number> {
  return field({ kind: 'number', ...range })
}

/**
 * An exact number, a string on the wire; 18 digits in all where no precision is given.
 *
 * ```ts
 * noun('invoice', { id: identity(), total: decimal({ precision: 12, scale: 2 }) }) // "1499.90"
 * ```
 */
export function decimal(
  limits: Range<string> & { readonly precision?: number; readonly scale: number },
): Field<string> {
  return field({ kind: 'decimal', precision: 18, ...limits })
}

/**
 * A string; lengths count characters (code points).
 *
 * ```ts
 * noun('note', { id: identity(), title: text({ maxLength: 80 }), body: text().default('') })
 * ```
 */
export function text(limits: TextLimits = {}): Field<string> {
  return field({ kind: 'text', ...limits })
}

/**
 * An e-mail address. When unique, it is so without regard to ASCII case.
 *
 * ```ts
 * noun('person', { id: identity(), email: email().unique() })
 * ```
 */
export function email(): Field<string> {
  return field({ kind: 'email', maxLength: 254 })
}

/**
 * An absolute http or https address.
 *
 * ```ts
 * noun('partner', { id: identity(), homepage: url().nullable() })
 * ```
 */
export function url(limits: TextLimits = {}): Field<string> {
  return field({ kind: 'url', ...limits })
}

/**
 * A guid given by the client, in lower case on the wire.
 *
 * ```ts
 * noun('application', { id: identity(), guid: guid().unique() })
 * ```
 */
export function guid(): Field<string> {
  return field({ kind: 'guid' })
}

/**
 * true or false.
 *
 * ```ts
 * noun('department', { id: identity(), retired: boolean().default(false) })
 * ```
 */
export function boolean(): Field<boolean> {
  return field({ kind: 'boolean' })
}

/**
 * One of a few words. With transitions, each word names those that may follow it. A record is created with any of them.
 * If the field is nullable, null is a state too: the key `null` says what null may become, and a word becomes null
 * only if its list names null.
 *
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
export function choice(...given: readonly (string | FieldSpec['transitions'])[]) {
  const [transitions] = given
  if (typeof transitions === 'object')
    return field<never>({ kind: 'choice', choices: wordsIn(transitions), transitions })
  return field<never>({ kind: 'choice', choices: given as string[] })
}

function wordsIn(transitions: object): readonly string[] {
  return Object.keys(transitions).filter((word) => word !== 'null')
}

/**
 * A day without time: `2026-11-15`.
 *
 * ```ts
 * noun('employee', { id: identity(), hired: date({ min: '1990-01-01' }) })
 * ```
 */
export function date(range: Range<string> = {}): Field<string> {
  return field({ kind: 'date', ...range })
}

/**
 * A moment in UTC, in milliseconds: `2026-11-15T03:29:00.000Z`. Taken with any offset, answered in UTC.
 *
 * ```ts
 * noun('meeting', { id: identity(), start: timestamp(), end: timestamp().nullable() })
 * ```
 */
export function timestamp(range: Range<string> = {}): Field<string> {
  return field({ kind: 'timestamp', ...range })
}

/** A noun itself would be read before it is declared, so its function is asked for. */
type FunctionOnly<Target> = Target extends { readonly fields: unknown; readonly name: infer Name extends string }
  ? `write reference(() => ${Name})`
  : unknown

/**
 * The identity of a record of another noun, or of the same. The function lets two nouns point at each other, and a noun at
 * itself.
 *
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

/**
 * The moment at which the record was created.
 *
 * ```ts
 * noun('note', { id: identity(), title: text(), created: createdAt() })
 * ```
 */
export function createdAt(): Field<string, 'managed'> {
  return field({ kind: 'timestamp', managed: 'created-at' })
}

/**
 * The moment of the record's last change; that of its creation at first.
 *
 * ```ts
 * noun('note', { id: identity(), title: text(), lastUpdated: updatedAt() })
 * ```
 */
export function updatedAt(): Field<string, 'managed'> {
  return field({ kind: 'timestamp', managed: 'updated-at' })
}

/**
 * Who created the record: a user, or null where nobody was signed in.
 *
 * ```ts
 * noun('note', { id: identity(), title: text(), createdBy: createdBy(() => user) })
 * ```
 */
export function createdBy<const Target extends object>(target: Target): Reference<Target, 'managed' | 'nullable'> {
  return field({ kind: 'reference', target, managed: 'created-by', nullable: true, clearedOnDelete: true })
}

/**
 * Who changed the record last: a user, or null where nobody was signed in.
 *
 * ```ts
 * noun('note', { id: identity(), title: text(), updatedBy: updatedBy(() => user) })
 * ```
 */
export function updatedBy<const Target extends object>(target: Target): Reference<Target, 'managed' | 'nullable'> {
  return field({ kind: 'reference', target, managed: 'updated-by', nullable: true, clearedOnDelete: true })
}
