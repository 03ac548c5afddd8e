/** Fields: the columns of a noun, each with its type, limits and modifiers. */

import type { Collation } from './collation.ts'
import { recordOrigin } from './origin.ts'

/** The type of a field's values; one for each function such as `text()` or `reference()`. */
export type FieldKind =
  | 'identity'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'text'
  | 'email'
  | 'url'
  | 'guid'
  | 'boolean'
  | 'choice'
  | 'date'
  | 'timestamp'
  | 'reference'

/** Why the server sets a field and clients cannot. Computed fields are set on each read, the others on a write. */
export type Managed =
  | 'identity'
  | 'created-at'
  | 'created-by'
  | 'updated-at'
  | 'updated-by'
  | 'tenant'
  | 'service'
  | 'computed'

/** The value of a field in JSON. */
export type Value = string | number | boolean | null

/** The declaration of a field as plain data: its type, constraints and modifiers. */
export interface FieldSpec {
  readonly kind: FieldKind
  readonly nullable?: true
  readonly unique?: true
  /** Whether the field has an index of its own; by default references, choices, booleans and unique fields have one. */
  readonly indexed?: boolean
  /** The OAuth scope that a caller needs to see and set the field. */
  readonly scope?: string
  readonly managed?: Managed
  /** Clients set the field when they create the record, and cannot change it later. */
  readonly writeOnce?: true
  readonly default?: Value
  /** The field whose value is the default. */
  readonly defaultFrom?: string
  /** The database supplies the default. */
  readonly databaseDefault?: true
  /** The identity is a GUID (UUID); an integer if absent. A reference has it in the result of `specOf`, from its target. */
  readonly guid?: true
  readonly min?: number | string
  readonly max?: number | string
  /** In characters (Unicode code points). */
  readonly minLength?: number
  /** In characters (Unicode code points). */
  readonly maxLength?: number
  /** The regular expression that must match somewhere in the string. */
  readonly pattern?: RegExp
  /** The collation that lists sort the strings by; code point order if absent. */
  readonly sort?: Collation
  /** Whether a search of the field ignores accents too. */
  readonly search?: 'accent-insensitive'
  /** Total digits of a decimal. */
  readonly precision?: number
  /** Digits of a decimal after the point. */
  readonly scale?: number
  readonly choices?: readonly string[]
  /** The allowed next values for each value of a choice. The key `null` stands for null. */
  readonly transitions?: { readonly [from: string]: readonly (string | null)[] }
  /** The noun that a reference refers to, or a function that returns it. */
  readonly target?: object
  readonly clearedOnDelete?: true
  readonly renamedFrom?: string
  /** The name of the database column, if it differs from the field's name. */
  readonly column?: string
  /** Plain text or CommonMark. */
  readonly description?: string
  /** A description for each value of a choice. */
  readonly valueDescriptions?: { readonly [value: string]: string }
  readonly example?: Value
}

/**
 * A property of a field that types depend on. `managed`: clients cannot set the field. `service`: the field is declared with `managed()`,
 * so handlers and `assign` can set it.
 */
export type Trait = 'identity' | 'nullable' | 'unique' | 'default' | 'managed' | 'service' | 'write-once' | 'scoped'

/**
 * A field (column, attribute) of a noun. Each modifier returns a new field and leaves the original unchanged.
 * `ValueType` is the type of the value; for a reference, it is the function that returns the target noun.
 *
 * @example
 * ```ts
 * const phone = text({ maxLength: 30 }).nullable().description('With the country code.')
 * ```
 */
export interface Field<out ValueType, out Traits extends Trait = never> {
  readonly spec: FieldSpec
  readonly '~value'?: ValueType
  // A function, because without traits the type is `never`. Without exactOptionalPropertyTypes, TypeScript reads an optional property
  // of type `never` as `undefined`.
  readonly '~traits'?: () => Traits
  /** Allows null (optional field): `phone: text().nullable()`. Null is then also the default. */
  nullable(): Field<ValueType, Traits | 'nullable' | 'default'>
  /** Adds a unique constraint: `email: email().unique()`. Several records may hold null. A duplicate value gets 409. */
  unique(): Field<ValueType, Traits | 'unique'>
  /** Sets the default value of new records: `retired: boolean().default(false)`. */
  default(value: NoInfer<ValueType>): Field<ValueType, Traits | 'default'>
  /** Takes the default value from another field of the same record: `username: text().defaultFrom('email')`. */
  defaultFrom(field: string): Field<ValueType, Traits | 'default'>
  /**
   * Leaves the default value to the database column: `code: text().databaseDefault()`. Use it for tables of another
   * program. In a table that Nomen creates, the default depends on the type: the current time or date, a new GUID, an empty
   * string, 0, false or the first choice. For a nullable field, the default is null. In such a table, a reference with
   * `databaseDefault()` must be nullable.
   */
  databaseDefault(): Field<ValueType, Traits | 'default'>
  /** Makes the field read-only for clients; `assign` and handlers of your service set it: `hash: text().managed()`. */
  managed(): Field<ValueType, Traits | 'managed' | 'service'>
  /**
   * Makes the field immutable after creation: `member: reference(() => member).writeOnce()`. The service ignores later
   * values, as it does for `createdAt()`.
   */
  writeOnce(): Field<ValueType, Traits | 'write-once'>
  /**
   * Creates a database index, for fast filters, ranges and sorting: `lastName: text().indexed()`. References, choices,
   * booleans and unique fields have one by default. Each index makes writes slower.
   */
  indexed(): Field<ValueType, Traits>
  /**
   * Creates no database index, and maintains no totals, for a choice or boolean: `outcome: choice('SENT', 'FAILED').unindexed()`.
   * Writes are then faster, and filters by the field slower.
   */
  unindexed(): Field<ValueType, Traits>
  /** Restricts the field to callers with an OAuth scope: `salary: decimal({ scale: 2 }).visibleTo('salary:read')`. */
  visibleTo(scope: string): Field<ValueType, Traits | 'scoped'>
  /** Renames the column in the next migration and keeps its values: `lastName: text().renamedFrom('surname')`. */
  renamedFrom(name: string): Field<ValueType, Traits>
  /** Sets the name of the database column: `firstName: text().column('first_name')`. Default: the field's name. */
  column(name: string): Field<ValueType, Traits>
  /**
   * Describes the field in the OpenAPI document, generated clients and the console, in plain text or CommonMark:
   * `phone: text().description('With the country code.')`. A choice may also describe its values:
   * `choice('OPEN', 'DONE').description('Progress of the task.', { DONE: 'Nothing is left to do.' })`.
   */
  description(text: string, values?: { readonly [Value in ValueType & string]?: string }): Field<ValueType, Traits>
  /**
   * Sets an example value for the OpenAPI document and forms: `phone: text().example('+43 1 234 56 78')`. The example of a
   * nullable field may be null.
   */
  example(value: NoInfer<ValueType> | null): Field<ValueType, Traits>
}

/** A reference (foreign key): a field that holds the ID of another record. */
export interface Reference<out Target, out Traits extends Trait = never> extends Field<Target, Traits> {
  nullable(): Reference<Target, Traits | 'nullable' | 'default'>
  unique(): Reference<Target, Traits | 'unique'>
  default(value: never): Reference<Target, Traits | 'default'>
  defaultFrom(field: string): Reference<Target, Traits | 'default'>
  databaseDefault(): Reference<Target, Traits | 'default'>
  managed(): Reference<Target, Traits | 'managed' | 'service'>
  writeOnce(): Reference<Target, Traits | 'write-once'>
  indexed(): Reference<Target, Traits>
  unindexed(): Reference<Target, Traits>
  visibleTo(scope: string): Reference<Target, Traits | 'scoped'>
  renamedFrom(name: string): Reference<Target, Traits>
  column(name: string): Reference<Target, Traits>
  description(text: string): Reference<Target, Traits>
  example(value: never): Reference<Target, Traits>
  /**
   * Sets the reference to null when the referenced record is deleted (`ON DELETE SET NULL`):
   * `reference(() => user).nullable().clearedOnDelete()`. Without it, deleting a referenced record gets 409.
   */
  clearedOnDelete(): Reference<Target, Traits>
}

/** Any field, whatever its type and modifiers. */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would not accept every field
export type AnyField = Field<any, any>

/** Creates a field from its plain data. `original` is the data of the field that a modifier was called on. */
export function field<ValueType, Traits extends Trait = never>(
  spec: FieldSpec,
  original?: FieldSpec,
): Reference<ValueType, Traits> {
  recordOrigin(spec, original)
  const withSpec = (changes: Partial<FieldSpec>) =>
    field<ValueType, Trait>({ ...spec, ...changes }, spec) as Reference<ValueType, never>
  return {
    spec,
    nullable: () => withSpec({ nullable: true }),
    unique: () => withSpec({ unique: true }),
    default: (value: Value) => withSpec({ default: value }),
    defaultFrom: (name) => withSpec({ defaultFrom: name }),
    databaseDefault: () => withSpec({ databaseDefault: true }),
    managed: () => withSpec({ managed: 'service' }),
    writeOnce: () => withSpec({ writeOnce: true }),
    indexed: () => withSpec({ indexed: true }),
    unindexed: () => withSpec({ indexed: false }),
    visibleTo: (scope) => withSpec({ scope }),
    renamedFrom: (name) => withSpec({ renamedFrom: name }),
    column: (name) => withSpec({ column: name }),
    description: (text: string, values?: FieldSpec['valueDescriptions']) =>
      withSpec({ description: text, ...(values && { valueDescriptions: values }) }),
    example: (value: Value) => withSpec({ example: value }),
    clearedOnDelete: () => withSpec({ clearedOnDelete: true }),
  }
}

/**
 * Returns whether clients can set the field; false for managed (read-only) fields. True also for `writeOnce()` fields, which
 * clients set when they create the record.
 *
 * @example
 * ```ts
 * isSettable(createdAt().spec) // false
 * ```
 */
export function isSettable(spec: FieldSpec): boolean {
  return spec.managed === undefined
}

/**
 * Returns whether the field has a database column; false for computed fields.
 *
 * @example
 * ```ts
 * isStored(text().spec) // true
 * ```
 */
export function isStored(spec: FieldSpec): boolean {
  return spec.managed !== 'computed'
}

/**
 * Returns whether a new record may omit the field, because it has a default value or is nullable.
 *
 * @example
 * ```ts
 * hasDefault(text().nullable().spec) // true: null
 * ```
 */
export function hasDefault(spec: FieldSpec): boolean {
  const { default: value, defaultFrom, databaseDefault, nullable } = spec
  return value !== undefined || defaultFrom !== undefined || databaseDefault === true || nullable === true
}
