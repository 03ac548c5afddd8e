/** Checks of the options of a declaration: unknown names and invalid values are errors. */

import { nearest } from '../naming/nearest.ts'
import { DeclarationError } from './error.ts'

export function checkOptionNames(subject: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new DeclarationError(
      subject,
      `it must be an object, not ${formatValue(options)}.`,
      `write an object with ${names.join(', ')}; omit what you do not need.`,
    )
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw unknownName(subject, `the option "${name}" does not exist.`, name, names)
  }
}

export function checkOneOf(subject: string, option: string, value: unknown, allowed: readonly string[]): void {
  if (allowed.includes(value as string)) return
  const fix = `use one of ${allowed.map((word) => `'${word}'`).join(', ')}.`
  throw new DeclarationError(subject, `${option} must not be ${formatValue(value)}.`, fix)
}

/** Checks that an option is an array of names; with two levels, an array of such arrays. */
export function checkNameArray(subject: string, option: string, value: unknown, levels: 1 | 2 = 1): void {
  if (value === undefined || isNameArray(value, levels)) return
  const [content, example] = levels === 1 ? ['names', "['name']"] : ['arrays of names', "[['name', 'type']]"]
  const mistake = `${option} must be an array of ${content}, not ${formatValue(value)}.`
  throw new DeclarationError(subject, mistake, `write an array, such as ${option}: ${example}.`)
}

function isNameArray(value: unknown, levels: number): boolean {
  if (levels === 0) return typeof value === 'string'
  return Array.isArray(value) && value.every((item) => isNameArray(item, levels - 1))
}

/** The error for a property that an option refers to and the resource does not have. */
export function unknownProperty(
  subject: string,
  option: string,
  name: string,
  names: Iterable<string>,
): DeclarationError {
  return unknownName(subject, `${option} refers to "${name}", which does not exist.`, `${name}`, [...names])
}

/** The error for an unknown name, with the most similar name or all names. */
export function unknownName(
  subject: string,
  mistake: string,
  name: string,
  names: readonly string[],
): DeclarationError {
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
