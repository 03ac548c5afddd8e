/** Thrown where someone else has written meanwhile what a batch was decided on: it is undone, and tried again. */

export class BatchConflict extends Error {
  override readonly name = 'Overtaken'
}
