/** What a single field of a noun must satisfy; every breach stops the start with the rule and its mend. */
import { DeclarationError } from './declaration-error.ts'
import type { AnyField, FieldSpec } from './field/field.ts'
import { readValue } from './field/read-value.ts'
import { camelCase, isCamelCase } from './kebab-case.ts'

/** Query parameters of every list, so no property may bear these names. */
export const reservedParameters = ['pageNumber', 'pageSize', 'include', 'sort', 'search']

/** Checks the name that a field bears in the store or in a resource. */
export function checkPropertyName(subject: string, noun: string, property: string, spec: FieldSpec): void {
  if (!isCamelCase(property)) {
    throw new DeclarationError(
      subject,
      `"${property}" is no property name.`,
      'use camelCase of ASCII letters and digits, such as "firstName".',
    )
  }
  if (reservedParameters.includes(property)) {
    throw new DeclarationError(
      subject,
      `the property "${property}" bears the name of a query parameter of every list.`,
      `choose another name than ${reservedParameters.join(', ')}.`,
    )
  }
  const prefix = camelCase(noun)
  const isPrefixed = property.startsWith(prefix) && /^[A-Z0-9]/.test(property.slice(prefix.length))
  const isIdentifier = property === `${prefix}Ref` && (spec.kind === 'identity' || spec.kind === 'reference')
  if (isPrefixed && !isIdentifier) {
    const rest = property.slice(prefix.length)
    const short = /^[A-Z]+$/.test(rest) ? rest.toLowerCase() : rest.charAt(0).toLowerCase() + rest.slice(1)
    throw new DeclarationError(
      subject,
      `the property "${property}" repeats the noun's name (spec 2.6 rule 3).`,
      /^[a-z]/.test(short) ? `name it "${short}".` : 'name it without the noun.',
    )
  }
}

/** Checks the plain data of a field: limits that contradict each other, defaults that it would refuse itself. */
export function checkField(subject: string, spec: FieldSpec, fields: { readonly [name: string]: AnyField }): void {
  const refuse = (rule: string, mend: string) => {
    throw new DeclarationError(subject, rule, mend)
  }
  if (spec.kind === 'identity' && (spec.nullable || spec.default !== undefined || spec.defaultFrom !== undefined)) {
    refuse('an identity is given by the server and never null.', 'leave out nullable() and default().')
  }
  if (spec.kind === 'choice') checkChoice(subject, spec)
  if (spec.kind === 'decimal') checkDecimal(subject, spec)
  if (isAbove(spec, spec.min, spec.max) || isAbove(spec, spec.minLength, spec.maxLength)) {
    refuse('its lower limit is above its upper limit.', 'swap them.')
  }
  if (spec.clearedOnDelete && !spec.nullable) {
    refuse('a reference that is cleared must be able to be null.', 'add nullable() before clearedOnDelete().')
  }
  if (spec.default !== undefined) {
    const reading = spec.kind === 'reference' ? { value: spec.default } : readValue(spec, spec.default)
    if ('fault' in reading)
      refuse(`its default ${JSON.stringify(spec.default)} ${reading.fault}.`, 'give a default that the field accepts.')
  }
  if (spec.defaultFrom !== undefined && !(spec.defaultFrom in fields)) {
    refuse(
      `its default comes from "${spec.defaultFrom}", which the noun does not have.`,
      `use one of ${Object.keys(fields).join(', ')}.`,
    )
  }
  if (isCircular(spec, fields)) {
    refuse('its default comes, by way of others, from itself.', 'let one of them have a default of its own.')
  }
}

/** Whether following the fields that defaults come from leads back to a field already passed. */
function isCircular(start: FieldSpec, fields: { readonly [name: string]: AnyField }): boolean {
  const passed = new Set<FieldSpec>()
  let spec: FieldSpec | undefined = start
  while (spec !== undefined && !passed.has(spec)) {
    passed.add(spec)
    spec = spec.defaultFrom === undefined ? undefined : fields[spec.defaultFrom]?.spec
  }
  return spec !== undefined
}

function isAbove(spec: FieldSpec, low: number | string | undefined, high: number | string | undefined): boolean {
  if (low === undefined || high === undefined) return false
  return spec.kind === 'decimal' ? Number(low) > Number(high) : low > high
}

function checkChoice(subject: string, { choices = [], transitions = {} }: FieldSpec): void {
  if (choices.length === 0)
    throw new DeclarationError(subject, 'a choice without values.', "name them: choice('ACTIVE', 'SUSPENDED').")
  const twice = choices.find((choice, index) => choices.indexOf(choice) !== index)
  if (twice !== undefined) throw new DeclarationError(subject, `names the value "${twice}" twice.`, 'leave one out.')
  for (const [from, next] of Object.entries(transitions)) {
    const unknown = next.find((to) => !choices.includes(to))
    if (unknown !== undefined) {
      throw new DeclarationError(
        subject,
        `lets "${from}" become "${unknown}", which is no value of it.`,
        `use one of ${choices.join(', ')}.`,
      )
    }
  }
}

function checkDecimal(subject: string, { precision = 18, scale = 0 }: FieldSpec): void {
  const isWhole = Number.isInteger(precision) && Number.isInteger(scale)
  if (!isWhole || precision < 1 || precision > 18 || scale < 0 || scale >= precision) {
    throw new DeclarationError(
      subject,
      `cannot hold a decimal of precision ${precision} and scale ${scale}.`,
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    )
  }
}
