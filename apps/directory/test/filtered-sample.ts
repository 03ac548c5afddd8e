/** The users of the sample that match a filter, and the expected users. */
import { sampleOf, type UserItem } from './record.ts'
import { openOnce } from './service.ts'

export const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id)

export const query = (pairs: readonly (readonly [string, unknown])[]) =>
  new URLSearchParams(pairs.map(([name, value]) => [name, `${value ?? ''}`])).toString()

/** Opens the directory with a sample of this many users for all tests of a file. */
export function filteredSample(size: number) {
  const directory = openOnce(size)
  const sample = sampleOf(size)
  const { users } = sample
  const idsWhere = (matches: (user: (typeof users)[number]) => boolean) => idsOf(users.filter(matches))
  /** The IDs of matching users of the sample. Records that other tests create have higher IDs. */
  const findIds = async (query: string, path = '/user') =>
    idsOf(await directory.listAll<UserItem>(`${path}?${query}`)).filter((id) => id <= size)
  return { ...directory, sample, users, idsWhere, findIds }
}
