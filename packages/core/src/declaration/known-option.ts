/** Options of a declaration: a name that nobody reads is a mistake, not a wish. */

import { nearest } from '../naming/nearest.ts'
import { DeclarationError } from './error.ts'

export function checkKnown(subject: string, options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) refuseUnknown(subject, 'its declaration', name, names)
  }
}

export function checkOneOf(subject: string, option: string, given: unknown, values: readonly string[]): void {
  if (values.includes(given as string)) return
  throw new DeclarationError(
    subject,
    `${option} is ${JSON.stringify(given)}.`,
    `use one of ${values.map((value) => `'${value}'`).join(', ')}.`,
  )
}

/** Of a name that is none of those that there are. */
export function refuseUnknown(subject: string, place: string, name: string, names: Iterable<string>): never {
  const all = [...names]
  const near = nearest(name, all)
  throw new DeclarationError(
    subject,
    `${place} names "${name}", which it does not have.`,
    near ? `did you mean "${near}"?` : `use one of ${all.join(', ')}.`,
  )
}
