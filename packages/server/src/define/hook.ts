/** After-commit hooks. */
import { type AnyNoun, DeclarationError, hasHistory, type RecordOf } from '@nomen/core'
import type { Caller } from './caller/caller.ts'
import { checkName } from './name-check.ts'

/** A committed change of a record, with all stored fields. */
export type Change<Stored> = {
  /** The record after the change; for `delete`, the deleted record. */
  readonly record: Stored
  /** The caller of the request. */
  readonly caller: Caller
  /** The request ID, which the response has as `X-Request-Id`. */
  readonly requestId: string
} & (
  | { readonly kind: 'create'; readonly previous?: undefined }
  | { readonly kind: 'update'; readonly previous: Stored }
  | { readonly kind: 'delete'; readonly previous?: undefined }
)

/** An after-commit hook, declared by `after`. */
export interface Hook {
  readonly noun: AnyNoun
  readonly run: (change: Change<never>) => unknown
  /** The name of a durable hook. */
  readonly durable?: string
}

/** Options of a hook. */
export interface HookOptions {
  /**
   * Makes the hook durable, under this name: it runs at least once for each recorded change, also after a crash. The noun needs
   * `history: true`. A new name begins with new changes.
   *
   * @example
   * after(user, sendMail, { durable: 'welcome-mail' })
   *
   * @default the hook runs at most once
   */
  readonly durable?: string
}

/**
 * Adds an after-commit hook to a noun: a function that runs after a request has created, changed or deleted a record. The
 * response does not wait for it. Hooks of one record run one after the other, in the order of its changes.
 *
 * Without options, an error goes to `onFault` and is not retried, and hooks that are pending when the process is killed are
 * lost. A `durable` hook reads the changes from the history instead: it runs again until it succeeds.
 *
 * @example
 * ```ts
 * after(user, async ({ kind, record, requestId }) => {
 *   if (kind === 'create') console.log(`Send a welcome mail to ${record.email}, request ${requestId}.`)
 * })
 * ```
 *
 * @throws DeclarationError if a durable hook has an invalid name, or its noun has no history.
 */
export function after<N extends AnyNoun>(
  noun: N,
  run: (change: Change<RecordOf<N>>) => unknown,
  { durable }: HookOptions = {},
): Hook {
  if (durable === undefined) return { noun, run }
  const subject = `noun "${noun.name}"`
  checkName(subject, durable, `the name "${durable}" of a durable hook`)
  if (!hasHistory(noun))
    throw new DeclarationError(
      subject,
      `the hook "${durable}" is durable, but the noun has no history.`,
      'add history: true to the noun.',
    )
  return { noun, run, durable }
}

/** Rejects two durable hooks with one name, which would share their progress, and hooks of a history that no api shows. */
export function checkDurableHooks(subject: string, hooks: readonly Hook[], hasEntries: boolean): void {
  const names = hooks.flatMap(({ durable }) => (durable === undefined ? [] : [durable]))
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined)
    throw new DeclarationError(subject, `two durable hooks are named "${duplicate}".`, 'rename one of them.')
  if (names.length > 0 && !hasEntries)
    throw new DeclarationError(
      subject,
      `the hook "${names[0]}" is durable, but no API has a resource of the noun "change".`,
      'add resource(change) to an API.',
    )
}
