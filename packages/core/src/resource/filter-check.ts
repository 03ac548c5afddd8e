/** Checks of the filters of a resource. */
import { checkDescription } from '../declaration/description.ts'
import { DeclarationError } from '../declaration/error.ts'
import { formatValue, unknownProperty } from '../declaration/known-option.ts'
import { type FieldSpec, isStored } from '../field/field.ts'
import { isCamelCase } from '../naming/kebab-case.ts'
import { reservedParameters } from '../noun/field-check/field-check.ts'
import type { CustomFilter, Filter } from './filter.ts'

/** Checks that every filter is declared with a function. */
export function checkFilterKinds(subject: string, filters: { readonly [name: string]: Filter | CustomFilter }): void {
  for (const [name, filter] of Object.entries(filters)) {
    if (filter?.kind !== undefined) continue
    throw new DeclarationError(
      subject,
      `the filter "${name}" must be equal(), range() or custom(), not ${formatValue(filter)}.`,
      `declare it, such as ${name}: equal('name').`,
    )
  }
}

export function checkFilters(
  subject: string,
  filters: { readonly [name: string]: Filter | CustomFilter },
  fields: Map<string, FieldSpec>,
): void {
  for (const [name, filter] of Object.entries(filters)) {
    const { kind } = filter
    checkFilterName(subject, name, kind, fields)
    if (kind === 'custom') {
      checkCustom(subject, name, filter)
      continue
    }
    const { properties, text } = filter
    checkDescription(`${subject}, filter "${name}"`, text)
    for (const property of properties) {
      if (!fields.has(property)) throw unknownProperty(subject, `the filter "${name}"`, property, fields.keys())
      const { kind: fieldKind } = fields.get(property) as FieldSpec
      if (kind === 'range' && !['integer', 'number', 'decimal', 'date', 'timestamp'].includes(fieldKind)) {
        throw new DeclarationError(
          subject,
          `the range filter "${name}" has "${property}", a field of the type ${fieldKind}.`,
          'use range() with numbers, decimals, dates and timestamps only.',
        )
      }
    }
    const kinds = new Set(properties.map((property) => fields.get(property)?.kind))
    if (kinds.size !== 1) {
      throw new DeclarationError(
        subject,
        properties.length === 0
          ? `the filter "${name}" has no properties.`
          : `the filter "${name}" has properties of different types: ${[...kinds].join(', ')}.`,
        'use one or more properties of the same type.',
      )
    }
  }
}

/** Checks the type of a custom filter. An ID is not possible: its noun would be unknown. */
function checkCustom(subject: string, name: string, { spec }: CustomFilter): void {
  if (spec?.kind !== undefined && spec.kind !== 'reference' && spec.kind !== 'identity') return
  throw new DeclarationError(
    subject,
    `the custom filter "${name}" ${spec?.kind === undefined ? 'has no field type' : `cannot have the field type ${spec.kind}`}.`,
    'pass a field type other than identity() and reference() to custom(), such as boolean() or integer().',
  )
}

function checkFilterName(
  subject: string,
  name: string,
  kind: (Filter | CustomFilter)['kind'],
  fields: Map<string, FieldSpec>,
): void {
  const parameters = kind === 'range' ? [`${name}From`, `${name}To`] : [name]
  for (const parameter of parameters) {
    if (reservedParameters.includes(parameter)) {
      throw new DeclarationError(
        subject,
        `the filter "${name}" has the query parameter "${parameter}", which lists have.`,
        `use a name other than ${reservedParameters.join(', ')}.`,
      )
    }
    const spec = fields.get(parameter)
    // A computed property is not a filter, so a custom filter may have its name.
    const isUsed = spec !== undefined && (isStored(spec) || kind !== 'custom')
    if (!isCamelCase(parameter) || isUsed) {
      throw new DeclarationError(
        subject,
        `the filter "${name}" has the query parameter "${parameter}", which is ${isCamelCase(parameter) ? 'a property' : 'not in camelCase'}.`,
        `use a name in camelCase that is not a property name and not one of ${reservedParameters.join(', ')}.`,
      )
    }
  }
}
