/** Callers as records: the noun that represents them, and the field that identifies them. */
import { type AnyNoun, DeclarationError, type RecordOf, specOf, targetOf } from '@nomen/core'

/** The noun that represents callers, declared by `callerNoun`. */
export interface CallerNoun {
  readonly noun: AnyNoun
  readonly field: string
}

/**
 * Names the noun whose records represent the callers. The caller's own record is the one whose field has the value of the
 * token claim that identifies the user (`sub` by default). It is `caller.record` in functions of the service, and the value
 * of `createdBy()` and `updatedBy()` fields.
 *
 * @example
 * ```ts
 * service({ name: 'directory', apis: [directory], callers: callerNoun(user, 'email') })
 * ```
 */
export function callerNoun<N extends AnyNoun>(noun: N, field: keyof RecordOf<N> & string): CallerNoun {
  return { noun, field }
}

/** Checks that the field identifies one record and that author fields reference the same noun. `nouns` are all that apis expose. */
export function checkCallers(subject: string, { noun, field }: CallerNoun, nouns: ReadonlySet<AnyNoun>): void {
  const fault = (detail: string, fix: string) => new DeclarationError(subject, detail, fix)
  if (!nouns.has(noun))
    throw fault(
      `callerNoun() refers to "${noun.name}", but no API of the service exposes that noun.`,
      'use a noun that an API exposes.',
    )
  const spec = field in noun.fields ? specOf(noun, field) : undefined
  if (!spec?.unique || !(spec.kind === 'text' || spec.kind === 'email'))
    throw fault(
      `callerNoun() needs a unique text field, and "${field}" of "${noun.name}" is not one.`,
      'use a field that is declared text().unique() or email().unique().',
    )
  for (const exposedNoun of nouns) {
    for (const name of Object.keys(exposedNoun.fields)) {
      if (!isAuthor(exposedNoun, name) || targetOf(exposedNoun, name) === noun) continue
      throw fault(
        `callers are "${noun.name}" records, but "${name}" of "${exposedNoun.name}" references "${targetOf(exposedNoun, name).name}".`,
        'use the same noun for both.',
      )
    }
  }
}

/** Whether a field holds the author of the record, or of its last change. */
export function isAuthor(noun: AnyNoun, field: string): boolean {
  const { managed } = specOf(noun, field)
  return managed === 'created-by' || managed === 'updated-by'
}
