/** Delivers entries concurrently, but those of one record one after the other. */
import type { Entry } from './consumer.ts'

/** The number of concurrent deliveries of a consumer. */
const maxConcurrent = 8

/** When this many entries have failed, the consumer is probably unavailable, and the other entries wait, too. */
export const maxFailed = 8

export interface DeliveryRound {
  /** The IDs of delivered entries, which are skipped. New ones are added. */
  readonly delivered: Set<number>
  /** The IDs of entries that have failed. They wait, and so do later entries of their records. New ones are added. */
  readonly failed: Set<number>
  readonly canStart: () => boolean
  /** Returns whether the entry was delivered. */
  readonly deliver: (entry: Entry) => Promise<boolean>
}

/** Resolves when no delivery is in flight. After an error, it starts no further delivery, and rejects in the end. */
export async function deliverInOrder(
  entries: readonly Entry[],
  { delivered, failed, canStart, deliver }: DeliveryRound,
): Promise<void> {
  const running = new Set<number>()
  const errors: unknown[] = []
  const nextEntry = (): Entry | undefined => {
    const blocked = new Set<string>()
    for (const entry of entries) {
      if (delivered.has(entry.id)) continue
      const records = recordsOf(entry)
      const isWaiting = !running.has(entry.id) && !failed.has(entry.id)
      if (isWaiting && !records.some((record) => blocked.has(record))) return entry
      for (const record of records) blocked.add(record)
    }
    return undefined
  }
  await new Promise<void>((resolve) => {
    const start = () => {
      while (running.size < maxConcurrent && failed.size < maxFailed && errors.length === 0 && canStart()) {
        const entry = nextEntry()
        if (!entry) break
        running.add(entry.id)
        deliver(entry)
          .then(
            (isDelivered) => (isDelivered ? delivered : failed).add(entry.id),
            (error) => errors.push(error),
          )
          .then(() => {
            running.delete(entry.id)
            start()
          })
      }
      if (running.size === 0) resolve()
    }
    start()
  })
  if (errors.length > 0) throw errors[0]
}

function recordsOf({ record, linked }: Entry): readonly string[] {
  return linked === null ? [record] : [record, linked]
}
