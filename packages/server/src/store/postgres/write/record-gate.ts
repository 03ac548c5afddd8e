/**
 * Limits the concurrent writes of one record. Each waits for the lock of the one before it: with many of them, or if
 * another program has locked the record, they would occupy all connections, and writes of other records would have to wait.
 */
import type { Outcome } from '../../outcome.ts'
import type { WritePlan } from '../../plan.ts'
import { Semaphore } from '../../transaction/semaphore.ts'

/** While one is committed, the next is already on the server. */
const maxConcurrentWrites = 2

/** How long a write waits for others of the same record. */
const timeoutMs = 5000

interface Gate {
  readonly semaphore: Semaphore
  users: number
}

export class RecordGate {
  readonly #gates = new Map<string, Gate>()

  async enter(plan: WritePlan, work: () => Promise<Outcome>): Promise<Outcome> {
    if (plan.kind === 'create') return work()
    const record = `${plan.operation.path} ${plan.ancestors.join()} ${plan.key}`
    const gate = this.#gates.get(record) ?? {
      semaphore: new Semaphore(maxConcurrentWrites, 'Other writes of the record were running or waiting'),
      users: 0,
    }
    this.#gates.set(record, gate)
    gate.users++
    try {
      return await gate.semaphore.enter(work, timeoutMs)
    } finally {
      if (--gate.users === 0) this.#gates.delete(record)
    }
  }
}
