/** The kinds of field that a noun is declared with. */
import { type Field, type FieldSpec, field, type Reference } from './field.ts'

export interface TextLimits {
  readonly minLength?: number
  readonly maxLength?: number
}

export interface Range<Bound> {
  readonly min?: Bound
  readonly max?: Bound
}

/**
 * The field that tells one record from all others; given by the server and never used again.
 * An integer that counts up from 1, or `identity('guid')`.
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

/** A whole number within ±(2^53 - 1): `integer({ min: 0 })`. */
export function integer(range: Range<number> = {}): Field<number> {
  return field({ kind: 'integer', ...range })
}

/** A number with a fraction, held as a double. For money use `decimal`. */
export function number(range: Range<number> = {}): Field<number> {
  return field({ kind: 'number', ...range })
}

/** An exact number, a string on the wire: `decimal({ precision: 12, scale: 2 })` holds `"1499.90"`. */
export function decimal(
  limits: Range<string> & { readonly precision?: number; readonly scale: number },
): Field<string> {
  return field({ kind: 'decimal', precision: 18, ...limits })
}

/** A string; lengths count characters (code points): `text({ maxLength: 80 })`. */
export function text(limits: TextLimits = {}): Field<string> {
  return field({ kind: 'text', ...limits })
}

/** An e-mail address. When unique, it is so without regard to ASCII case. */
export function email(): Field<string> {
  return field({ kind: 'email', maxLength: 254 })
}

/** An absolute http or https address. */
export function url(limits: TextLimits = {}): Field<string> {
  return field({ kind: 'url', ...limits })
}

/** A guid given by the client, in lower case on the wire. */
export function guid(): Field<string> {
  return field({ kind: 'guid' })
}

/** true or false. */
export function flag(): Field<boolean> {
  return field({ kind: 'flag' })
}

/**
 * One of a few words: `choice('ACTIVE', 'SUSPENDED')`. With transitions, each word names those that may follow it:
 * `choice({ DRAFT: ['SENT'], SENT: ['PAID'], PAID: [] })`.
 */
export function choice<const Choices extends readonly string[]>(...choices: Choices): Field<Choices[number]>
export function choice<const Choice extends string>(
  transitions: {
    readonly [From in Choice]: readonly NoInfer<Choice>[]
  },
): Field<Choice>
export function choice(...given: readonly (string | FieldSpec['transitions'])[]) {
  const [transitions] = given
  if (typeof transitions === 'object')
    return field<never>({ kind: 'choice', choices: Object.keys(transitions), transitions })
  return field<never>({ kind: 'choice', choices: given as string[] })
}

/** A day without time: `2026-11-15`. */
export function date(range: Range<string> = {}): Field<string> {
  return field({ kind: 'date', ...range })
}

/** A moment in UTC, in milliseconds: `2026-11-15T03:29:00.000Z`. Taken with any offset, answered in UTC. */
export function timestamp(range: Range<string> = {}): Field<string> {
  return field({ kind: 'timestamp', ...range })
}

/** A noun itself would be read before it is declared, so its function is asked for. */
type FunctionOnly<Target> = Target extends { readonly fields: unknown; readonly name: infer Name extends string }
  ? `write reference(() => ${Name})`
  : unknown

/**
 * The identity of a record of another noun, or of the same: `reference(() => department)`.
 * The function lets two nouns point at each other, and a noun at itself.
 */
export function reference<const Target extends object>(target: Target & FunctionOnly<Target>): Reference<Target> {
  return field({ kind: 'reference', target })
}

/** The moment at which the record was created. */
export function createdAt(): Field<string, 'managed'> {
  return field({ kind: 'timestamp', managed: 'created-at' })
}

/** The moment of the record's last change; that of its creation at first. */
export function updatedAt(): Field<string, 'managed'> {
  return field({ kind: 'timestamp', managed: 'updated-at' })
}

/** Who created the record: a user, or null where nobody was signed in. */
export function createdBy<const Target extends object>(target: Target): Reference<Target, 'managed' | 'nullable'> {
  return field({ kind: 'reference', target, managed: 'created-by', nullable: true, clearedOnDelete: true })
}

/** Who changed the record last: a user, or null where nobody was signed in. */
export function updatedBy<const Target extends object>(target: Target): Reference<Target, 'managed' | 'nullable'> {
  return field({ kind: 'reference', target, managed: 'updated-by', nullable: true, clearedOnDelete: true })
}
