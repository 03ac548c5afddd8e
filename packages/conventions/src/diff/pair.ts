/** Two shapes of the same value, old and new, and what the value is for. */
import type { Code } from './code.ts'
import type { Schema, Shape } from './shape.ts'

export interface Pair {
  readonly old: Shape
  readonly next: Shape
  /** It is the whole value, or a form of it, and not something within. */
  readonly isWhole: boolean
  /** Leaving it out means its default. */
  readonly mayBeOmitted: boolean
}

/** A pair that is still to be compared. */
export interface NextPair {
  readonly old: Schema
  readonly next: Schema
  /** How it is reached: `.email`, `[]`; empty for another form of the same value. */
  readonly step: string
  readonly mayBeOmitted?: boolean
}

/** Who sends the value, and what is known of the operation. */
export interface Use {
  readonly kind: 'parameter' | 'request' | 'response'
  /** What the value as a whole is called. */
  readonly name: string
  readonly method: string
  /** The fields of the record that the operation answers with, by which static fields are told from unknown ones. */
  readonly answered?: { readonly old: ReadonlySet<string>; readonly next: ReadonlySet<string> }
}

type Happening =
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

/** The same happening has one code where it is sent and another where it is received: what loosens one breaks the other. */
const table: Record<Use['kind'], Record<Happening, Code>> = {
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

export function codeOf(use: Use, happening: Happening): Code {
  return table[use.kind][happening]
}
