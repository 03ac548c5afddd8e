/** Delivers entries concurrently, but those of one record one after the other. */
import type { Entry } from './consumer.ts'

/** The number of concurrent deliveries of a consumer. */
const maxConcurrent = 8

/** Returns the IDs of the delivered entries. After a failure, no further delivery is started. */
export async function deliverInOrder(
  entries: readonly Entry[],
  deliver: (entry: Entry) => Promise<boolean>,
): Promise<readonly number[]> {
  const delivered: number[] = []
  const waiting = new Set(entries)
  /** The records of the entries that are being delivered. */
  const busy = new Set<string>()
  let hasFailed = false
  const next = (): Entry | undefined => {
    // An entry also waits for earlier ones of its records that are still waiting.
    const blocked = new Set(busy)
    for (const entry of waiting) {
      const records = recordsOf(entry)
      if (!records.some((record) => blocked.has(record))) return entry
      for (const record of records) blocked.add(record)
    }
    return undefined
  }
  await new Promise<void>((resolve, reject) => {
    let running = 0
    const start = () => {
      while (running < maxConcurrent && !hasFailed) {
        const entry = next()
        if (!entry) break
        waiting.delete(entry)
        running++
        for (const record of recordsOf(entry)) busy.add(record)
        deliver(entry).then((isDelivered) => {
          if (isDelivered) delivered.push(entry.id)
          else hasFailed = true
          for (const record of recordsOf(entry)) busy.delete(record)
          running--
          start()
        }, reject)
      }
      if (running === 0) resolve()
    }
    start()
  })
  return delivered
}

function recordsOf({ record, linked }: Entry): readonly string[] {
  return linked === null ? [record] : [record, linked]
}
