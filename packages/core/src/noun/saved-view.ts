/** The noun of saved views: lists of the admin console under a name, for all users. */
import { identity, text } from '../field/kinds.ts'
import { createdAt, updatedAt } from '../field/managed-kinds.ts'
import { noun } from './noun.ts'

/**
 * The noun of saved views. If an API has it, users of the admin console can share their views of lists.
 *
 * @example
 * ```ts
 * const user = noun('user', { id: identity(), email: email() })
 * const directory = api('directory', {
 *   versioning: 'per-noun',
 *   writes: 'nested',
 *   resources: [resource(user), resource(savedView)],
 * })
 * ```
 */
export const savedView = noun(
  'saved-view',
  {
    id: identity(),
    name: text({ minLength: 1, maxLength: 80 }).example('Suspended users'),
    path: text({ minLength: 1, maxLength: 500 }).description('The path of the list.').example('/user'),
    query: text({ maxLength: 8000 })
      .default('')
      .description(
        'The query of the list: filters, sort and page size, and the names of the shown columns in `_columns`.',
      )
      .example('status=SUSPENDED&sort=lastName'),
    created: createdAt(),
    lastUpdated: updatedAt(),
  },
  {
    label: 'name',
    description: 'Filters, sort and columns of a list under a name, which all users of the console see.',
  },
)
