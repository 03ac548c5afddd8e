/** A link: a many-to-many relation between two nouns, stored as pairs of their identities. */
import { declare } from '../declaration/collect.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkOptionNames, formatValue } from '../declaration/known-option.ts'
import { type AnyNoun, targetOf } from './noun.ts'
import type { FieldName } from './record-type.ts'
import { checkStoredName } from './stored-name.ts'

/** Options of a link. `Shared` are the field names that both nouns have. */
export interface LinkOptions<Shared extends string = string> {
  /**
   * A reference that both nouns have, `sharing: 'applicationRef'`. Only records with the same value may be linked; others
   * get 422.
   */
  readonly sharing?: Shared
  /**
   * The name of the join table: `table: 'user_roles'`.
   *
   * @default the link's name, such as `user-role`
   */
  readonly table?: string
  /** The columns of the two IDs in the join table, in the order of the nouns: `columns: ['user_id', 'role_id']`. */
  readonly columns?: readonly [string, string]
}

/** A link: a many-to-many relation, as `link()` returns it. */
export interface Link<A extends AnyNoun, B extends AnyNoun> {
  /** The names of both nouns: `user-role`. */
  readonly name: string
  readonly nouns: readonly [A, B]
  readonly sharing?: string
  readonly table?: string
  readonly columns?: readonly [string, string]
}

/** Any link, whatever its nouns. */
export type AnyLink = Link<AnyNoun, AnyNoun>

/**
 * Declares a many-to-many relation between two nouns, stored in a join table. A resource uses it with
 * `via`; clients then link two records with PUT and unlink them with DELETE.
 *
 * @example
 * ```ts
 * export const roleAction = link(role, action, { sharing: 'applicationRef' })
 * resource(role, { children: [resource(action, { via: roleAction })] }) // PUT /role/{roleId}/action/{id}
 * ```
 *
 * @throws DeclarationError if both nouns are the same or an option is invalid
 */
export function link<A extends AnyNoun, B extends AnyNoun>(
  first: A,
  second: B,
  options: LinkOptions<FieldName<A> & FieldName<B>> = {},
): Link<A, B> {
  const name = `${first.name}-${second.name}`
  return declare({ name, nouns: [first, second] as const, ...options }, [first, second], () =>
    checkLinkOptions(`link "${name}"`, [first, second], options),
  )
}

function checkLinkOptions(
  subject: string,
  nouns: readonly [AnyNoun, AnyNoun],
  { sharing, ...tableOptions }: LinkOptions,
): void {
  checkOptionNames(subject, tableOptions, ['sharing', 'table', 'columns'])
  if (nouns[0].name === nouns[1].name) {
    throw new DeclarationError(
      subject,
      'a link must join two different nouns.',
      'declare a noun for the pair, with two references such as follower and followed.',
    )
  }
  checkTableNames(subject, tableOptions)
  if (sharing === undefined) return
  for (const noun of nouns) {
    if (noun.fields[sharing]?.spec.kind !== 'reference') {
      throw new DeclarationError(
        subject,
        `the option "sharing" is "${sharing}", which is not a reference field of "${noun.name}".`,
        'use a reference that both nouns have.',
      )
    }
    if (noun.fields[sharing].spec.scope !== undefined) {
      throw new DeclarationError(
        subject,
        `"${sharing}" of "${noun.name}" has visibleTo(), so it cannot be used in the option "sharing".`,
        'remove visibleTo() or sharing.',
      )
    }
  }
}

function checkTableNames(subject: string, { table, columns }: Pick<LinkOptions, 'table' | 'columns'>): void {
  if (table !== undefined) checkStoredName(subject, 'table', table)
  if (columns !== undefined && (!Array.isArray(columns) || columns.length !== 2))
    throw new DeclarationError(
      subject,
      `columns must be the names of two columns, not ${formatValue(columns)}.`,
      'write both in the order of the nouns.',
    )
  for (const column of columns ?? []) checkStoredName(subject, 'column', column)
  if (columns && columns[0].toLowerCase() === columns[1].toLowerCase())
    throw new DeclarationError(subject, `both columns are "${columns[0]}".`, 'use a different column for each noun.')
}

/** Checks that the shared field refers to the same noun on both sides. It runs when all nouns are declared. */
export function checkLink({ name, nouns: [first, second], sharing }: AnyLink): void {
  if (sharing !== undefined && targetOf(first, sharing) !== targetOf(second, sharing)) {
    throw new DeclarationError(
      `link "${name}"`,
      `"${sharing}" refers to "${targetOf(first, sharing).name}" in "${first.name}" and to "${targetOf(second, sharing).name}" in "${second.name}".`,
      'use a reference that refers to the same noun in both.',
    )
  }
}
