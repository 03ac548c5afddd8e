/** Runs an asynchronous task for many items, with limited concurrency. */

/** Concurrent requests: a browser opens this number of connections to one host. */
const concurrency = 6

export async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items.values()
  const workThroughItems = async () => {
    for (const item of remaining) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, workThroughItems))
}
