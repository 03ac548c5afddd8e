/** Exceptions from lint rules in declarations. */
import { DeclarationError } from './error.ts'

/** An exception from a lint rule in a declaration. */
export interface IgnoredRule {
  /** The code of the rule, as `nomen lint` prints it. */
  readonly code: string
  /** Why the rule does not apply here. `nomen lint` prints it. */
  readonly reason: string
}

/** Checks that each exception has a code and a reason. */
export function checkIgnored(subject: string, rules: readonly IgnoredRule[] = []): void {
  for (const rule of rules) {
    const { code, reason } = rule
    if (typeof code === 'string' && code !== '' && typeof reason === 'string' && reason.trim() !== '') continue
    throw new DeclarationError(
      subject,
      `an exception must have a code and a reason, not ${JSON.stringify(rule)}.`,
      "write both: ignore: [{ code: 'nested-object', reason: 'older clients send it' }].",
    )
  }
}
