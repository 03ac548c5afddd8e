/** Writes one row of a bulk load whose rules or assignments read other records, within an open transaction. */
import type { MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome } from '../outcome.ts'
import type { AsyncLogic, ListPlan, ReadPlan, Values } from '../plan.ts'
import type { BulkRow, RowOutcome } from './bulk.ts'
import { rejectedRow, withoutInputFields } from './decision.ts'

/** The new record of a row, and the existing record that it changes. */
export interface RowChange {
  readonly next: Values
  readonly previous?: Values
}

export interface RowTransaction {
  /** The change of a row; or its outcome, if nothing needs to be written. */
  plan(row: BulkRow): MaybePromise<RowChange | RowOutcome>
  write(row: BulkRow): MaybePromise<RowOutcome>
  read(plan: ListPlan | ReadPlan): MaybePromise<Outcome>
}

export async function writeWithAsyncLogic(
  row: BulkRow,
  asyncLogic: AsyncLogic,
  transaction: RowTransaction,
): Promise<RowOutcome> {
  const change = await transaction.plan(row)
  if ('kind' in change) return change
  const result = await asyncLogic(change.next, change.previous, (plan) => transaction.read(plan))
  if ('breach' in result) return rejectedRow({ reason: 'rule', breach: result.breach })
  const assigned = withoutInputFields(row, result.values)
  return transaction.write({
    ...row,
    values: { ...row.values, ...assigned },
    inputFields: [...new Set([...row.inputFields, ...Object.keys(assigned)])],
  })
}
