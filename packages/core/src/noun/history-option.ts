/** The option `history` of a noun: the retention of its history entries. */

import { DeclarationError } from '../declaration/error.ts'
import { checkOptionNames } from '../declaration/known-option.ts'

/** How long the history entries of a noun are kept (retention). Without a limit, they are kept forever. */
export interface HistoryOptions {
  /**
   * Deletes entries that are older than this number of days: `days: 365`.
   *
   * @default no limit
   */
  readonly days?: number
  /**
   * Keeps this number of entries for each record, the newest ones: `entries: 100`.
   *
   * @default no limit
   */
  readonly entries?: number
  /**
   * Adds an operation that erases the history of one record, for requests under privacy laws such as the GDPR:
   * `erasable: true`.
   *
   * @default false
   */
  readonly erasable?: boolean
}

/** Whether the history of single records of a noun may be erased. */
export function isErasable(history: true | HistoryOptions | undefined): boolean {
  return typeof history === 'object' && history.erasable === true
}

const limits = { days: 36_500, entries: 1000 } as const

export function checkHistory(subject: string, history: unknown): void {
  if (history === true) return
  if (typeof history !== 'object' || history === null)
    throw new DeclarationError(subject, 'must be true or an object.', 'write history: true, or history: { days: 365 }.')
  checkOptionNames(subject, history, [...Object.keys(limits), 'erasable'])
  for (const [name, maximum] of Object.entries(limits)) {
    const value = (history as Readonly<Record<string, unknown>>)[name]
    if (value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maximum)) continue
    throw new DeclarationError(
      subject,
      `${name} is ${JSON.stringify(value)}, but must be an integer from 1 to ${maximum}.`,
      'use a number in this range, or remove it to keep all entries.',
    )
  }
}
