/** Callers as records: which noun they are kept as, and which field holds the claim that identifies them. */
import { type AnyNoun, DeclarationError, type RecordOf, specOf, targetOf } from '@nomen/core'

export interface CallerNoun {
  readonly noun: AnyNoun
  readonly field: string
}

/**
 * Says whose records the callers are: the one whose field has the value of the claim that identifies the user (`sub` by
 * default) is the caller's own, and is `createdBy` and `updatedBy` of the records that the caller writes.
 *
 * ```ts
 * service({ name: 'directory', apis: [directory], callers: callerNoun(user, 'username') })
 * ```
 */
export function callerNoun<N extends AnyNoun>(noun: N, field: keyof RecordOf<N> & string): CallerNoun {
  return { noun, field }
}

/** Two records of one name would be one caller, and what is no text is no name. `nouns` are all that are shown. */
export function checkCallers(subject: string, { noun, field }: CallerNoun, nouns: ReadonlySet<AnyNoun>): void {
  const fault = (detail: string, fix: string) => new DeclarationError(subject, detail, fix)
  if (!nouns.has(noun))
    throw fault(`its callers are "${noun.name}", which none of its apis shows.`, 'name one that is shown.')
  const spec = field in noun.fields ? specOf(noun, field) : undefined
  if (!spec?.unique || !(spec.kind === 'text' || spec.kind === 'email'))
    throw fault(
      `its callers are named by "${field}" of "${noun.name}", which is no unique text.`,
      'use a field that is declared text().unique() or email().unique().',
    )
  for (const written of nouns) {
    for (const name of Object.keys(written.fields)) {
      if (!isAuthor(written, name) || targetOf(written, name) === noun) continue
      throw fault(
        `its callers are "${noun.name}", and "${name}" of "${written.name}" points at "${targetOf(written, name).name}".`,
        'let both be the same noun.',
      )
    }
  }
}

/** Whether a field says who has created or changed the record. */
export function isAuthor(noun: AnyNoun, field: string): boolean {
  const { managed } = specOf(noun, field)
  return managed === 'created-by' || managed === 'updated-by'
}
