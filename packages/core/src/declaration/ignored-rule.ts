/** Lint rules that a declaration ignores on purpose. */
import { DeclarationError } from './error.ts'

/** A lint rule that a declaration ignores, with the reason. */
export interface IgnoredRule {
  /** The code of the rule, as `nomen lint` prints it. */
  readonly code: string
  /** Why the rule does not apply here. `nomen lint` prints it. */
  readonly reason: string
}

/** Checks that each ignored rule has a code and a reason. */
export function checkIgnored(subject: string, rules: readonly IgnoredRule[] = []): void {
  for (const rule of rules) {
    const { code, reason } = rule
    if (typeof code === 'string' && code !== '' && typeof reason === 'string' && reason.trim() !== '') continue
    throw new DeclarationError(
      subject,
      `an ignored rule must have a code and a reason, not ${JSON.stringify(rule)}.`,
      "write both: ignore: [{ code: 'nested-object', reason: 'older clients send it' }].",
    )
  }
}
