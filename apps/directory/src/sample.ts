/** The sample data of the directory. It is always the same, and generated row by row, so that a million users need little memory. */
import { actionRows, applicationRows, roleActionRows, roleRows, userRoleRows } from './sample/access.ts'
import { departmentRows } from './sample/department.ts'
import { preferenceRows } from './sample/preference.ts'
import { savedViewRows } from './sample/saved-view.ts'
import { userRows } from './sample/user.ts'

/** The rows of one noun. They can be iterated several times. */
interface SampleNoun {
  noun: string
  rows: Iterable<Record<string, unknown>>
}

/** The pairs of IDs of one link, in the order of its nouns. */
interface SampleLink {
  link: [string, string]
  rows: Iterable<[number, number]>
}

/**
 * Rows for an empty database, in the order in which they can be inserted: referenced nouns first, links last, and each
 * supervisor before their users. No rows for 0 users. A larger sample begins with the users of a smaller one.
 */
export function sample(numberOfUsers: number): (SampleNoun | SampleLink)[] {
  if (!Number.isSafeInteger(numberOfUsers) || numberOfUsers < 0) {
    throw new RangeError(`The number of users must be a whole number of at least 0, but is ${numberOfUsers}.`)
  }
  if (numberOfUsers === 0) return []
  return [
    { noun: 'department', rows: walk(departmentRows) },
    { noun: 'user', rows: walk(() => userRows(numberOfUsers)) },
    { noun: 'preference', rows: walk(() => preferenceRows(numberOfUsers)) },
    { noun: 'application', rows: walk(applicationRows) },
    { noun: 'role', rows: walk(roleRows) },
    { noun: 'action', rows: walk(actionRows) },
    { noun: 'saved-view', rows: walk(savedViewRows) },
    { link: ['user', 'role'], rows: walk(() => userRoleRows(numberOfUsers)) },
    { link: ['role', 'action'], rows: walk(roleActionRows) },
  ]
}

function walk<Row>(rows: () => Iterator<Row>): Iterable<Row> {
  return { [Symbol.iterator]: rows }
}
