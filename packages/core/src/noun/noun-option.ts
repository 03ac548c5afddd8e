/** The options of a noun. */
import type { AnyField } from '../field/field.ts'
import type { HistoryOptions } from './history-option.ts'

/** Fields by name. */
export interface Fields {
  readonly [name: string]: AnyField
}

/** Options of a noun. `Name` are the names of its fields. */
export interface NounOptions<Name extends string = string> {
  /** Describes one record, for the OpenAPI document and the console: `description: 'A book lent to a member.'`. */
  readonly description?: string
  /**
   * The display name of a record: one field, or several that are joined by a space, `label: ['firstName', 'lastName']`.
   * Lists show it in place of a reference's ID, and the console uses it as the title of a record.
   *
   * @default none: references are shown by ID
   */
  readonly label?: Name | readonly Name[]
  /** Composite unique constraints, each a set of fields: `unique: [['user', 'type']]`. */
  readonly unique?: readonly (readonly Name[])[]
  /**
   * Composite database indexes, for lists that filter by several fields, or filter by some and sort by the last:
   * `indexes: [['customer', 'created']]`. For an index of one field, see `indexed()`.
   */
  readonly indexes?: readonly (readonly Name[])[]
  /**
   * Allows a name that looks plural but is singular, such as `news` or `glasses`: `isSingular: true`.
   *
   * @default false: a name that looks plural is an error
   */
  readonly isSingular?: true
  /**
   * Computed (derived) fields, which are returned but not stored: `computed: { fullName: text() }`. The service file
   * implements them with `compute` of `@nomen/server`.
   */
  readonly computed?: Fields
  /**
   * Adds an entry to the noun `change` (audit log) for each change to a record, with the values before and after:
   * `history: true`, or `history: { days: 365 }` to delete older entries.
   *
   * @default false
   */
  readonly history?: true | HistoryOptions
  /**
   * The name of the database table: `table: 'users'`.
   *
   * @default the noun's name
   */
  readonly table?: string
}

/**
 * Returns the fields of a noun's label (display name), in order; an empty array if the noun has no label.
 *
 * @example
 * ```ts
 * labelFields({ label: ['firstName', 'lastName'] }) // ['firstName', 'lastName']
 * ```
 */
export function labelFields(options: NounOptions): readonly string[] {
  const { label } = options
  return label === undefined ? [] : typeof label === 'string' ? [label] : label
}
