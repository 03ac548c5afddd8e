/** Checks of the values in a declaration: defaults, examples and limits. */
import { DeclarationError } from '../declaration/error.ts'
import { formatValue } from '../declaration/known-option.ts'
import type { FieldSpec, Value } from '../field/field.ts'
import { readValue } from '../field/read-value.ts'

/** Checks that a value in a declaration is valid for the field and in its canonical form. */
export function checkCanonicalValue(subject: string, use: string, spec: FieldSpec, value: Value): void {
  const result = readValue(spec, value)
  const valueText = formatValue(value)
  if ('fault' in result) {
    throw new DeclarationError(
      subject,
      `the ${use} ${valueText} is invalid: it ${result.fault}.`,
      `change the ${use} to a value that is valid for the field.`,
    )
  }
  // Decimal limits are compared as numbers, so trailing zeros do not matter. Defaults are stored and examples shown as written.
  if (result.value !== value && (use !== 'limit' || spec.kind !== 'decimal')) {
    throw new DeclarationError(
      subject,
      `the ${use} ${valueText} is not in canonical form.`,
      `write ${JSON.stringify(result.value)}.`,
    )
  }
}
