/** The errors that stores throw. */

/** Thrown by a store that is closed, or cannot be reached now. Nothing has changed then. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Thrown if the connection to the database broke, and nothing was written. */
export class ConnectionLost extends StoreUnavailable {}

/** Thrown if another write came in between, so that the write must be decided again. Nothing has changed then. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}

/** Thrown if the connection to the database broke during a write, which may have been done or not. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** Thrown if a list takes longer than the store allows. */
export class QueryTimeout extends Error {
  override readonly name = 'TooExpensive'
}

/** Thrown if more lists that take long are asked for than the store reads at once. Other requests go on meanwhile. */
export class TooManyLists extends Error {
  override readonly name = 'TooManyLists'
}

/** Thrown if the records of a list are more text than one response may have. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  readonly maxBytes: number

  constructor(maxBytes: number, options?: ErrorOptions) {
    super(`A list came to more than ${maxBytes} bytes.`, options)
    this.maxBytes = maxBytes
  }
}

/** Thrown if a transaction took longer than it may. Nothing has changed then. */
export class TransactionTimeout extends Error {
  override readonly name = 'Overdue'
  readonly limit: number

  /** In milliseconds. */
  constructor(limit: number) {
    super(`The transaction took longer than ${limit} ms and was rolled back.`)
    this.limit = limit
  }
}
