/** What a single field of a noun must satisfy; every breach stops the start with the rule and its fix. */
import { DeclarationError } from '../declaration/error.ts'
import { checkKnown } from '../declaration/known-option.ts'
import type { AnyField, FieldSpec, Value } from '../field/field.ts'
import { isStorable, readValue, scaledDecimal } from '../field/read-value.ts'
import { camelCase, isCamelCase } from '../naming/kebab-case.ts'

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
  if (property in Object.prototype) {
    throw new DeclarationError(
      subject,
      `every object in JavaScript has a "${property}" already.`,
      'choose another name.',
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
    const short = rest.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase())
    throw new DeclarationError(
      subject,
      `the property "${property}" repeats the noun's name (spec 2.6 rule 3).`,
      /^[a-z]/.test(short) ? `name it "${short}".` : 'name it without the noun.',
    )
  }
}

const specNames = [
  ...[
    'kind',
    'nullable',
    'unique',
    'unindexed',
    'managed',
    'default',
    'defaultFrom',
    'guid',
    'min',
    'max',
    'minLength',
  ],
  ...[
    'maxLength',
    'precision',
    'scale',
    'choices',
    'transitions',
    'target',
    'clearedOnDelete',
    'renamedFrom',
    'column',
  ],
]

/** Checks the plain data of a field: limits that contradict each other, defaults that it would refuse itself. */
export function checkField(subject: string, spec: FieldSpec, fields: { readonly [name: string]: AnyField }): void {
  const refuse = (rule: string, fix: string) => {
    throw new DeclarationError(subject, rule, fix)
  }
  checkKnown(subject, spec, specNames)
  if ('default' in spec && spec.default === undefined)
    refuse('its default is undefined.', 'give a value, or leave default() out.')
  if (spec.clearedOnDelete && spec.kind !== 'reference')
    refuse('only a reference is cleared.', 'leave clearedOnDelete() out.')
  if (spec.kind === 'identity' && (spec.nullable || spec.default !== undefined || spec.defaultFrom !== undefined)) {
    refuse('an identity is given by the server and never null.', 'leave out nullable() and default().')
  }
  if (spec.kind === 'choice') checkChoice(subject, spec)
  if (spec.kind === 'decimal') checkDecimal(subject, spec)
  checkLimits(subject, spec)
  if (spec.clearedOnDelete && !spec.nullable) {
    refuse('a reference that is cleared must be able to be null.', 'add nullable() before clearedOnDelete().')
  }
  if (spec.default !== undefined && spec.kind !== 'reference') checkNormal(subject, 'default', spec, spec.default)
  if (spec.defaultFrom !== undefined) checkDefaultFrom(subject, spec, spec.defaultFrom, fields)
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

/** A default that comes from another field must always fit. */
function checkDefaultFrom(
  subject: string,
  spec: FieldSpec,
  name: string,
  fields: { readonly [name: string]: AnyField },
): void {
  const source = Object.hasOwn(fields, name) ? fields[name]?.spec : undefined
  if (!source) {
    throw new DeclarationError(
      subject,
      `its default comes from "${name}", which the noun does not have.`,
      `use one of ${Object.keys(fields).join(', ')}.`,
    )
  }
  const { choices = [] } = spec
  const isChosen =
    source.choices === undefined || spec.kind === 'text' || source.choices.every((one) => choices.includes(one))
  const isText = spec.kind === 'text' && ['text', 'email', 'url', 'guid', 'choice'].includes(source.kind)
  const isLongEnough = (spec.maxLength ?? Number.POSITIVE_INFINITY) >= (source.maxLength ?? Number.POSITIVE_INFINITY)
  const isShortEnough = (spec.minLength ?? 0) <= (source.minLength ?? 0)
  const isSame =
    spec.kind === source.kind &&
    spec.min === source.min &&
    spec.max === source.max &&
    spec.scale === source.scale &&
    spec.precision === source.precision
  const isNullFit = spec.nullable === true || source.nullable !== true
  if ((isText || isSame) && isChosen && isLongEnough && isShortEnough && isNullFit) return
  throw new DeclarationError(
    subject,
    `its default comes from "${name}", whose values it cannot always hold.`,
    'take the default from a field of the same kind and limits, or of text.',
  )
}

/** A value that the declaration gives must be one that the field could hold, in the form in which it would hold it. */
function checkNormal(subject: string, what: string, spec: FieldSpec, given: Value): void {
  const reading = readValue(spec, given)
  const shown = JSON.stringify(given)
  if ('fault' in reading) {
    throw new DeclarationError(
      subject,
      `its ${what} ${shown} ${reading.fault}.`,
      `give a ${what} that the field could hold.`,
    )
  }
  // Decimals are compared by their value, whatever their zeros; a default is stored as it stands.
  if (reading.value !== given && (what === 'default' || spec.kind !== 'decimal')) {
    throw new DeclarationError(
      subject,
      `its ${what} ${shown} is not in its normal form.`,
      `write it ${JSON.stringify(reading.value)}.`,
    )
  }
}

/** Limits must be values of the field's own kind, and the lower one not above the upper. */
function checkLimits(subject: string, spec: FieldSpec): void {
  const { min, max, nullable: _, ...unlimited } = spec
  if (min !== undefined) checkNormal(subject, 'limit', unlimited, min)
  if (max !== undefined) checkNormal(subject, 'limit', unlimited, max)
  for (const length of [spec.minLength, spec.maxLength]) {
    if (length === undefined || (Number.isSafeInteger(length) && length >= 0)) continue
    throw new DeclarationError(subject, `has a length of ${length}.`, 'use whole numbers from 0.')
  }
  if (isAbove(spec, spec.min, spec.max) || isAbove(spec, spec.minLength, spec.maxLength)) {
    throw new DeclarationError(subject, 'its lower limit is above its upper limit.', 'swap them.')
  }
}

function isAbove(spec: FieldSpec, low: number | string | undefined, high: number | string | undefined): boolean {
  if (low === undefined || high === undefined) return false
  if (spec.kind !== 'decimal') return low > high
  return scaledDecimal(`${low}`, spec.scale ?? 0) > scaledDecimal(`${high}`, spec.scale ?? 0)
}

function checkChoice(subject: string, { choices = [], transitions = {}, nullable }: FieldSpec): void {
  if (choices.length === 0)
    throw new DeclarationError(subject, 'a choice without values.', "name them: choice('ACTIVE', 'SUSPENDED').")
  const twice = choices.find((choice, index) => choices.indexOf(choice) !== index)
  if (twice !== undefined) throw new DeclarationError(subject, `names the value "${twice}" twice.`, 'leave one out.')
  const unstorable = choices.find((choice) => !isStorable(choice))
  if (unstorable !== undefined) {
    throw new DeclarationError(
      subject,
      `the value ${JSON.stringify(unstorable)} cannot be stored.`,
      'use text without U+0000 and whole surrogate pairs.',
    )
  }
  for (const [from, next] of Object.entries(transitions)) {
    if ((from === 'null' || next.includes(null)) && !nullable) {
      throw new DeclarationError(subject, 'its transitions name null, and it is never null.', 'add nullable().')
    }
    const unknown = next.find((to) => to !== null && !choices.includes(to))
    if (unknown !== undefined) {
      throw new DeclarationError(
        subject,
        `lets "${from}" become "${unknown}", which is no value of it.`,
        `use one of ${choices.join(', ')}.`,
      )
    }
  }
}

/** Null is a state of a stored choice. What it may become must be said: nothing else in the declaration tells. */
export function checkNullState(subject: string, { choices = [], transitions, nullable }: FieldSpec): void {
  if (!transitions || !nullable || Object.hasOwn(transitions, 'null')) return
  throw new DeclarationError(
    subject,
    'has transitions and may be null, and does not say what null may become.',
    `add null: ['${choices[0]}'] to its transitions, or null: [] for nothing.`,
  )
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
