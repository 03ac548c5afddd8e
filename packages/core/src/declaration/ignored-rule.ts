/** Rules of the lint that a declaration breaks on purpose. */
import { DeclarationError } from './error.ts'

export interface IgnoredRule {
  /** The code of the rule, as `nomen lint` tells it. */
  readonly code: string
  /** Why it is broken here. */
  readonly reason: string
}

/** An exception without a reason is a mistake that nobody will understand later. */
export function checkIgnored(subject: string, rules: readonly IgnoredRule[] = []): void {
  for (const { code, reason } of rules) {
    if (typeof code === 'string' && code !== '' && typeof reason === 'string' && reason.trim() !== '') continue
    throw new DeclarationError(
      subject,
      `ignores ${JSON.stringify(code)} without a reason.`,
      "give both: ignore: [{ code: 'nested-object', reason: 'older clients send it' }].",
    )
  }
}
