/** Keeps the queries of a page current: reloads those of changed records. */

/** The method of TanStack Query's `QueryClient` that this file calls. */
interface QueryInvalidator {
  invalidateQueries(filters: { readonly queryKey: readonly string[] }): unknown
}

/** The fields of a history entry that this file reads. */
interface ChangedRecord {
  /** The noun and the ID of the record: `user/7`. */
  readonly record: string
  /** The other record of a link, or the owner of the record. */
  readonly linked: string | null
}

/** The time between the first change and the reload, so that many changes cause one reload. */
const collectMs = 250

/**
 * Follows changes and invalidates the queries of changed nouns in TanStack Query: those whose key begins with the name of the noun, such
 * as `['user', 'list', query]`. It runs until the changes end.
 *
 * @example
 * ```ts
 * async function* changes() {
 *   yield { record: 'user/7', linked: null } // or: yield* api.change.follow()
 * }
 * await invalidateOnChange({ invalidateQueries: console.log }, changes()) // { queryKey: ['user'] }
 * ```
 */
export async function invalidateOnChange(
  queryClient: QueryInvalidator,
  changes: AsyncIterable<ChangedRecord>,
): Promise<void> {
  const nouns = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const invalidate = () => {
    timer = undefined
    for (const noun of nouns) void queryClient.invalidateQueries({ queryKey: [noun] })
    nouns.clear()
  }
  try {
    for await (const { record, linked } of changes) {
      for (const name of [record, linked]) if (name !== null) nouns.add(name.replace(/\/.*$/s, ''))
      timer ??= setTimeout(invalidate, collectMs)
    }
  } finally {
    clearTimeout(timer)
    invalidate()
  }
}
