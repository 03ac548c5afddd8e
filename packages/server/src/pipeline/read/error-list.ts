/** The faults of one request: the first of them in words, all of them counted. */
import type { FieldError } from '@nomen/core'

/** As many as anyone reads; a body may hold tens of thousands of wrong names. */
const maxErrors = 20

export class ErrorList {
  readonly kept: FieldError[] = []
  count = 0

  /** Adds a fault; it is put into words only where it is kept. */
  add(fault: () => FieldError): void {
    this.count++
    if (this.kept.length < maxErrors) this.kept.push(fault())
  }

  /** The end of a message about the first fault. */
  get more(): string {
    return this.count > 1
      ? ` ${this.count - 1} more in errors${this.count > maxErrors ? `, which names the first ${maxErrors}` : ''}.`
      : ''
  }
}
