/** Custom filters: what a filter means that a declaration only names, attached where a service is put together. */
import {
  type AnyNoun,
  type CustomFilter,
  type CustomParameter,
  DeclarationError,
  type Noun,
  type Operation,
  type ValueOf,
} from '@nomen/core'
import type { Bounds } from './bounds.ts'
import type { Caller } from './caller.ts'

/** Fields that must all fit: one value, any of several, or bounds. */
type Where<N> =
  N extends Noun<string, infer Fields, object>
    ? {
        readonly [Name in keyof Fields]?:
          | ValueOf<Fields[Name]>
          | readonly ValueOf<Fields[Name]>[]
          | Bounds<NonNullable<ValueOf<Fields[Name]>>>
      }
    : never

/** All records, none, those that fit; or those that fit any of several. */
type Found<N> = boolean | Where<N> | readonly Where<N>[]

export interface FilterDefinition {
  readonly noun: AnyNoun
  readonly declared: CustomFilter
  /** What it gives is checked whenever it is asked. */
  readonly find: (value: never, caller: Caller) => unknown
}

/**
 * Says which records of a noun a custom filter finds, for a value and a caller: `true` for all, `false` for none, fields
 * with what all of them must be, or an array of such, any of which will do. It is a filter like others: lists are counted
 * exactly, and it is joined with the other parameters of a request.
 *
 * ```ts
 * filter(task, overdue, (isOverdue) => {
 *   const now = new Date().toISOString()
 *   return isOverdue ? { due: before(now) } : [{ due: null }, { due: atLeast(now) }]
 * })
 * ```
 */
export function filter<N extends AnyNoun, Held, const Given extends Found<N>>(
  noun: N,
  declared: CustomFilter<Held>,
  find: (value: Held, caller: Caller) => Given,
): FilterDefinition {
  return { noun, declared, find }
}

/** A filter that nobody gives a meaning, or two do, and a meaning that is nobody's, stop the start. */
export function checkFindings(
  subject: string,
  findings: readonly FilterDefinition[],
  table: readonly Operation[],
): void {
  const used = new Set<FilterDefinition>()
  for (const operation of table) {
    for (const parameter of customParameters(operation)) {
      const own = findings.filter((one) => isFor(one, operation, parameter))
      const place = `the filter "${parameter.name}" of ${operation.path}`
      if (own.length === 0)
        throw new DeclarationError(
          subject,
          `${place} has no meaning.`,
          `add filters: [filter(${operation.resource.noun.name}, ${parameter.name}, …)], with the filter that is declared there.`,
        )
      if (own.length > 1)
        throw new DeclarationError(subject, `${place} has ${own.length} meanings.`, 'leave all but one out.')
      for (const one of own) used.add(one)
    }
  }
  const idle = findings.find((one) => !used.has(one))
  if (!idle) return
  throw new DeclarationError(
    subject,
    `gives a meaning to a filter of "${idle.noun.name}" that none of its lists has.`,
    'declare it in a resource of the noun, or leave it out.',
  )
}

export function customParameters({ list }: Operation): readonly CustomParameter[] {
  return (list?.parameters ?? []).filter((parameter) => parameter.kind === 'custom')
}

export function isFor({ noun, declared }: FilterDefinition, { shape }: Operation, parameter: CustomParameter): boolean {
  return noun === shape.noun && declared === parameter.filter
}
