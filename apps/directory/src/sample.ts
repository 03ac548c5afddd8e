/** The sample data of the directory: the same every time, drawn row by row so that a million users need no memory. */
import { actionRows, applicationRows, roleActionRows, roleRows, userRoleRows } from './sample/access.ts'
import { departmentRows } from './sample/department.ts'
import { preferenceRows } from './sample/preference.ts'
import { savedViewRows } from './sample/saved-view.ts'
import { userRows } from './sample/user.ts'

/** The rows of one stored noun; they can be walked more than once. */
interface SampleNoun {
  noun: string
  rows: Iterable<Record<string, unknown>>
}

/** The pairs of one link, in the order of the two nouns that it names. */
interface SampleLink {
  link: [string, string]
  rows: Iterable<[number, number]>
}

/**
 * Rows for an empty database in the order in which they can be inserted: referenced nouns first, links last, and no
 * user before the supervisor. 0 users give no rows at all. A larger sample begins with the users of a smaller one.
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
