/** The errors of one request: keeps the first ones, and counts all. */
import type { FieldError } from '@nomen/core'

/** The maximum number of reported errors; a body may have tens of thousands. */
const maxErrors = 20

export class ErrorList {
  readonly reported: FieldError[] = []
  count = 0

  /** Adds an error. Its message is built only if the list keeps it. */
  add(fault: () => FieldError): void {
    this.count++
    if (this.reported.length < maxErrors) this.reported.push(fault())
  }

  /** The end of a message about the first error. */
  get more(): string {
    return this.count > 1
      ? ` ${this.count - 1} more in errors${this.count > maxErrors ? `, which has the first ${maxErrors}` : ''}.`
      : ''
  }
}
