/** The query parameters of a list, as data. */
import type { Collation } from '../field/collation.ts'
import type { FieldSpec, Value } from '../field/field.ts'
import type { CustomFilter } from '../resource/filter.ts'

/**
 * A query parameter of a list. `fields` are field names of the noun, and `maxValues` is how often a request may repeat the
 * parameter.
 */
export type ListParameter =
  | { readonly kind: 'pageNumber'; readonly name: 'pageNumber' }
  | { readonly kind: 'pageSize'; readonly name: 'pageSize'; readonly default: number; readonly maximum: number }
  | {
      readonly kind: 'sort'
      readonly name: 'sort'
      readonly fields: ReadonlyMap<string, string>
      /** The collations of properties that are not sorted by code point. */
      readonly collations?: ReadonlyMap<string, Collation>
      readonly maxValues: number
    }
  | { readonly kind: 'include'; readonly name: 'include'; readonly spec: FieldSpec; readonly maxValues: number }
  | SearchParameter
  | ChangedFieldParameter
  | AfterIdParameter
  | WaitParameter
  | EqualParameter
  | RecordedParameter
  | RangeParameter
  | CustomParameter

/** The query parameter `search`: matches if any of the terms is in any of the fields. */
export interface SearchParameter {
  readonly kind: 'search'
  readonly name: 'search'
  readonly fields: readonly string[]
  readonly maxValues: number
  /** In characters (code points). */
  readonly maxLength: number
  /** The names of properties whose accents are ignored, by field; absent if there are none. */
  readonly accentInsensitive?: ReadonlyMap<string, string>
}

/** The filter `changedField` of history entries: matches if any of the fields was changed. */
export interface ChangedFieldParameter {
  readonly kind: 'changed-field'
  readonly name: 'changedField'
  /** The field of the entry with the names of the changed fields. */
  readonly fields: readonly ['fields']
  readonly maxValues: number
}

/** The parameter `afterId` of history entries: lists the entries after this one, the oldest first. */
export interface AfterIdParameter {
  readonly kind: 'after-id'
  readonly name: 'afterId'
}

/** The parameter `wait` of history entries: how long to wait for a new entry (long polling). */
export interface WaitParameter {
  readonly kind: 'wait'
  readonly name: 'wait'
  /** In seconds. */
  readonly maximum: number
}

/** An equality filter: matches if any of the fields has any of the values. */
export interface EqualParameter {
  readonly kind: 'equal'
  readonly name: string
  readonly spec: FieldSpec
  readonly fields: readonly string[]
  readonly maxValues: number
  /** The description of the filter. */
  readonly description?: string
  /** The values if the request does not have the parameter. */
  readonly default?: readonly Value[]
}

/** A filter of history entries by a field of their record: matches if the record has any of the values before or after the change. */
export interface RecordedParameter {
  readonly kind: 'recorded'
  readonly name: string
  readonly spec: FieldSpec
  /** A field of the record's noun. */
  readonly field: string
  readonly maxValues: number
  /** The description of the filter. */
  readonly description?: string
}

/** One bound of a range filter. */
export interface RangeParameter {
  readonly kind: 'range'
  readonly name: string
  /** The name of the filter, which both bounds share. */
  readonly range: string
  readonly bound: 'from' | 'to'
  readonly spec: FieldSpec
  readonly fields: readonly string[]
  /** The description of the filter. */
  readonly description?: string
}

/** A custom filter, which the service file implements. */
export interface CustomParameter {
  readonly kind: 'custom'
  readonly name: string
  readonly spec: FieldSpec
  readonly filter: CustomFilter
}
