/** How a large number of users is made of a small one: by copies, each with names that nobody else has. */

/** So many users the service makes itself. */
export const base = 100_000

/** What must differ between all users, and its folded form. */
const unique = ['username', 'email', 'email_folded']

/** The users of the base once more, their identities behind all others; the columns are those that can be written. */
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

/** The numbers of the copies that make so many users, the base itself being 0. */
export function copiesOf(users: number): number[] {
  return Array.from({ length: Math.ceil(users / base) - 1 }, (_, index) => index + 1)
}
