/** Computed fields: functions that compute values which are not stored. */
import {
  type AnyNoun,
  type ComputedName,
  type ComputedOf,
  DeclarationError,
  type Operation,
  type RecordOf,
  specOf,
  type Value,
  type ValueOf,
} from '@nomen/core'
import { isAsync } from './synchronous.ts'
import type { ReadRecords } from './write-context.ts'

/** Options of a computed field: when clients must discard a cached value. */
export interface ComputeOptions {
  /**
   * Increase the revision when code that the function calls computes other values. ETags then change, so that clients discard
   * cached records. A change of the function's own source code is detected without it.
   *
   * @example
   * compute(person, 'fullName', ['firstName', 'lastName'], formatName, { revision: 2 })
   *
   * @default 1
   */
  readonly revision?: number
  /**
   * Set it if the value can change while the record stays the same, such as `isOverdue`, which depends on the date. The ETag
   * then includes the value, so that a client never keeps an outdated copy.
   *
   * @default false, and always true for an `async` function
   */
  readonly isVolatile?: boolean
}

/** The return type of the function. `extends Value` keeps string literals, so that the words of a choice can be returned. */
type ResultOf<N, Name extends keyof ComputedOf<N>> =
  ValueOf<ComputedOf<N>[Name]> extends infer Result extends Value ? Result : never

/** The context of an `async` function of a computed field. */
export interface ComputeContext {
  /**
   * Reads other records, as they are at the time of the response. Visibility does not apply; with tenants, it reads records of
   * the same tenant.
   *
   * @example
   * await read(loan).count({ member: 7, status: 'OPEN' })
   */
  readonly read: ReadRecords
}

/** The function of a computed field, declared by `compute`. */
export interface Computation {
  readonly noun: AnyNoun
  readonly field: string
  /** The stored fields that the value is computed from. */
  readonly sources: readonly string[]
  /** Its result is checked at every call. */
  readonly compute: (record: never, context: ComputeContext) => unknown
  /** Whether it is an async function, which may read other records. */
  readonly isAsync: boolean
  readonly revision: number
  readonly isVolatile: boolean
}

/**
 * Computes a field of a noun from its stored fields. It may use fields that no api shows. The function runs whenever a response
 * contains the field. It must return the same value for the same fields, because clients cache a record until its ETag changes.
 * Set `isVolatile` if the value also depends on something else, such as the date.
 *
 * An `async` function may read other records. It runs once for each record of a response, and the ETag includes its value.
 *
 * @example
 * ```ts
 * compute(person, 'fullName', ['firstName', 'lastName'], ({ firstName, lastName }) => `${firstName} ${lastName}`)
 * ```
 *
 * @example
 * ```ts
 * compute(member, 'openLoans', ['id'], async ({ id }, { read }) => read(loan).count({ member: id, status: 'OPEN' }))
 * ```
 *
 * @throws DeclarationError if a field is not declared.
 */
export function compute<
  N extends AnyNoun,
  const Name extends ComputedName<N>,
  const Source extends keyof RecordOf<N> & string,
>(
  noun: N,
  field: Name,
  sources: readonly Source[],
  run: (
    record: { readonly [S in Source]: RecordOf<N>[S] },
    context: ComputeContext,
  ) => ResultOf<N, Name> | Promise<ResultOf<N, Name>>,
  options: ComputeOptions = {},
): Computation {
  const computedFields = Object.keys(noun.options.computed ?? {})
  if (!computedFields.includes(field))
    throw new DeclarationError(
      `noun "${noun.name}"`,
      `compute() refers to "${field}", which is not a computed field of the noun.`,
      computedFields.length === 0
        ? `add { computed: { ${field}: text() } } to the noun.`
        : `use one of ${computedFields.join(', ')}.`,
    )
  const subject = `noun "${noun.name}", computed field "${field}"`
  const unknown = sources.find((source) => !Object.hasOwn(noun.fields, source))
  if (unknown !== undefined)
    throw new DeclarationError(
      subject,
      `"${unknown}" is not a stored field.`,
      `use one of ${Object.keys(noun.fields).join(', ')}.`,
    )
  const { revision = 1, isVolatile = isAsync(run) } = options
  if (!Number.isSafeInteger(revision) || revision < 1)
    throw new DeclarationError(
      subject,
      `revision must be a positive integer, not ${revision}.`,
      'use 1, 2, 3 and so on.',
    )
  if (isAsync(run) && !isVolatile)
    throw new DeclarationError(
      subject,
      'isVolatile: false is not possible with an async function, because the value may depend on other records.',
      'remove isVolatile.',
    )
  return { noun, field, sources, compute: run, revision, isVolatile, isAsync: isAsync(run) }
}

/** Checks that every computed field has exactly one function, and that every function has a field. */
export function checkComputations(
  subject: string,
  computations: readonly Computation[],
  table: readonly Operation[],
): void {
  const nouns = new Set<AnyNoun>(table.map(({ resource }) => resource.noun))
  for (const noun of nouns) {
    for (const field of Object.keys(noun.options.computed ?? {})) {
      const matching = computations.filter((computation) => computation.noun === noun && computation.field === field)
      const [computation] = matching
      if (computation && matching.length === 1) {
        checkSourceScopes(subject, computation)
        continue
      }
      const isMissing = matching.length === 0
      throw new DeclarationError(
        subject,
        `the computed field "${field}" of "${noun.name}" has ${isMissing ? 'no function' : `${matching.length} functions`}.`,
        isMissing ? `add computed: [compute(${noun.name}, '${field}', […], …)].` : 'remove all but one of them.',
      )
    }
  }
  const unused = computations.find(({ noun }) => !nouns.has(noun))
  if (!unused) return
  throw new DeclarationError(
    subject,
    `it computes "${unused.field}" of "${unused.noun.name}", but no API of the service exposes that noun.`,
    'remove it, or use the noun object that an API exposes.',
  )
}

/** A computed value reveals its sources, so it needs their scope. */
function checkSourceScopes(subject: string, { noun, field, sources }: Computation): void {
  const { scope: fieldScope } = specOf(noun, field)
  const source = sources.find((name) => ![undefined, fieldScope].includes(specOf(noun, name).scope))
  if (source === undefined) return
  const { scope } = specOf(noun, source)
  throw new DeclarationError(
    subject,
    `the computed field "${field}" of "${noun.name}" is computed from "${source}", which has visibleTo('${scope}').`,
    `declare it with visibleTo('${scope}'), or compute it from other fields.`,
  )
}
