/** The statement of a list. Hints lead the planner to the right index for all values. */
import { type AnyNoun, directReference, type Relation, specOf } from '@nomen/core'
import type { StoredNoun } from '../../model.ts'
import type { Condition, ListPlan } from '../../plan.ts'
import type { PlannerHints } from '../../sql/list/options.ts'
import { directionOf, isDeepPage, recordsToSkip } from '../../sql/list/page.ts'
import { listKey, listQuery } from '../../sql/list/query.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { blockBits } from '../../tally.ts'
import { postgresDialect } from '../dialect.ts'
import { compile, type Statement } from '../statement.ts'
import { countFormOf, minOffset } from '../tally/reader.ts'
import { belowAncestors } from '../write/path-query.ts'

/** Page sizes that have their own statements. */
const usualSizes = [10, 20, 25, 50, 100]

/** The statement of a list, and the key of its form: plans of the same form share a statement. */
export function listForm(stored: StoredNoun, plan: ListPlan, maxBytes: number): ListForm {
  const { operation } = plan
  const counting = countFormOf(stored, plan)
  const hints = plannerHints(stored, plan, counting.isFar)
  const isDeep = isDeepPage(plan, minOffset)
  return {
    isBounded: counting.isTallied && isIndexOrdered(stored, plan, hints),
    key: `${operation.api}${operation.path} ${listKey(plan)};${counting.form};${hints?.size ?? ''},${hints?.maxOffset ?? ''}${isDeep ? ';deep' : ''}`,
    build: () =>
      compile(
        belowAncestors(
          operation,
          limitSize(listQuery(postgresDialect, plan, { counting: counting.build(), hints, isDeep }), maxBytes),
          plan.rowFilter,
        ),
      ),
  }
}

interface ListForm {
  readonly key: string
  /** Whether few records are read, whatever the values: tallies have their number, and one index their order. */
  readonly isBounded: boolean
  build(): Statement<ListPlan>
}

function isIndexOrdered({ indexed }: StoredNoun, plan: ListPlan, hints: PlannerHints | undefined): boolean {
  const [first, ...others] = plan.order
  if (plan.include.length > 0) return false
  return (
    directionOf(plan) !== undefined || (hints !== undefined && others.length === 0 && indexed.has(`${first?.field}`))
  )
}

/** The server sends no JSON that is too large. */
function limitSize(list: Sql, maxBytes: number): Sql {
  const isAllowed = sql`octet_length(listed.json) <= ${sql.lit(maxBytes)}`
  return sql`select listed.number, case when ${isAllowed} then listed.json end from (${list}) as listed (number, json)`
}

/**
 * PostgreSQL plans a prepared statement again for each run, as long as that seems cheaper than one generic plan. In a
 * generic plan, a bound limit counts as a tenth of all records. With the limit as a literal, the generic plan is as
 * cheap, and planning, which takes as long as reading a page, is done once. The plan must then be right for frequent and
 * rare values, so only lists along one index get it. For all others, planning each time is worthwhile.
 */
function plannerHints({ noun, indexed }: StoredNoun, plan: ListPlan, isFar: boolean): PlannerHints | undefined {
  const { operation, conditions, include, order, page } = plan
  const maxOffset = maxOffsetOf(noun, recordsToSkip(plan), isFar)
  if (!page || !usualSizes.includes(page.pageSize) || include.length > 0 || maxOffset === undefined) return undefined
  const hints = { size: page.pageSize, maxOffset }
  const relations = operation.levels.at(-1)?.relations ?? []
  const [condition] = conditions
  const [relation] = relations
  if (!condition && !relation) return hints
  if (conditions.length + relations.length > 1 || order.length > 0) return undefined
  const drivingField = condition ? singleField(condition) : directReference(relation as Relation)
  const isIndexed = drivingField !== undefined && indexed.has(drivingField)
  // An adopted column may be more precise than milliseconds, which would be another order.
  const isExact = drivingField !== undefined && specOf(noun, drivingField).kind !== 'timestamp'
  return isIndexed && isExact && !specOf(noun, drivingField).unique ? { ...hints, drivingField } : undefined
}

/** The maximum number of records to skip; undefined if it is unknown. */
function maxOffsetOf(noun: AnyNoun, before: number, isFar: boolean): number | undefined {
  if (before < minOffset) return before === 0 ? 0 : minOffset
  // A tally leads to the block of the page's first record, and only blocks of numbers have a known size.
  return isFar && !specOf(noun, noun.identity).guid ? 2 ** blockBits[0] : undefined
}

/** The field of a condition on exactly one value. */
function singleField(condition: Condition): string | undefined {
  const isSole = condition.kind === 'equal' && condition.fields.length === 1 && condition.values.length === 1
  return isSole && condition.values[0] !== null ? condition.fields[0] : undefined
}
