/** What the filters of a resource must satisfy. */
import { DeclarationError } from '../declaration/error.ts'
import { refuseUnknown } from '../declaration/known-option.ts'
import { type FieldSpec, isStored } from '../field/field.ts'
import { isCamelCase } from '../naming/kebab-case.ts'
import { reservedParameters } from '../noun/check.ts'
import type { CustomFilter, Filter } from './filter.ts'

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
    const { properties } = filter
    for (const property of properties) {
      if (!fields.has(property)) refuseUnknown(subject, `the filter "${name}"`, property, fields.keys())
      const { kind: fieldKind } = fields.get(property) as FieldSpec
      if (kind === 'range' && !['integer', 'number', 'decimal', 'date', 'timestamp'].includes(fieldKind)) {
        throw new DeclarationError(
          subject,
          `the filter "${name}" wants a range of "${property}", which has no order to speak of.`,
          'use range on numbers, dates and timestamps.',
        )
      }
    }
    const kinds = new Set(properties.map((property) => fields.get(property)?.kind))
    if (kinds.size !== 1) {
      throw new DeclarationError(
        subject,
        `the filter "${name}" needs one or more properties of one kind.`,
        'name properties whose values can be compared with one given value.',
      )
    }
  }
}

/** An identity would have to be one of some noun, and there is no telling of which. */
function checkCustom(subject: string, name: string, { spec }: CustomFilter): void {
  if (spec?.kind !== undefined && spec.kind !== 'reference' && spec.kind !== 'identity') return
  throw new DeclarationError(
    subject,
    `the filter "${name}" takes ${spec?.kind === undefined ? 'no kind of value' : `the kind ${spec.kind}`}.`,
    'give custom() another kind of field, such as boolean() or integer().',
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
    const spec = fields.get(parameter)
    // What is computed is no filter by itself, and the service file may say what it would be as one.
    const isTaken = spec !== undefined && (isStored(spec) || kind !== 'custom')
    if (!isCamelCase(parameter) || reservedParameters.includes(parameter) || isTaken) {
      throw new DeclarationError(
        subject,
        `a filter cannot be called "${parameter}".`,
        'use camelCase, and no name of a property or of a parameter of every list.',
      )
    }
  }
  const whole = [...fields.keys()].find(
    (property) => isAbbreviation(name, property) && !(kind === 'range' && name === property),
  )
  if (whole !== undefined) {
    throw new DeclarationError(
      subject,
      `the filter "${name}" abbreviates the property "${whole}" (spec 2.6 rule 4).`,
      isStored(fields.get(whole) as FieldSpec)
        ? `drop it: "${whole}" is a filter already; or give the filter a name of its own.`
        : `call it "${whole}", or give the filter a name of its own.`,
    )
  }
}

/** A proper prefix (`desc`), or the letters of the property in order with some left out (`dept`). */
function isAbbreviation(name: string, property: string): boolean {
  if (name.length >= property.length) return false
  let matched = 0
  for (const letter of property) if (letter === name[matched]) matched++
  return matched === name.length
}
