/** Errors of a batch, which is rolled back and tried again. */

/** Thrown if another writer changed records that the decisions of a batch were based on. */
export class BatchConflict extends Error {
  override readonly name = 'BatchConflict'
}

/** Thrown if a trigger of the database has dropped a row. */
export class DroppedRow extends Error {
  override readonly name = 'DroppedRow'
}
