/** Checks of the options of a field: each field type has its own. */
import { DeclarationError } from '../../declaration/error.ts'
import type { FieldKind, FieldSpec } from '../../field/field.ts'
import { nearest } from '../../naming/nearest.ts'

const lengths = ['minLength', 'maxLength']
const range = ['min', 'max']

const optionNames: Readonly<Partial<Record<FieldKind, readonly string[]>>> = {
  text: [...lengths, 'pattern', 'sort', 'search'],
  url: lengths,
  email: ['maxLength'],
  integer: range,
  number: range,
  decimal: ['precision', 'scale', ...range],
  date: range,
  timestamp: range,
}

/** Parts of a spec that the field functions and modifiers set. */
const internalNames: readonly string[] = [
  ...[
    'kind',
    'nullable',
    'unique',
    'indexed',
    'scope',
    'managed',
    'writeOnce',
    'default',
    'defaultFrom',
    'databaseDefault',
    'guid',
    'choices',
  ],
  ...['transitions', 'target', 'clearedOnDelete', 'renamedFrom', 'column'],
  ...['description', 'valueDescriptions', 'example'],
]

/** Option names of JSON Schema and of other libraries, for suggestions. */
const lower = ['min', 'minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'gt', 'gte', 'from']
const upper = ['max', 'maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'lt', 'lte', 'to', 'length', 'size']

export function checkFieldOptions(subject: string, spec: FieldSpec): void {
  const names = optionNames[spec.kind] ?? []
  for (const name of Object.keys(spec)) {
    if (names.includes(name) || internalNames.includes(name)) continue
    throw new DeclarationError(subject, `${spec.kind}() has no option "${name}".`, fixOf(name, names))
  }
}

function fixOf(name: string, names: readonly string[]): string {
  if (name === 'required' || name === 'optional')
    return 'remove it: every field is required, unless it is nullable() or has a default().'
  const suggestion = sameLimit(name, names) ?? nearest(name, names)
  if (suggestion !== undefined) return `write ${suggestion}.`
  const last = names.at(-1)
  if (last === undefined) return 'remove it.'
  return `use ${names.length > 1 ? `${names.slice(0, -1).join(', ')} or ` : ''}${last}.`
}

function sameLimit(name: string, names: readonly string[]): string | undefined {
  if (['regex', 'regexp', 'match', 'matches'].includes(name) && names.includes('pattern')) return 'pattern'
  const group = [lower, upper].find((limits) => limits.includes(name))
  return group && names.find((option) => group.includes(option))
}
