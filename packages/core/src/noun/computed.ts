/** Computed fields: declared in a noun, returned but not stored, and implemented by `compute` in the service file. */
import { DeclarationError } from '../declaration/error.ts'
import { formatValue } from '../declaration/known-option.ts'
import type { Field, FieldSpec } from '../field/field.ts'
import { checkField, checkPropertyName } from './field-check/field-check.ts'
import type { Fields } from './noun-option.ts'

/** The spec of a computed field, which the server sets on each read. */
export function computedSpec(spec: FieldSpec): FieldSpec {
  return { ...spec, managed: 'computed' }
}

/** The parts of a field's spec that apply to a value that is neither stored nor sent by clients. */
const supportedParts = [
  ...['kind', 'nullable', 'scope', 'min', 'max', 'minLength', 'maxLength', 'pattern', 'precision', 'scale', 'choices'],
  ...['description', 'valueDescriptions', 'example'],
]

export function checkComputed(noun: string, fields: Fields, computed: Fields): void {
  for (const [name, field] of Object.entries(computed)) {
    const subject = `noun "${noun}", computed field "${name}"`
    const fail = (mistake: string, fix: string) => {
      throw new DeclarationError(subject, mistake, fix)
    }
    if (field?.spec === undefined)
      fail(`must be a field, not ${formatValue(field)}.`, 'declare it with a field type, such as text() or integer().')
    const { spec } = field
    if (Object.hasOwn(fields, name))
      fail('has the name of a stored field.', 'rename one of them, or remove the stored field.')
    if (spec.kind === 'identity' || spec.kind === 'reference')
      fail(`cannot be of the type ${spec.kind}.`, 'use another field type, such as integer() or guid().')
    checkPropertyName(`noun "${noun}"`, noun, name, spec)
    const unsupported = Object.keys(spec).find((property) => !supportedParts.includes(property))
    if (unsupported !== undefined)
      fail(
        `"${unsupported}" is not allowed on a computed field, which is neither stored nor written.`,
        'use only limits, nullable(), visibleTo(), description() and example().',
      )
    checkField(subject, spec, fields)
  }
}

/** The type of valid options. For a mistake that `NounOptions` accepts, it has a message that the compiler prints. */
export type ValidNounOptions<Stored, Options> = Options extends { readonly computed: infer Declared }
  ? { readonly computed?: { readonly [Name in keyof Declared]: ValidComputedField<Stored, Name, Declared[Name]> } }
  : unknown

/** Names that are only known at run time are not checked. */
type ValidComputedField<Stored, Name, F> = string extends Name
  ? unknown
  : Name extends keyof Stored
    ? `'${Name & string}' is also a stored field: rename one of them`
    : F extends Field<infer ValueType, infer Traits>
      ? [ValueType] extends [string | number | boolean]
        ? ForbiddenTrait<Traits>
        : 'a computed field cannot be a reference'
      : unknown

/** A nullable field has the default null, which is allowed. */
type ForbiddenTrait<Traits> = 'identity' extends Traits
  ? 'a computed field cannot be an identity'
  : 'managed' extends Traits
    ? 'a computed field is always managed: remove managed()'
    : 'unique' extends Traits
      ? 'a computed field cannot be unique: remove unique()'
      : 'default' extends Traits
        ? 'nullable' extends Traits
          ? unknown
          : 'a computed field cannot have a default: remove default()'
        : unknown
