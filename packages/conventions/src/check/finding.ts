/** What a check comes to when it does not simply pass. */
import type { Answer } from './request/exchange.ts'

/** What was awaited, what came instead, and the request that shows it. */
export interface Evidence {
  readonly expected: string
  readonly actual: string
  /** Absent for what the document alone shows. */
  readonly answer?: Answer
  /** The line for a shell, where an answer alone cannot give it; a token stands in it as the variable. */
  readonly shell?: (tokenVariable?: string) => string
}

/** The service breaks a convention. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly evidence: Evidence

  constructor(evidence: Evidence) {
    super(`Expected ${evidence.expected}; ${evidence.actual}.`)
    this.evidence = evidence
  }
}

/** The conventions leave it open, and the service does it in another way than Nomen decided. */
export class OpenPoint extends Error {
  override readonly name = 'OpenPoint'
  readonly evidence: Evidence

  constructor(evidence: Evidence) {
    super(evidence.actual)
    this.evidence = evidence
  }
}

/** It cannot be tried, for this reason. */
export class Skip extends Error {
  override readonly name = 'Skip'
}

/** A fault unless it is so. */
export function expect(isSo: boolean, evidence: () => Evidence): asserts isSo {
  if (!isSo) throw new Fault(evidence())
}

/** The answer has one of these statuses. */
export function expectStatus(answer: Answer, ...statuses: readonly number[]): void {
  expect(statuses.includes(answer.status), () => ({
    expected: `status ${statuses.join(' or ')}`,
    actual: statusOf(answer),
    answer,
  }))
}

/** `status 500, "boom"`. */
export function statusOf({ status, text }: Answer): string {
  const body = text.length > 120 ? `${text.slice(0, 120)}…` : text
  return `status ${status}${body === '' ? '' : `, ${body.replaceAll(/\s+/g, ' ')}`}`
}
