/** The errors of one request: keeps the first ones, and counts all. */
import type { FieldError } from '@nomen/core'

/** The maximum number of errors in a problem; a body may have tens of thousands. */
export const maxErrors = 20

/** The end of a message about the first of several errors. */
export function moreErrors(count: number): string {
  if (count < 2) return ''
  return count === 2 ? ' There is 1 more error.' : ` There are ${count - 1} more errors.`
}

export class ErrorList {
  readonly reported: FieldError[] = []
  count = 0

  /** Adds an error. Its message is built only if the list keeps it. */
  add(makeError: () => FieldError): void {
    this.count++
    if (this.reported.length < maxErrors) this.reported.push(makeError())
  }

  /** The end of a message about the first error. */
  get more(): string {
    return moreErrors(this.count)
  }
}
