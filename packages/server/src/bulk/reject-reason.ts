/** The reason why the database rejected a row, as a sentence. */
import { quoted, sentence } from '../foundation/quoted.ts'
import type { MissingTarget, Refusal } from '../store/outcome.ts'

/** `name` is the name of the noun or link. */
export function rejectReason(name: string, refusal: Refusal): string {
  switch (refusal.reason) {
    case 'taken': {
      const values = refusal.taken.map(({ field, value }) => `${field} ${quoted(value)}`)
      return `Another ${name} has ${values.join(' and ')}.`
    }
    case 'no-target':
      return refusal.missing.map((target) => `${missingDetail(target)}.`).join(' ')
    case 'transition':
      return `${refusal.field} cannot change from ${quoted(refusal.from)} to ${quoted(refusal.to)}.`
    case 'rule':
      return sentence(refusal.breach.detail)
    case 'not-shared': {
      const { field, noun, count } = refusal
      const records = `${count} ${noun} ${count === 1 ? 'record' : 'records'}`
      return `The ${field} cannot change: the ${name} is linked to ${records}, and linked records must have the same ${field}.`
    }
    default:
      return `The database rejected the row (${refusal.reason}).`
  }
}

/** Why a reference is invalid, without a full stop. */
export function missingDetail({ field, value, tenant }: MissingTarget): string {
  const target = `${field} ${quoted(value)}`
  return tenant === undefined ? `${target} does not exist` : `${target} belongs to another tenant, ${quoted(tenant)}`
}
