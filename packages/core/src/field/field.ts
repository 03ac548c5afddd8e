/** Field: one property of a stored noun; its kind, its limits, and what may be done with it. */

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

/** What the server fills in by itself: on a write, or, where it is computed, whenever the record is shown. */
export type Managed = 'identity' | 'created-at' | 'created-by' | 'updated-at' | 'updated-by' | 'service' | 'computed'

/** A value as it stands in JSON. */
export type Value = string | number | boolean | null

/** The plain data of a field; everything that reads a declaration reads this. */
export interface FieldSpec {
  readonly kind: FieldKind
  readonly nullable?: true
  readonly unique?: true
  readonly unindexed?: true
  readonly managed?: Managed
  readonly default?: Value
  /** The name of the field whose value is taken where none is given. */
  readonly defaultFrom?: string
  /** An identity made of a guid; absent for an integer. */
  readonly guid?: true
  readonly min?: number | string
  readonly max?: number | string
  readonly minLength?: number
  readonly maxLength?: number
  /** Digits in all, and behind the point, of a decimal. */
  readonly precision?: number
  readonly scale?: number
  readonly choices?: readonly string[]
  /** What each word may become. The key `null` is the missing value, and so is null in a list. */
  readonly transitions?: { readonly [from: string]: readonly (string | null)[] }
  readonly target?: object
  readonly clearedOnDelete?: true
  readonly renamedFrom?: string
  /** What a database calls it, where that is not the field's own name. */
  readonly column?: string
}

export type Trait = 'identity' | 'nullable' | 'unique' | 'default' | 'managed'

/**
 * A field being declared. Each modifier gives a new field; none changes the one it is called on.
 * `Held` is the type of its value, or for a reference the function that names the target.
 */
export interface Field<out Held, out Traits extends Trait = never> {
  readonly spec: FieldSpec
  readonly '~held'?: Held
  // A function, as no traits are `never`, which a property that may be left out has only under exactOptionalPropertyTypes.
  readonly '~traits'?: () => Traits
  /** May be null; null is then also its default: `phone: text().nullable()`. */
  nullable(): Field<Held, Traits | 'nullable' | 'default'>
  /** No two records hold the same value. Null may stand more than once: `email: email().unique()`. */
  unique(): Field<Held, Traits | 'unique'>
  /** The value of a new record that is given none: `retired: boolean().default(false)`. */
  default(value: NoInfer<Held>): Field<Held, Traits | 'default'>
  /** A new record that is given no value takes that of another field: `username: text().defaultFrom('email')`. */
  defaultFrom(field: string): Field<Held, Traits | 'default'>
  /** Set by the service's own code, never by a request: `hash: text().managed()`. */
  managed(): Field<Held, Traits | 'managed'>
  /** Without the index that makes filtering by this field fast: `remark: text().unindexed()`. */
  unindexed(): Field<Held, Traits>
  /** The field bore another name before; its values are kept: `lastName: text().renamedFrom('surname')`. */
  renamedFrom(name: string): Field<Held, Traits>
  /** Stored in a column of another name than the field's: `firstName: text().column('first_name')`. */
  column(name: string): Field<Held, Traits>
}

/** A field that holds the identity of another record. */
export interface Reference<out Target, out Traits extends Trait = never> extends Field<Target, Traits> {
  nullable(): Reference<Target, Traits | 'nullable' | 'default'>
  unique(): Reference<Target, Traits | 'unique'>
  default(value: never): Reference<Target, Traits | 'default'>
  defaultFrom(field: string): Reference<Target, Traits | 'default'>
  managed(): Reference<Target, Traits | 'managed'>
  unindexed(): Reference<Target, Traits>
  renamedFrom(name: string): Reference<Target, Traits>
  column(name: string): Reference<Target, Traits>
  /**
   * Becomes null when the record it points at is deleted: `reference(() => user).nullable().clearedOnDelete()`. Without
   * it, that delete is refused (409).
   */
  clearedOnDelete(): Reference<Target, Traits>
}

// biome-ignore lint/suspicious/noExplicitAny: stands for every field, whatever it holds
export type AnyField = Field<any, any>

/** Builds a field from its plain data. */
export function field<Held, Traits extends Trait = never>(spec: FieldSpec): Reference<Held, Traits> {
  const withSpec = (more: Partial<FieldSpec>) => field<Held, Trait>({ ...spec, ...more }) as Reference<Held, never>
  return {
    spec,
    nullable: () => withSpec({ nullable: true }),
    unique: () => withSpec({ unique: true }),
    default: (value: Value) => withSpec({ default: value }),
    defaultFrom: (name) => withSpec({ defaultFrom: name }),
    managed: () => withSpec({ managed: 'service' }),
    unindexed: () => withSpec({ unindexed: true }),
    renamedFrom: (name) => withSpec({ renamedFrom: name }),
    column: (name) => withSpec({ column: name }),
    clearedOnDelete: () => withSpec({ clearedOnDelete: true }),
  }
}

/**
 * Whether a request may set the field.
 *
 * ```ts
 * isMutable(createdAt().spec) // false
 * ```
 */
export function isMutable(spec: FieldSpec): boolean {
  return spec.managed === undefined
}

/**
 * Whether the database holds the field: what is computed is shown, and nothing else.
 *
 * ```ts
 * isStored(text().spec) // true
 * ```
 */
export function isStored(spec: FieldSpec): boolean {
  return spec.managed !== 'computed'
}

/**
 * Whether a new record may leave the field out.
 *
 * ```ts
 * hasDefault(text().nullable().spec) // true: null
 * ```
 */
export function hasDefault(spec: FieldSpec): boolean {
  return spec.default !== undefined || spec.defaultFrom !== undefined || spec.nullable === true
}
