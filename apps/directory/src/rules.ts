/** The validation rules of the directory. */
import { rule } from '@nomen/server'
import { preference, user } from './nouns.ts'

export const supervisedByAnother = rule(user, ['id', 'supervisor'], ({ id, supervisor }) =>
  supervisor !== null && supervisor === id
    ? {
        field: 'supervisor',
        detail: `User ${id} cannot be their own supervisor.`,
        hint: 'Set supervisor to another user, or to null.',
      }
    : undefined,
)

export const enabledOrValue = rule(preference, ['enabled', 'value'], ({ enabled, value }) => {
  if ((enabled === null) !== (value === null)) return undefined
  const detail =
    enabled === null ? 'The preference has neither enabled nor value.' : 'The preference has both enabled and value.'
  return { field: 'value', detail, hint: 'Set one of the two, and null for the other.' }
})
