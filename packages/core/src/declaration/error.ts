/** The error that a bad declaration throws at start. */

/**
 * Names what was declared, the rule that it breaks, and the fix.
 *
 * ```ts
 * throw new DeclarationError('noun "users"', 'looks like a plural.', 'name it "user".')
 * ```
 */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  readonly subject: string
  readonly rule: string
  readonly fix: string

  constructor(subject: string, rule: string, fix: string) {
    super(`${subject}: ${rule}\n  Fix: ${fix}`)
    this.subject = subject
    this.rule = rule
    this.fix = fix
  }
}
