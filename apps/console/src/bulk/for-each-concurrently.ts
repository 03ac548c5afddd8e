/** Runs an asynchronous task for many items, with limited concurrency. */

/** Concurrent requests: a browser opens this number of connections to one host. */
const concurrency = 6

export async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const go = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, go))
}
