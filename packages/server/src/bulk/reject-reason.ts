/** The reason why the database rejected a row, as a sentence. */
import { quoted, sentence } from '../foundation/quoted.ts'
import type { MissingTarget, Rejection } from '../store/outcome.ts'

/** `name` is the name of the noun or link. */
export function rejectReason(name: string, rejection: Rejection): string {
  switch (rejection.reason) {
    case 'taken': {
      const values = rejection.taken.map(({ field, value }) => `${field} ${quoted(value)}`)
      return `Another ${name} has ${values.join(' and ')}.`
    }
    case 'no-target':
      return rejection.missing.map((target) => `${missingDetail(target)}.`).join(' ')
    case 'transition':
      return `${rejection.field} cannot change from ${quoted(rejection.from)} to ${quoted(rejection.to)}.`
    case 'rule':
      return sentence(rejection.breach.detail)
    case 'shared-value': {
      const { field, noun, count } = rejection
      const records = `${count} ${noun} ${count === 1 ? 'record' : 'records'}`
      return `The ${field} cannot change: the ${name} is linked to ${records}, and linked records must have the same ${field}.`
    }
    default:
      return `The database rejected the row (${rejection.reason}).`
  }
}

/** Why a reference is invalid, without a full stop. */
export function missingDetail({ field, value, tenant }: MissingTarget): string {
  const target = `${field} ${quoted(value)}`
  return tenant === undefined ? `${target} does not exist` : `${target} belongs to another tenant, ${quoted(tenant)}`
}
