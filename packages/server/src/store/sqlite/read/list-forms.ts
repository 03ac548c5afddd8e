/** The forms of lists on SQLite: plans that differ only in their values share prepared statements and measured times. */
import type { DatabaseSync } from 'node:sqlite'
import { LruCache } from '../../../foundation/lru-cache.ts'
import type { ListPlan } from '../../plan.ts'
import { entryCounting, isFarPage } from '../../sql/entry-count/entry-count.ts'
import { slot } from '../../sql/fragment.ts'
import type { CountParts } from '../../sql/list/options.ts'
import { isDeepPage, type ListInput } from '../../sql/list/page.ts'
import { countQuery, listKey, listQuery } from '../../sql/list/query.ts'
import { sqliteDialect } from '../dialect.ts'
import { type Compiled, compile, prepare, type Statement } from '../statement.ts'
import { guardOf } from './list-guard.ts'
import { isFarByTally, minOffset, type TallyReader } from './tally-reader.ts'

/** How many forms of filtered and sorted lists keep prepared statements. */
const maxListForms = 500

/** Larger pages have their own forms, because their times say nothing about other pages. */
const largePageSize = 100

/** The statements for all plans of one form, for the main thread and for reader threads, and their last times. */
export interface ListForm {
  readonly guarded: () => Statement<ListInput>
  /** Without checks of the clock, for small databases. */
  readonly withoutGuard: () => Statement<ListInput>
  readonly forThread: () => Compiled<ListInput>
  /** The cache key of a list's total. */
  readonly totalKey: (plan: ListInput) => string
  /** The same for plans whose total is cached. */
  readonly withTotal: () => ListForm
  /** Whether lists of the form take too long for the main thread; undefined if that is not known. */
  isSlowOnMainThread?: boolean
  /** Whether the last list of the form took long on the main thread. */
  wasSlow?: boolean
  /** Whether a list of the form had a long string: the form is never read on the main thread again. */
  hasLongString: boolean
  /** How long the last list of the form took on a thread. */
  threadMs?: number
}

/** A list that may be requested again: an equal query string gives the same conditions, order and page objects. */
interface RepeatableList {
  readonly plan: ListInput
  readonly form: ListForm
  totalKey?: string
}

export class ListForms {
  readonly #database: DatabaseSync
  readonly #hasThreads: boolean
  readonly #forms = new LruCache<ListForm>(maxListForms)
  readonly #repeatableLists = new WeakMap<ListPlan['conditions'], RepeatableList>()

  /** `hasThreads`: reader threads take over slow lists. */
  constructor(database: DatabaseSync, hasThreads: boolean) {
    this.#database = database
    this.#hasThreads = hasThreads
  }

  /** The form of a plan with this number of tally keys. `isBounded`: only a small number of records is read. */
  of(plan: ListInput, tallies: TallyReader, numberOfKeys: number, isBounded = false): ListForm {
    const repeated = this.#repeated(plan)
    if (repeated) return repeated.form
    const { operation, page } = plan
    const size = (page?.pageSize ?? 0) > largePageSize ? ';large' : ''
    // The times of pages with many skipped records say nothing about the first pages.
    const position = isFarByTally(plan, numberOfKeys) ? ';far' : isDeepPage(plan, minOffset) ? ';deep' : ''
    const key = `${operation.api}/${operation.path} ${listKey(plan)};${numberOfKeys}${position}${size}`
    const form = this.#forms.get(key, () =>
      this.#createForm(key, plan, tallies.countParts(plan, numberOfKeys), isBounded),
    )
    if (isRepeatable(plan)) this.#repeatableLists.set(plan.conditions, { plan, form })
    return form
  }

  /** The form of a list of history entries that stored numbers count. */
  ofEntries(plan: ListPlan): ListForm {
    const repeated = this.#repeated(plan)
    if (repeated) return repeated.form
    const { operation, page } = plan
    const position = isFarPage(plan, minOffset) ? ';far' : ''
    const size = (page?.pageSize ?? 0) > largePageSize ? ';large' : ''
    const key = `${operation.api}/${operation.path} ${listKey(plan)};counts${position}${size}`
    const form = this.#forms.get(key, () => this.#createForm(key, plan, entryCountingOf(plan), false))
    if (isRepeatable(plan)) this.#repeatableLists.set(plan.conditions, { plan, form })
    return form
  }

  /** The cache key of the total of a list. */
  totalKey(form: ListForm, plan: ListPlan): string {
    const repeated = this.#repeated(plan)
    if (!repeated) return form.totalKey(plan)
    repeated.totalKey ??= form.totalKey(plan)
    return repeated.totalKey
  }

  /** Avoids writing the keys of form and total, which takes longer than everything else but the read itself. */
  #repeated(plan: ListInput): RepeatableList | undefined {
    const repeatable = this.#repeatableLists.get(plan.conditions)
    return repeatable && isRepeatable(plan) && isSameQuery(plan, repeatable.plan) ? repeatable : undefined
  }

  #createForm(key: string, plan: ListInput, counting: CountParts | undefined, isBounded: boolean): ListForm {
    const countStatement = lazy(() => compile<ListInput>(countQuery(sqliteDialect, plan)))
    const options = { counting, isDeep: isDeepPage(plan, minOffset) }
    const query = (isMeasuring: boolean) =>
      listQuery(sqliteDialect, plan, { ...options, guard: guardOf(plan, { isBounded, isMeasuring }) })
    return {
      hasLongString: false,
      withoutGuard: lazy(() => prepare(this.#database, listQuery(sqliteDialect, plan, options))),
      guarded: lazy(() => prepare(this.#database, query(this.#hasThreads && !('limits' in this.#database)))),
      forThread: lazy(() => compile(query(false))),
      totalKey: (input) => `${key}${valuesKey(countStatement().bind(input))}`,
      withTotal: lazy(() => this.#createForm(key, plan, cachedTotal, isBounded)),
    }
  }
}

/** Whether only the query determines the list: no parent, and no caller. */
function isRepeatable({ ancestors, rowFilter, unlabelled }: ListInput): boolean {
  return ancestors.length === 0 && !rowFilter && !unlabelled
}

function isSameQuery(first: ListInput, second: ListInput): boolean {
  return (
    first.operation === second.operation &&
    first.order === second.order &&
    first.include === second.include &&
    first.page === second.page
  )
}

/** Bound values as one unambiguous string. */
function valuesKey(values: readonly unknown[]): string {
  let text = ''
  for (const value of values) text += typeof value === 'string' ? ` ${value.length}:${value}` : ` ${value}`
  return text
}

/** The plan contains the total. */
const cachedTotal: CountParts = { total: slot<ListInput>((plan) => plan.total) }

/** The counting parts of a statement for a list of history entries. */
export function entryCountingOf(plan: ListPlan): CountParts {
  return entryCounting(sqliteDialect, plan, { hasDeltas: false, isFar: isFarPage(plan, minOffset) })
}

/** Creates a value on first use. */
function lazy<Result>(create: () => Result): () => Result {
  let result: Result | undefined
  return () => {
    result ??= create()
    return result
  }
}
