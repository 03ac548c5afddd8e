/** Implementations of custom filters, which resources only declare. */
import { type AnyNoun, type CustomFilter, type CustomParameter, DeclarationError, type Operation } from '@nomen/core'
import type { Caller } from './caller/caller.ts'
import type { ConditionFor } from './condition.ts'
import { rejectAsync } from './synchronous.ts'

/** The implementation of a custom filter, declared by `filter`. */
export interface FilterDefinition {
  readonly noun: AnyNoun
  readonly customFilter: CustomFilter
  /** Returns a condition, which is checked at every call. */
  readonly find: (value: never, caller: Caller) => unknown
}

/**
 * Implements a custom filter: a query parameter of lists. The function gets the value of the parameter and the caller, and
 * returns a condition: `true` for all records, `false` for none, an object of fields that must all match, or an array of such
 * objects, one of which must match. Totals are exact, and the filter combines with the other parameters of a request.
 *
 * @example
 * ```ts
 * filter(task, overdue, (isOverdue) => {
 *   const now = new Date().toISOString()
 *   return isOverdue ? { due: before(now) } : [{ due: null }, { due: atLeast(now) }]
 * })
 * ```
 *
 * @throws DeclarationError if the function is `async`.
 */
export function filter<N extends AnyNoun, ValueType, const Where extends boolean | object>(
  noun: N,
  customFilter: CustomFilter<ValueType>,
  find: (value: ValueType, caller: Caller) => Where & ConditionFor<N, Where>,
): FilterDefinition {
  rejectAsync(noun, 'filter', find)
  return { noun, customFilter, find }
}

/** Checks that every custom filter has exactly one implementation, and that every implementation has a filter. */
export function checkFilters(subject: string, filters: readonly FilterDefinition[], table: readonly Operation[]): void {
  const used = new Set<FilterDefinition>()
  for (const operation of table) {
    for (const parameter of customParameters(operation)) {
      const matching = filters.filter((filter) => isFilterOf(filter, operation, parameter))
      const name = `the filter "${parameter.name}" of ${operation.path}`
      if (matching.length === 0)
        throw new DeclarationError(
          subject,
          `${name} has no implementation.`,
          `add filters: [filter(${operation.resource.noun.name}, ${parameter.name}, …)], with the filter that the resource declares.`,
        )
      if (matching.length > 1)
        throw new DeclarationError(
          subject,
          `${name} has ${matching.length} implementations.`,
          'remove all but one of them.',
        )
      for (const filter of matching) used.add(filter)
    }
  }
  const unused = filters.find((filter) => !used.has(filter))
  if (!unused) return
  throw new DeclarationError(
    subject,
    `it implements a filter of "${unused.noun.name}" that no list declares.`,
    'declare it in a resource of the noun, or remove it.',
  )
}

export function customParameters({ list }: Operation): readonly CustomParameter[] {
  return (list?.parameters ?? []).filter((parameter) => parameter.kind === 'custom')
}

export function isFilterOf(
  { noun, customFilter }: FilterDefinition,
  { shape }: Operation,
  parameter: CustomParameter,
): boolean {
  return noun === shape.noun && customFilter === parameter.filter
}
