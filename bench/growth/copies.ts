/** Creates many users by copying a smaller number, with unique names. */

/** The number of users that the service itself creates. */
export const base = 100_000

/** Columns with unique values, and their folded form. */
const unique = ['username', 'email', 'email_folded']

/** Inserts a copy of the base users, with identities after all others; `columns` are the writable ones. */
export function copyStatement(columns: readonly string[], copy: number, users: number): string {
  const offset = copy * base
  const value = (column: string) => {
    if (column === 'id') return `"id" + ${offset}`
    return unique.includes(column) ? `'${copy}.' || "${column}"` : `"${column}"`
  }
  const names = columns.map((column) => `"${column}"`).join(', ')
  const upTo = Math.min(base, users - offset)
  return `insert into "user" (${names}) select ${columns.map(value).join(', ')} from "user" where "id" <= ${upTo} order by "id"`
}

/** The numbers of the copies for this number of users; the base itself is 0. */
export function copiesOf(users: number): number[] {
  return Array.from({ length: Math.ceil(users / base) - 1 }, (_, index) => index + 1)
}
