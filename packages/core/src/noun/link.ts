/** A link: a many-to-many relation between two nouns, stored as pairs of their identities. */
import { DeclarationError } from '../declaration/error.ts'
import { type AnyNoun, type FieldName, targetOf } from './noun.ts'
import { checkStoredName } from './stored-name.ts'

export interface LinkOptions<Shared extends string = string> {
  /**
   * A reference that both nouns bear, `sharing: 'applicationRef'`: only records that share its value may be linked (422
   * otherwise).
   */
  readonly sharing?: Shared
  /** What a database calls the table of the pairs, where that is not the link's own name: `table: 'user_roles'`. */
  readonly table?: string
  /** What it calls the columns of the two identities, in the order of the nouns: `columns: ['user_id', 'role_id']`. */
  readonly columns?: readonly [string, string]
}

export interface Link<A extends AnyNoun, B extends AnyNoun> {
  readonly name: string
  readonly nouns: readonly [A, B]
  readonly sharing?: string
  readonly table?: string
  readonly columns?: readonly [string, string]
}

export type AnyLink = Link<AnyNoun, AnyNoun>

/**
 * Declares that records of two nouns may be linked, each with any number of the other.
 *
 * ```ts
 * export const roleAction = link(role, action, { sharing: 'applicationRef' })
 * ```
 */
export function link<A extends AnyNoun, B extends AnyNoun>(
  first: A,
  second: B,
  options: LinkOptions<FieldName<A> & FieldName<B>> = {},
): Link<A, B> {
  const name = `${first.name}-${second.name}`
  const subject = `link "${name}"`
  if (first.name === second.name) {
    throw new DeclarationError(
      subject,
      'links a noun with itself.',
      'declare a noun of its own for the pair, with two references (such as follower and followed).',
    )
  }
  const { sharing, ...stored } = options
  checkStored(subject, stored)
  if (sharing === undefined) return { name, nouns: [first, second], ...stored }
  for (const noun of [first, second]) {
    if (noun.fields[sharing]?.spec.kind !== 'reference') {
      throw new DeclarationError(
        subject,
        `shares "${sharing}", which is no reference of "${noun.name}".`,
        'name a reference that both nouns bear.',
      )
    }
  }
  return { name, nouns: [first, second], sharing, ...stored }
}

function checkStored(subject: string, { table, columns }: Pick<LinkOptions, 'table' | 'columns'>): void {
  if (table !== undefined) checkStoredName(subject, 'table', table)
  for (const column of columns ?? []) checkStoredName(subject, 'column', column)
  if (columns && columns[0].toLowerCase() === columns[1].toLowerCase())
    throw new DeclarationError(subject, `both its columns are "${columns[0]}".`, 'name one for each noun.')
}

/** Where the field that linked records share points to the same noun from both sides. Checked once nouns are complete. */
export function checkLink({ name, nouns: [first, second], sharing }: AnyLink): void {
  if (sharing !== undefined && targetOf(first, sharing) !== targetOf(second, sharing)) {
    throw new DeclarationError(
      `link "${name}"`,
      `"${sharing}" points at different nouns.`,
      'share a reference to one noun.',
    )
  }
}
