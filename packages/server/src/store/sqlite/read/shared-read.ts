/** Shares one read transaction among the reads of one turn of the event loop, because a transaction costs as much as a read. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** The methods that readers need. */
export type ReadScope = Pick<SharedRead, 'read' | 'pin' | 'end'>

/** For reads within a transaction that ends by itself, and whose state changes with every write. */
export function transactionReads(): ReadScope {
  let pinned = 0
  return { read: () => {}, pin: () => ++pinned, end: () => {} }
}

export class SharedRead {
  readonly #database: DatabaseSync
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  #reads = 0
  #transaction = 0
  /** Whether a request has arrived in this turn, so that reads may share a transaction. */
  #isShared = false
  #isEndPlanned = false
  /** Whether the open transaction belongs to other code. */
  isSuspended = false

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#begin = database.prepare('begin')
    this.#commit = database.prepare('commit')
  }

  /**
   * Called when a request arrives. All requests of one poll phase were sent before it, so one state is new enough for
   * them. An earlier transaction may be too old: the client may already know a later write of another process.
   */
  onRequest(): void {
    if (this.#isShared) return
    this.end()
    this.#isShared = true
    this.#scheduleEnd()
  }

  /** Called before every read. The first read of a turn gets its own transaction, because most turns have only one. */
  read(): void {
    if (!this.#isShared) this.end()
    else if (++this.#reads > 1) this.pin()
  }

  /**
   * Ensures that later reads of the same turn see one state of the database. Returns the number of the transaction: while
   * it stays the same, so does the state.
   */
  pin(): number {
    if (!this.#database.isTransaction) {
      this.#begin.run()
      this.#transaction++
      this.#scheduleEnd()
    }
    return this.#transaction
  }

  /** Ends the shared transaction, if there is one, before other code begins its own. */
  end(): void {
    this.#reads = 0
    // A disk fault may have ended the transaction.
    if (!this.isSuspended && this.#database.isOpen && this.#database.isTransaction) this.#commit.run()
  }

  /** setImmediate runs before sockets are polled again. */
  #scheduleEnd(): void {
    if (this.#isEndPlanned) return
    this.#isEndPlanned = true
    setImmediate(() => {
      this.#isEndPlanned = false
      this.#isShared = false
      this.end()
    })
  }
}
