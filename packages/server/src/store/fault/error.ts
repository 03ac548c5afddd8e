/** The errors that stores throw. */

/** Thrown by a store that is closed or cannot be reached. Nothing was changed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Thrown if the database no longer has the schema that the service was opened with. */
export class OutdatedSchema extends StoreUnavailable {
  constructor(options?: ErrorOptions) {
    super('Another version of the service changed the database schema. Restart this instance.', options)
  }
}

/** Thrown if the connection to the database broke, and nothing was written. */
export class ConnectionLost extends StoreUnavailable {}

/** Thrown if a concurrent write interfered, so that the write must be decided again. Nothing was changed. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}

/** Thrown if the connection broke during a write whose outcome is unknown. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** Thrown if a list takes longer than the store allows. */
export class QueryTimeout extends Error {
  override readonly name = 'QueryTimeout'
}

/** Thrown if too many slow lists are requested at once. Other requests are not affected. */
export class TooManyLists extends Error {
  override readonly name = 'TooManyLists'
}

/** Thrown if a list has more bytes than one response may have. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  readonly maxBytes: number

  constructor(maxBytes: number, options?: ErrorOptions) {
    super(`The list is larger than ${maxBytes} bytes.`, options)
    this.maxBytes = maxBytes
  }
}

/** Thrown if a transaction took longer than its limit. Nothing was changed. */
export class TransactionTimeout extends Error {
  override readonly name = 'TransactionTimeout'
  readonly limitMs: number

  constructor(limitMs: number) {
    super(`The transaction took longer than ${limitMs} ms and was rolled back.`)
    this.limitMs = limitMs
  }
}
