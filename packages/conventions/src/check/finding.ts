/** The results of a check other than success. */
import type { CheckResponse } from './request/exchange.ts'

/** Expected and actual behavior, with the request. */
export interface Evidence {
  readonly expected: string
  readonly actual: string
  /** Undefined for checks of the document. */
  readonly response?: CheckResponse
  /** The shell command, if the response cannot provide it; with a variable instead of the token. */
  readonly shell?: (tokenVariable?: string) => string
}

/** The service violates a convention. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly evidence: Evidence

  constructor(evidence: Evidence) {
    super(`Expected ${evidence.expected}; ${evidence.actual}.`)
    this.evidence = evidence
  }
}

/** The conventions leave a choice, and the service differs from Nomen's decision. */
export class NotSpecified extends Error {
  override readonly name = 'NotSpecified'
  readonly evidence: Evidence

  constructor(evidence: Evidence) {
    super(evidence.actual)
    this.evidence = evidence
  }
}

/** The check cannot run, for this reason. */
export class Skip extends Error {
  override readonly name = 'Skip'
}

/** Throws a Fault unless the condition holds. */
export function expect(condition: boolean, evidence: () => Evidence): asserts condition {
  if (!condition) throw new Fault(evidence())
}

/** Throws a Fault unless the response has one of these statuses. */
export function expectStatus(response: CheckResponse, ...statuses: readonly number[]): void {
  expect(statuses.includes(response.status), () => ({
    expected: `status ${statuses.join(' or ')}`,
    actual: statusOf(response),
    response,
  }))
}

/** `status 500, "boom"`. */
export function statusOf({ status, text }: CheckResponse): string {
  const body = text.length > 120 ? `${text.slice(0, 120)}…` : text
  return `status ${status}${body === '' ? '' : `, ${body.replaceAll(/\s+/g, ' ')}`}`
}
