/** The noun of history entries, which the database writes for nouns with `history: true`. */
import { choice, identity, text, timestamp } from '../field/kinds.ts'
import type { AnyLink } from './link.ts'
import { type AnyNoun, noun } from './noun.ts'

const maxNameLength = 200

/** The limit of OpenID Connect for `sub`. A text of this length fits into an index as a whole. */
const maxUserLength = 255

/**
 * The noun of history entries (audit log): one for each created, changed or deleted record, and for each added or removed link.
 * Declare it below a noun with `history: true`, or at the root for all changes. It is read-only.
 *
 * @example
 * ```ts
 * const user = noun('user', { id: identity(), email: email() }, { history: true })
 * const directory = api('directory', {
 *   versioning: 'per-noun',
 *   writes: 'nested',
 *   resources: [resource(user, { children: [resource(change)] }), resource(change)],
 * })
 * // GET /user/7/change, GET /change?record=user/7
 * ```
 */
export const change = noun(
  'change',
  {
    id: identity(),
    time: timestamp().indexed().description('When the change was made.'),
    noun: text({ maxLength: maxNameLength })
      .description('The noun of the record, or the name of the link.')
      .example('user'),
    record: text({ maxLength: maxNameLength })
      .indexed()
      .description('The noun and the ID of the record; for all records of the noun, its name alone.')
      .example('user/7'),
    linked: text({ maxLength: maxNameLength })
      .nullable()
      .indexed()
      .description('The noun and the ID of the other record of a link, or of the owner of the record.')
      .example('role/3'),
    kind: choice(
      'CREATED',
      'CHANGED',
      'DELETED',
      'LINKED',
      'UNLINKED',
      'ERASED',
      'STARTED',
      'MIGRATED',
      'ENTERED',
      'LEFT',
    )
      .unindexed()
      .description(
        'ERASED: earlier entries of the record were erased. STARTED, MIGRATED: the history of the noun begins, or a migration changed its fields. ENTERED, LEFT: with filters by fields of the record, changes after which it matches them, or no longer matches them.',
      )
      .example('CHANGED'),
    fields: text().nullable().description('The names of the changed fields.').example('email,status'),
    before: text()
      .nullable()
      .description('The values before the change, as a JSON object.')
      .example('{"email":"ada@a.test","status":"ACTIVE"}'),
    after: text()
      .nullable()
      .description('The values after the change, as a JSON object.')
      .example('{"email":"ada@example.com","status":"SUSPENDED"}'),
    user: text({ maxLength: maxUserLength }).nullable().indexed().description('The user who made the change.'),
    application: text().nullable().description('The application that sent the request.'),
    request: text().nullable().description('The ID of the request.'),
    transaction: text().nullable().description('The same value for all changes of one transaction.'),
  },
  { description: 'A change of a record: the time, the user, and the values before and after it.' },
)

/** Fields of entries that lists neither filter nor sort by, because they contain fields that not every caller may see. */
export const contentFields: readonly string[] = ['fields', 'before', 'after']

/**
 * Returns whether the changes of a noun's records, or of a link's pairs, are recorded.
 *
 * @example
 * ```ts
 * hasHistory(noun('user', { id: identity() }, { history: true })) // true
 * ```
 */
export function hasHistory(declaration: AnyNoun | AnyLink): boolean {
  return 'nouns' in declaration ? declaration.nouns.some(hasHistory) : declaration.options.history !== undefined
}
