/** The problems of a record that cannot be restored. */
import { type AnyNoun, hasHistory, ProblemError, problem, targetOf, type Value } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import type { Rejection } from '../../store/outcome.ts'

export function recordExists(noun: AnyNoun, identity: Value): ProblemError {
  const detail = `${subjectOf(noun, identity)} exists, so it cannot be restored.`
  return new ProblemError(problem('record-exists', { detail }))
}

function subjectOf(noun: AnyNoun, identity: Value): string {
  return `${noun.name} ${identity}`
}

/** The problem of a value that is no longer valid; without details if the caller may not see the field. */
export function invalidValue(
  noun: AnyNoun,
  identity: Value,
  details: { readonly field: string; readonly value: Value; readonly fault: string } | undefined,
): ProblemError {
  const reason = details
    ? `the value ${quoted(details.value)} of ${details.field} is no longer valid: it ${details.fault}`
    : 'it has a value that is no longer valid'
  return new ProblemError(
    problem('rule-broken', {
      detail: `${subjectOf(noun, identity)} cannot be restored: ${reason}.`,
      hint: 'The declaration has changed since the record was deleted. Create a new record.',
    }),
  )
}

/** The problem of a record that cannot be created as it was. It names only fields that the caller may see. */
export function cannotRestore(
  noun: AnyNoun,
  identity: Value,
  rejection: Rejection,
  isShown: (field: string) => boolean,
): ProblemError {
  const subject = `${subjectOf(noun, identity)} cannot be restored`
  if (rejection.reason === 'taken') {
    const values = rejection.taken.map(({ field, value }) =>
      isShown(field) ? `the ${field} ${quoted(value)}` : 'the value of a unique field',
    )
    return new ProblemError(
      problem('value-taken', {
        detail: `${subject}: another ${noun.name} has ${values.join(' and ')}.`,
        hint: 'Change or delete the other record first.',
      }),
    )
  }
  if (rejection.reason === 'no-target') {
    const targets = rejection.missing.map(({ field, value }) => {
      const target = targetOf(noun, field)
      return { target, text: isShown(field) ? `${target.name} ${value}` : `a ${target.name}` }
    })
    const isRestorable = targets.every(({ target }) => hasHistory(target))
    return new ProblemError(
      problem('reference-not-found', {
        detail: `${subject}: it references ${targets.map(({ text }) => text).join(' and ')}, which ${targets.length > 1 ? 'do' : 'does'} not exist.`,
        hint: isRestorable ? 'Restore the referenced record first.' : 'Create a new record instead.',
      }),
    )
  }
  throw new Error(`${subject}: it was rejected because of "${rejection.reason}".`)
}

/** The only reason to reject a link here: both records must have the same value of a field (`sharing`). */
export function cannotRestoreLink(record: string, linked: string, rejection: Rejection): ProblemError {
  const field = 'field' in rejection ? `${rejection.field}` : 'shared field'
  return new ProblemError(
    problem('rule-broken', {
      detail: `The link between ${record} and ${linked} cannot be restored: the two records no longer have the same ${field}.`,
      hint: `Change the ${field} of ${linked}, or delete ${linked}, and restore again.`,
    }),
  )
}
