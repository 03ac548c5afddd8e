/** Computed fields: how what a noun only shows comes about, attached where a service is put together. */
import {
  type AnyNoun,
  type ComputedName,
  type ComputedOf,
  DeclarationError,
  type Operation,
  type RecordOf,
  type Value,
  type ValueOf,
} from '@nomen/core'

export interface ComputeOptions {
  /**
   * Raised when something changes that the function calls, `revision: 2`, so that clients read again what they hold. A
   * change of the function itself is seen without it.
   */
  readonly revision?: number
}

/** The type of what a function gives. That it is a value lets a word of a choice be returned as it is. */
type GivenBy<N, Name extends keyof ComputedOf<N>> =
  ValueOf<ComputedOf<N>[Name]> extends infer Given extends Value ? Given : never

export interface Computation {
  readonly noun: AnyNoun
  readonly field: string
  /** The stored fields that it is computed of. */
  readonly sources: readonly string[]
  /** What it gives is checked whenever it is asked. */
  readonly compute: (record: never) => unknown
  readonly revision: number
}

/**
 * Says how a computed field of a noun comes about: of the stored fields that are named, whether they are shown or not, and
 * of nothing else. The function is asked whenever a record is shown with the field, and must give the same for the same
 * values, at once: clients keep what they have read until one of the record's fields changes.
 *
 * ```ts
 * compute(person, 'fullName', ['firstName', 'lastName'], ({ firstName, lastName }) => `${firstName} ${lastName}`)
 * ```
 */
export function compute<
  N extends AnyNoun,
  const Name extends ComputedName<N>,
  const Source extends keyof RecordOf<N> & string,
>(
  noun: N,
  field: Name,
  sources: readonly Source[],
  value: (record: { readonly [S in Source]: RecordOf<N>[S] }) => GivenBy<N, Name>,
  options: ComputeOptions = {},
): Computation {
  const declared = Object.keys(noun.options.computed ?? {})
  if (!declared.includes(field))
    throw new DeclarationError(
      `noun "${noun.name}"`,
      `"${field}" is to be computed, and is declared as no computed field.`,
      declared.length === 0 ? `add { computed: { ${field}: text() } } to the noun.` : `use ${declared.join(', ')}.`,
    )
  const subject = `noun "${noun.name}", computed field "${field}"`
  const unknown = sources.find((source) => !Object.hasOwn(noun.fields, source))
  if (unknown !== undefined)
    throw new DeclarationError(
      subject,
      `is computed of "${unknown}", which is no stored field.`,
      `use ${Object.keys(noun.fields).join(', ')}.`,
    )
  const { revision = 1 } = options
  if (!Number.isSafeInteger(revision) || revision < 1)
    throw new DeclarationError(subject, `has the revision ${revision}.`, 'use an integer from 1.')
  return { noun, field, sources, compute: value, revision }
}

/** A field that nobody computes, or two do, and a computation that is nobody's, stop the start. */
export function checkComputations(
  subject: string,
  computations: readonly Computation[],
  table: readonly Operation[],
): void {
  const nouns = new Set<AnyNoun>(table.map(({ resource }) => resource.noun))
  for (const noun of nouns) {
    for (const field of Object.keys(noun.options.computed ?? {})) {
      const own = computations.filter((one) => one.noun === noun && one.field === field)
      if (own.length === 1) continue
      throw new DeclarationError(
        subject,
        `the computed field "${field}" of "${noun.name}" is computed by ${own.length === 0 ? 'nobody' : own.length}.`,
        own.length === 0 ? `add computed: [compute(${noun.name}, '${field}', […], …)].` : 'leave all but one out.',
      )
    }
  }
  const idle = computations.find(({ noun }) => !nouns.has(noun))
  if (!idle) return
  throw new DeclarationError(
    subject,
    `computes "${idle.field}" of "${idle.noun.name}", which none of its apis shows.`,
    'leave it out, or use the declaration that the apis show.',
  )
}
