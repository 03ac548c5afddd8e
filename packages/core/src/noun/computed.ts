/** Computed fields: what a noun shows and does not store, as it is declared; how it comes about, its service file says. */
import { DeclarationError } from '../declaration/error.ts'
import type { AnyField, Field, FieldSpec } from '../field/field.ts'
import { checkField, checkPropertyName } from './check.ts'

interface Fields {
  readonly [name: string]: AnyField
}

/** Only the server sets it, whenever the record is shown. */
export function computedSpec(spec: FieldSpec): FieldSpec {
  return { ...spec, managed: 'computed' }
}

/** What can be said of a value that nobody stores and nobody gives. */
const kept = ['kind', 'nullable', 'min', 'max', 'minLength', 'maxLength', 'precision', 'scale', 'choices']

export function checkComputed(noun: string, fields: Fields, computed: Fields): void {
  for (const [name, field] of Object.entries(computed)) {
    const subject = `noun "${noun}", computed field "${name}"`
    const refuse = (rule: string, fix: string) => {
      throw new DeclarationError(subject, rule, fix)
    }
    if (field?.spec === undefined) refuse('is no field.', 'declare it by its kind, such as text() or integer().')
    const { spec } = field
    if (Object.hasOwn(fields, name)) refuse('is stored already.', 'leave it out of the fields, or name it otherwise.')
    if (spec.kind === 'identity' || spec.kind === 'reference')
      refuse(`cannot be of the kind ${spec.kind}.`, 'only what is stored is an identity, or points at one.')
    checkPropertyName(`noun "${noun}"`, noun, name, spec)
    const wrong = Object.keys(spec).find((said) => !kept.includes(said))
    if (wrong !== undefined)
      refuse(
        `"${wrong}" is said of it, and nothing of it is stored or written.`,
        'say no more of it than its kind, its limits and nullable().',
      )
    checkField(subject, spec, fields)
  }
}

/** Mistakes in a noun that its type alone would accept: the compiler quotes what this type says. */
export type NounMistake<Stored, Options> = Options extends { readonly computed: infer Declared }
  ? { readonly computed?: { readonly [Name in keyof Declared]: ComputedMistake<Stored, Name, Declared[Name]> } }
  : unknown

/** Of names that only the run knows, nothing can be said. */
type ComputedMistake<Stored, Name, F> = string extends Name
  ? unknown
  : Name extends keyof Stored
    ? `'${Name & string}' is stored already: name one of the two otherwise`
    : F extends Field<infer Held, infer Traits>
      ? [Held] extends [string | number | boolean]
        ? Misplaced<Traits>
        : 'a computed field is no reference'
      : unknown

/** What is nullable has a default of its own making. */
type Misplaced<Traits> = 'identity' extends Traits
  ? 'a computed field is no identity'
  : 'managed' extends Traits
    ? 'a computed field is managed already'
    : 'unique' extends Traits
      ? 'a computed field is not unique: leave unique() out'
      : 'default' extends Traits
        ? 'nullable' extends Traits
          ? unknown
          : 'a computed field has no default: leave default() out'
        : unknown
