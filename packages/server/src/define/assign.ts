/** Assignments: functions that set managed fields when a record is written. */
import { type AnyNoun, DeclarationError, type FieldSpec, type Operation, type RecordOf, specOf } from '@nomen/core'
import type { Values } from '../store/plan.ts'
import { isAsync } from './synchronous.ts'
import type { WriteContext } from './write-context.ts'

/** A function that sets managed fields, declared by `assign`. */
export interface Assignment {
  readonly noun: AnyNoun
  readonly fields: readonly string[]
  /** Whether it is an async function, which may read other records. */
  readonly isAsync: boolean
  readonly assign: (next: Values, previous: Values | undefined, context: WriteContext) => unknown
}

/** The values of some fields; fields that are left out keep their value. */
type Assigned<N, F extends keyof RecordOf<N>> = { readonly [Name in F]?: RecordOf<N>[Name] } | undefined

/**
 * Sets `.managed()` fields of a noun whenever a record is created or changed, before rules are checked and in the same write.
 * The function gets the record as it would be stored, the previous record (undefined for a new one), and the context with the
 * caller and the time. It returns the values to set. An `async` function may read other records in the transaction of the write.
 *
 * @example
 * ```ts
 * assign(loan, ['returnedAt'], ({ status }, previous, { now }) =>
 *   status === 'RETURNED' && previous?.status !== 'RETURNED' ? { returnedAt: now } : {},
 * )
 * ```
 *
 * @throws DeclarationError if a field is not declared with `.managed()`.
 */
export function assign<N extends AnyNoun, const F extends keyof RecordOf<N> & string>(
  noun: N,
  fields: readonly F[],
  run: (
    next: RecordOf<N>,
    previous: RecordOf<N> | undefined,
    context: WriteContext,
  ) => Assigned<N, F> | Promise<Assigned<N, F>>,
): Assignment {
  for (const field of fields) {
    const spec = Object.hasOwn(noun.fields, field) ? noun.fields[field]?.spec : undefined
    if (spec?.managed === 'service') continue
    throw new DeclarationError(
      `noun "${noun.name}"`,
      spec
        ? `assign() sets "${field}", but callers may write this field.`
        : `assign() sets the unknown field "${field}".`,
      spec ? `declare it with .managed().` : `use one of ${Object.keys(noun.fields).join(', ')}.`,
    )
  }
  return { noun, fields, isAsync: isAsync(run), assign: run as Assignment['assign'] }
}

/** Rejects two assignments of one field, and a managed field that a new record would not have. */
export function checkAssignments(
  subject: string,
  assignments: readonly Assignment[],
  table: readonly Operation[],
): void {
  const assignedFieldsByNoun = new Map<AnyNoun, Set<string>>()
  for (const { noun, fields } of assignments) {
    const assignedFields = assignedFieldsByNoun.get(noun) ?? new Set()
    assignedFieldsByNoun.set(noun, assignedFields)
    for (const field of fields) {
      if (assignedFields.has(field))
        throw new DeclarationError(
          subject,
          `two assignments set "${field}" of "${noun.name}".`,
          'remove all but one of them.',
        )
      assignedFields.add(field)
    }
  }
  for (const { kind, method, path, resource } of table) {
    if (kind !== 'create') continue
    const { noun } = resource
    const unsetField = Object.keys(noun.fields).find(
      (field) => isWithoutValue(specOf(noun, field)) && !assignedFieldsByNoun.get(noun)?.has(field),
    )
    if (unsetField === undefined) continue
    throw new DeclarationError(
      subject,
      `${method} ${path} creates records, but nothing sets the managed field "${unsetField}".`,
      `give the field a default, or add assignments: [assign(${noun.name}, ['${unsetField}'], …)].`,
    )
  }
}

function isWithoutValue({ managed, nullable, default: value, defaultFrom }: FieldSpec): boolean {
  return managed === 'service' && !nullable && value === undefined && defaultFrom === undefined
}
