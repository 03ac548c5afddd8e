/** What whoever runs a shipper is told: of each trouble once, of its end, and of what is refused for ever. */
import { type ThrottledReport, throttledReport } from '../foundation/throttled-report.ts'
import type { Trouble } from './destination/destination.ts'

/** How often rejected lines are reported. */
const rejectsEveryMs = 60_000

export class Notices {
  readonly #shown: string
  readonly #say: (message: string) => void
  #since: number | undefined
  #told: string | undefined
  #fault: string | undefined
  readonly #reportRejects: ThrottledReport<string>

  constructor(shown: string, say: (message: string) => void) {
    this.#shown = shown
    this.#say = say
    this.#reportRejects = throttledReport((reason, count) => {
      const lines = count === 1 ? '1 line' : `${count} lines`
      say(`${shown} will not take ${lines}, which are left out: ${reason}`)
    }, rejectsEveryMs)
  }

  /** Told when it begins, and again when it becomes one of another kind. */
  trouble({ kind, reason }: Trouble): void {
    this.#since ??= performance.now()
    if (this.#told === kind) return
    this.#told = kind
    const what = kind === 'refused' ? 'Lines are kept and tried again every minute.' : 'Lines are kept and tried again.'
    this.#say(`Access logs do not arrive: ${reason.replace(/\.$/, '')}. ${what}`)
  }

  works(): void {
    this.#fault = undefined
    if (this.#since === undefined) return
    const seconds = Math.round((performance.now() - this.#since) / 1000)
    this.#since = undefined
    this.#told = undefined
    this.#say(`Access logs arrive at ${this.#shown} again, after ${seconds} s.`)
  }

  rejected(count: number, reason: string): void {
    this.#reportRejects(reason, count)
  }

  /** Something on this side. */
  fault(message: string): void {
    if (this.#fault === message) return
    this.#fault = message
    this.#say(message)
  }
}
