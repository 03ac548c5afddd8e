/** Checks of choices: their values, and the transitions between them. */
import { DeclarationError } from '../../declaration/error.ts'
import { formatValue } from '../../declaration/known-option.ts'
import type { FieldSpec } from '../../field/field.ts'
import { isStorable } from '../../field/read-value.ts'

/** Checks the values of a choice, and the transitions between them. */
export function checkChoice(subject: string, spec: FieldSpec): void {
  checkValues(subject, spec)
  checkTransitions(subject, spec)
}

function checkValues(subject: string, { choices = [], transitions }: FieldSpec): void {
  if (Array.isArray(transitions))
    throw new DeclarationError(
      subject,
      'choice() has an array, but its values are separate arguments.',
      `write choice(${(transitions.length === 0 ? ['ACTIVE', 'SUSPENDED'] : transitions).map((value) => `'${value}'`).join(', ')}).`,
    )
  const nonTexts = choices.filter((choice: unknown) => typeof choice !== 'string')
  if (nonTexts.length > 0)
    throw new DeclarationError(
      subject,
      `choice() has the value ${formatValue(nonTexts[0])}, which is not a string.`,
      nonTexts[0] === null ? 'use nullable().' : "write strings: choice('ACTIVE', 'SUSPENDED').",
    )
  if (choices.length === 0)
    throw new DeclarationError(subject, 'choice() has no values.', "add them: choice('ACTIVE', 'SUSPENDED').")
  const duplicate = choices.find((choice, index) => choices.indexOf(choice) !== index)
  if (duplicate !== undefined)
    throw new DeclarationError(subject, `choice() has the value "${duplicate}" twice.`, 'remove one of them.')
  const unstorable = choices.find((choice) => !isStorable(choice))
  if (unstorable !== undefined) {
    throw new DeclarationError(
      subject,
      `the value ${JSON.stringify(unstorable)} cannot be stored.`,
      'remove U+0000 and unpaired surrogates.',
    )
  }
}

function checkTransitions(subject: string, { choices = [], transitions = {}, nullable }: FieldSpec): void {
  for (const [from, next] of Object.entries(transitions)) {
    if (!Array.isArray(next)) {
      throw new DeclarationError(
        subject,
        `the transitions from "${from}" must be an array, not ${formatValue(next)}.`,
        `list the values that "${from}" may change to, or write '${from}': [].`,
      )
    }
    if ((from === 'null' || next.includes(null)) && !nullable) {
      throw new DeclarationError(
        subject,
        'the transitions include null, but the field is not nullable.',
        'add nullable().',
      )
    }
    const unknownChoices = next.filter((to) => to !== null && !choices.includes(to))
    if (unknownChoices.length > 0) {
      const [unknownChoice] = unknownChoices
      throw new DeclarationError(
        subject,
        `the transition from "${from}" to "${unknownChoice}" is invalid: choice() has no value "${unknownChoice}".`,
        `add "${unknownChoice}" to choice(), or use one of its values: ${choices.join(', ')}.`,
      )
    }
  }
}

/** Checks that a nullable choice with transitions declares the transitions from null. */
export function checkNullState(subject: string, { choices = [], transitions, nullable }: FieldSpec): void {
  if (!transitions || !nullable || Object.hasOwn(transitions, 'null')) return
  throw new DeclarationError(
    subject,
    'the field is nullable, but its transitions do not list the values that null may change to.',
    `add null: ['${choices[0]}'] to the transitions, or null: [] if null must stay null.`,
  )
}
