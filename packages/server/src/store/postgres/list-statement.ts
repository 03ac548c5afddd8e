/** The statement of a list, and how the planner is led to the right index whatever the values turn out to be. */
import { type AnyNoun, directReference, type Relation, specOf } from '@nomen/core'
import type { StoredNoun } from '../model.ts'
import type { Condition, ListPlan } from '../plan.ts'
import { directionOf, listKey, listQuery, passedOver, type Steering } from '../sql/list-query.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { blockBits } from '../tally.ts'
import { postgresDialect } from './dialect.ts'
import { compile, type Statement } from './statement.ts'
import { countingOf, minOffset } from './tally/reader.ts'
import { belowAncestors } from './write/query.ts'

/** Page sizes that have statements of their own. */
const usualSizes = [10, 20, 25, 50, 100]

/** What tells plans apart that need different statements, and the statement itself. */
export function listForm(stored: StoredNoun, plan: ListPlan, maxBytes: number): ListForm {
  const { operation } = plan
  const counting = countingOf(stored, plan)
  const steering = steeringOf(stored, plan, counting.isFar)
  return {
    isBounded: counting.isTallied && isLed(stored, plan, steering),
    key: `${operation.api}${operation.path} ${listKey(plan)};${counting.form};${steering?.size ?? ''},${steering?.reach ?? ''}`,
    build: () =>
      compile(
        belowAncestors(
          operation,
          limited(listQuery(postgresDialect, plan, { counting: counting.build(), steering }), maxBytes),
          plan.rowFilter,
        ),
      ),
  }
}

interface ListForm {
  readonly key: string
  /** Whether few records are looked at, whatever the values: their number is kept, and one index has their order. */
  readonly isBounded: boolean
  build(): Statement<ListPlan>
}

function isLed({ filtered }: StoredNoun, plan: ListPlan, steering: Steering | undefined): boolean {
  const [first, ...others] = plan.order
  if (plan.include.length > 0) return false
  return (
    directionOf(plan) !== undefined ||
    (steering !== undefined && others.length === 0 && filtered.has(`${first?.field}`))
  )
}

/** Of a text that is too long, the server sends nothing. */
function limited(list: Sql, maxBytes: number): Sql {
  const isFitting = sql`octet_length(listed.json) <= ${sql.lit(maxBytes)}`
  return sql`select listed.number, case when ${isFitting} then listed.json end from (${list}) as listed (number, json)`
}

/**
 * A prepared statement is planned anew for each of its runs as long as that promises to be cheaper than one plan for all
 * values, in which a limit that is bound counts as a tenth of all records. With the limit in the statement the one plan
 * is as cheap, and planning, which takes as long as reading a page, is done once. It must then be right for every value,
 * frequent or rare: so only lists are steered that go along one index. For all others planning anew is well spent.
 */
function steeringOf({ noun, filtered }: StoredNoun, plan: ListPlan, isFar: boolean): Steering | undefined {
  const { operation, conditions, include, order, page } = plan
  const reach = reachOf(noun, passedOver(plan), isFar)
  if (!page || !usualSizes.includes(page.pageSize) || include.length > 0 || reach === undefined) return undefined
  const steering = { size: page.pageSize, reach }
  const relations = operation.levels.at(-1)?.relations ?? []
  const [condition] = conditions
  const [relation] = relations
  if (!condition && !relation) return steering
  if (conditions.length + relations.length > 1 || order.length > 0) return undefined
  const driver = condition ? soleField(condition) : directReference(relation as Relation)
  const isIndexed = driver !== undefined && (filtered.has(driver) || specOf(noun, driver).kind === 'reference')
  // Moments that are kept more exactly than they are told would be in another order.
  const isExact = driver !== undefined && specOf(noun, driver).kind !== 'timestamp'
  return isIndexed && isExact && !specOf(noun, driver).unique ? { ...steering, driver } : undefined
}

/** How many records are passed over at most; undefined where nobody can tell. */
function reachOf(noun: AnyNoun, before: number, isFar: boolean): number | undefined {
  if (before < minOffset) return before === 0 ? 0 : minOffset
  // A tally leads to the block of the page's first record, and only numbers have blocks of a certain size.
  return isFar && !specOf(noun, noun.identity).guid ? 2 ** blockBits[0] : undefined
}

/** The field of a condition that wants one value of it. */
function soleField(condition: Condition): string | undefined {
  const isSole = condition.kind === 'equal' && condition.fields.length === 1 && condition.values.length === 1
  return isSole && condition.values[0] !== null ? condition.fields[0] : undefined
}
