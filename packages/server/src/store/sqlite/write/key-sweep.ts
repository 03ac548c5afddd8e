/** Removes answers under Idempotency-Keys whose time has passed, whether or not another key comes. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { timestamp } from '../../../foundation/timestamp.ts'
import { oldest } from './idempotency-keys.ts'
import type { WriteQueue } from './write-queue.ts'

/** How often, in milliseconds, and how many at a time: other writes go on in between. */
const pause = 60_000
const most = 1000

export class KeySweep {
  readonly #queue: WriteQueue
  readonly #find: StatementSync
  readonly #remove: StatementSync
  readonly #timer: NodeJS.Timeout

  constructor(database: DatabaseSync, queue: WriteQueue) {
    this.#queue = queue
    this.#find = database.prepare('select 1 from "_idempotency" where "created" < ? limit 1')
    this.#remove = database.prepare(
      `delete from "_idempotency" where "key" in (select "key" from "_idempotency" where "created" < ? limit ${most})`,
    )
    // What is left, because the database takes no writes now, goes the next time.
    this.#timer = setInterval(() => void this.#sweep().catch(() => {}), pause).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Of several processes the first one removes them, and the others find none. */
  async #sweep(): Promise<void> {
    const before = oldest(timestamp())
    while (this.#find.get(before)) await this.#queue.add(() => this.#remove.run(before))
  }
}
