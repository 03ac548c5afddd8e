/** Does the same with many things, some at a time. */

/** So many requests are under way at once: as many as a browser has connections to one host. */
const most = 6

export async function together<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const go = async () => {
    for (const one of waiting) await work(one)
  }
  await Promise.all(Array.from({ length: most }, go))
}
