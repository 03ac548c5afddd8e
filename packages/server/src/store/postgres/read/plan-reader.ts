/** Runs reads, on any connection or on that of a transaction. */
import type { Operation } from '@nomen/core'
import { LruCache } from '../../../foundation/lru-cache.ts'
import { TooLarge } from '../../fault/error.ts'
import { faultOf } from '../../fault/fault.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Outcome } from '../../outcome.ts'
import type { ListPlan, ReadPlan } from '../../plan.ts'
import { rowFilterKey } from '../../sql/condition-key.ts'
import { estimatedMs } from '../../sql/list/cost.ts'
import type { RecordInput } from '../../sql/record-query.ts'
import type { Reads } from '../connect/database.ts'
import { compile, type Statement } from '../statement.ts'
import { readBelow } from '../write/path-query.ts'
import { ListSpeed } from './list-speed.ts'
import { listForm } from './list-statement.ts'
import { missingAncestor, outcomeOfRow } from './row-outcome.ts'

/** How many forms of filtered and sorted lists stay compiled. */
const maxListForms = 500

/** How many forms of reads with a row filter stay compiled. */
const maxFilteredForms = 500

/** The estimated time up to which a list counts as small. */
const smallMs = 50

export class PlanReader {
  readonly #model: Model
  readonly #maxListBytes: number
  readonly #maxRecords: (noun: string) => number | undefined
  readonly #lists = new LruCache<{ readonly statement: Statement<ListPlan>; readonly speed: ListSpeed }>(maxListForms)
  readonly #records = new Map<Operation, Statement<RecordInput>>()
  readonly #filteredRecords = new LruCache<Statement<RecordInput>>(maxFilteredForms)

  /** `maxRecords` returns the maximum number of records of a noun, if it is known. */
  constructor(model: Model, maxListBytes: number, maxRecords: (noun: string) => number | undefined) {
    this.#model = model
    this.#maxListBytes = maxListBytes
    this.#maxRecords = maxRecords
  }

  read(plan: ListPlan | ReadPlan, from: Reads): Promise<Outcome> {
    return plan.kind === 'list' ? this.#list(plan, from) : this.#record(plan, from)
  }

  async #list(plan: ListPlan, from: Reads): Promise<Outcome> {
    const { operation } = plan
    const stored = this.#model.nouns.get(operation.shape.noun.name) as StoredNoun
    const { key, build, isBounded } = listForm(stored, plan, this.#maxListBytes)
    const { statement, speed } = this.#lists.get(key, () => ({ statement: build(), speed: new ListSpeed(isBounded) }))
    const use = speed.connectionUse(isBounded || this.#isSmall(plan))
    const [row = []] = await from
      .read(statement, plan, { use, recordDuration: (tookMs) => speed.recordDuration(tookMs) })
      .catch((error) => {
        // A list that is too large for the server is too large for the service.
        throw faultOf(error) === 'too-long' ? new TooLarge(this.#maxListBytes, { cause: error }) : error
      })
    const missing = missingAncestor(row.slice(2))
    if (missing) return missing
    if (row[1] === null) throw new TooLarge(this.#maxListBytes)
    return { kind: 'list', json: row[1] as string, numberOfRecords: Number(row[0]) }
  }

  /** Whether a list is fast even if it reads every record. */
  #isSmall(plan: ListPlan): boolean {
    const records = this.#maxRecords(plan.operation.shape.noun.name)
    return records !== undefined && estimatedMs(plan, records) <= smallMs
  }

  async #record(plan: ReadPlan, from: Reads): Promise<Outcome> {
    const [row] = await from.readShort(this.#readStatement(plan), plan)
    return outcomeOfRow(plan.operation, row)
  }

  #readStatement({ operation, rowFilter }: ReadPlan): Statement<RecordInput> {
    const build = () => compile<RecordInput>(readBelow(operation, operation.shape, rowFilter))
    if (rowFilter)
      return this.#filteredRecords.get(`${operation.api} ${operation.path} ${rowFilterKey(rowFilter)}`, build)
    const statement = this.#records.get(operation) ?? build()
    this.#records.set(operation, statement)
    return statement
  }
}
