/** Checks of the options of a declaration: unknown names and invalid values are errors. */

import { nearest } from '../naming/nearest.ts'
import { DeclarationError } from './error.ts'

export function checkOptionNames(subject: string, options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw unknownName(subject, `the option "${name}" does not exist.`, name, names)
  }
}

export function checkOneOf(subject: string, option: string, value: unknown, allowed: readonly string[]): void {
  if (allowed.includes(value as string)) return
  const fix = `use one of ${allowed.map((word) => `'${word}'`).join(', ')}.`
  throw new DeclarationError(subject, `${option} must not be ${formatValue(value)}.`, fix)
}

/** The error for a property that an option refers to and the resource does not have. */
export function unknownProperty(
  subject: string,
  option: string,
  name: string,
  names: Iterable<string>,
): DeclarationError {
  return unknownName(subject, `${option} refers to "${name}", which does not exist.`, name, [...names])
}

function unknownName(subject: string, mistake: string, name: string, names: readonly string[]): DeclarationError {
  const suggestion = nearest(name, names)
  return new DeclarationError(
    subject,
    mistake,
    suggestion ? `did you mean "${suggestion}"?` : `use one of ${names.join(', ')}.`,
  )
}

/** A value of a declaration in a message. */
export function formatValue(value: unknown): string {
  if (typeof value === 'number') return `${value}`
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? 'undefined')
}
