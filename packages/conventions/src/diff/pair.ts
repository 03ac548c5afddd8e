/** The old and the new shape of a value, and its use. */
import type { Code } from './code.ts'
import type { Schema, Shape } from './shape.ts'

export interface Pair {
  readonly old: Shape
  readonly next: Shape
  /** Whether it is the whole value, or an alternative of it, and not nested. */
  readonly isWhole: boolean
  /** Whether a missing value gets the default. */
  readonly mayBeOmitted: boolean
}

/** A pair to compare. */
export interface NextPair {
  readonly old: Schema
  readonly next: Schema
  /** The step to the pair: `.email`, `[]`; empty for an alternative of the same value. */
  readonly step: string
  readonly mayBeOmitted?: boolean
}

/** The direction of the value, and its operation. */
export interface Use {
  readonly kind: 'parameter' | 'request' | 'response'
  /** The name of the whole value in messages. */
  readonly name: string
  readonly method: string
  /** Whether the value is sent as a string. In a URL, the number 1 and the string 1 are the same. */
  readonly isText?: boolean
  /** The fields in the response of the operation, to distinguish immutable fields from unknown ones. */
  readonly responseFields?: { readonly old: ReadonlySet<string>; readonly next: ReadonlySet<string> }
}

type Effect =
  | 'retyped'
  | 'widened'
  | 'narrowed'
  | 'tightened'
  | 'loosened'
  | 'nullable'
  | 'not-nullable'
  | 'enum-value-added'
  | 'enum-value-removed'
  | 'deprecated'

/** The code of a change depends on the direction: a looser request is compatible, a looser response may break callers. */
const codes: Record<Use['kind'], Record<Effect, Code>> = {
  parameter: {
    retyped: 'parameter-retyped',
    widened: 'parameter-widened',
    narrowed: 'parameter-retyped',
    tightened: 'parameter-tightened',
    loosened: 'parameter-loosened',
    nullable: 'parameter-nullable',
    'not-nullable': 'parameter-not-nullable',
    'enum-value-added': 'parameter-enum-value-added',
    'enum-value-removed': 'parameter-enum-value-removed',
    deprecated: 'parameter-deprecated',
  },
  request: {
    retyped: 'request-field-retyped',
    widened: 'request-field-widened',
    narrowed: 'request-field-retyped',
    tightened: 'request-field-tightened',
    loosened: 'request-field-loosened',
    nullable: 'request-field-nullable',
    'not-nullable': 'request-field-not-nullable',
    'enum-value-added': 'request-enum-value-added',
    'enum-value-removed': 'request-enum-value-removed',
    deprecated: 'request-field-deprecated',
  },
  response: {
    retyped: 'response-field-retyped',
    widened: 'response-field-retyped',
    narrowed: 'response-field-narrowed',
    tightened: 'response-field-tightened',
    loosened: 'response-field-loosened',
    nullable: 'response-field-nullable',
    'not-nullable': 'response-field-not-nullable',
    'enum-value-added': 'response-enum-value-added',
    'enum-value-removed': 'response-enum-value-removed',
    deprecated: 'response-field-deprecated',
  },
}

export function codeOf(use: Use, effect: Effect): Code {
  return codes[use.kind][effect]
}
