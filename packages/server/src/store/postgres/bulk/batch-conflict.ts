/**
 * Thrown if another writer changed records that the decisions of a batch were based on: the batch is rolled back and
 * retried.
 */

export class BatchConflict extends Error {
  override readonly name = 'BatchConflict'
}
