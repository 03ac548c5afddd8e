/** Why a database refused a row, in words. */
import { quoted, sentence } from '../foundation/quoted.ts'
import type { Refusal } from '../store/outcome.ts'

/** `name` is that of the noun or link. */
export function rejectReason(name: string, refusal: Refusal): string {
  switch (refusal.reason) {
    case 'taken': {
      const parts = refusal.taken.map(({ field, value }) => `${field} ${quoted(value)}`)
      return `Another ${name} has ${parts.join(' and ')}.`
    }
    case 'no-target':
      return refusal.missing.map(({ field, value }) => `${field} ${quoted(value)} does not exist.`).join(' ')
    case 'transition':
      return `${refusal.field} cannot become ${quoted(refusal.to)} from ${quoted(refusal.from)}.`
    case 'rule':
      return sentence(refusal.breach.detail)
    case 'not-shared': {
      const records =
        refusal.count === 1 ? `1 ${refusal.noun} that has` : `${refusal.count} ${refusal.noun} records that have`
      return `The ${name} is linked with ${records} its present ${refusal.field}.`
    }
    default:
      return `The database refused it (${refusal.reason}).`
  }
}
