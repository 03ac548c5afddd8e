/** Changes without a form: the allowed next states, and booleans. */

import { text } from '../../language/language.ts'
import type { Collection } from '../service/service.ts'
import { choiceTitle } from '../title.ts'
import { type Field, fieldsOf } from './field.ts'

export interface QuickChange {
  readonly field: Field
  /** The allowed next values. */
  next(value: unknown): readonly unknown[]
  title(value: unknown): string
}

function stateTitle({ choices }: Field, value: unknown): string {
  return value === null ? text().common.valueNone : choiceTitle(value, choices)
}

export function quickChanges({ operations: { update } }: Collection): readonly QuickChange[] {
  if (!update?.body) return []
  return fieldsOf(update.body).flatMap((field): readonly QuickChange[] => {
    if (field.isReadOnly) return []
    const { transitions, kind, isNullable } = field
    if (transitions)
      return [{ field, next: (value) => transitions[`${value}`] ?? [], title: (value) => stateTitle(field, value) }]
    if (kind !== 'boolean' || isNullable) return []
    return [
      {
        field,
        next: (value) => [value !== true],
        title: (value) => (value ? text().common.valueYes : text().common.valueNo),
      },
    ]
  })
}
