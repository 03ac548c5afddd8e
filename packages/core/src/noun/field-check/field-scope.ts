/** Checks of fields with a scope: nothing else in the declaration may reveal their values. */
import { DeclarationError } from '../../declaration/error.ts'
import { checkScope } from '../../declaration/scope.ts'
import type { FieldSpec } from '../../field/field.ts'
import type { Fields } from '../noun-option.ts'

/** Checks the field by itself. */
export function checkFieldScope(subject: string, spec: FieldSpec): void {
  const fail = (mistake: string, fix: string) => {
    throw new DeclarationError(subject, mistake, fix)
  }
  checkScope(subject, spec.scope ?? '')
  if (spec.managed === 'tenant')
    fail('a tenant field cannot have visibleTo(): every caller knows its own tenant.', 'remove visibleTo().')
  if (spec.kind === 'identity')
    fail('an identity cannot have visibleTo(): every caller sees it.', 'remove visibleTo().')
  // A caller who cannot set the field would learn from a conflict that another record has the default.
  const hasNonNullDefault = (spec.default ?? null) !== null || spec.defaultFrom !== undefined
  if (spec.unique && hasNonNullDefault)
    fail(
      'a unique field with visibleTo() cannot have a default: a conflict would reveal that another record has this value.',
      'remove default() or unique(), or use nullable().',
    )
}

interface ScopedParts {
  readonly label: readonly string[]
  readonly unique: readonly (readonly string[])[]
}

/** Checks that labels, unique sets and defaults do not reveal a field with a scope. */
export function checkScopedFields(subject: string, fields: Fields, { label, unique }: ScopedParts): void {
  const scopeOf = (name: string) => fields[name]?.spec.scope
  const scopedField = label.find((name) => scopeOf(name) !== undefined)
  if (scopedField !== undefined)
    throw new DeclarationError(
      subject,
      `"${scopedField}" has visibleTo(), so it cannot be used in the label.`,
      'use a field without visibleTo().',
    )
  const mixedSet = unique.find((set) => new Set(set.map(scopeOf)).size > 1)
  if (mixedSet)
    throw new DeclarationError(
      subject,
      `the unique set [${mixedSet.join(', ')}] has fields with different visibleTo(): a conflict would reveal values that a caller cannot see.`,
      'give all of its fields the same visibleTo(), or remove the set.',
    )
  for (const [name, { spec }] of Object.entries(fields)) {
    const source = spec.defaultFrom
    if (source === undefined || scopeOf(source) === undefined || scopeOf(source) === spec.scope) continue
    throw new DeclarationError(
      `${subject}, field "${name}"`,
      `the default comes from "${source}", which has visibleTo(): the default would reveal its value.`,
      'give both fields the same visibleTo().',
    )
  }
}
