/** The error that a bad declaration throws at start. */

/**
 * Names what was declared, the rule that it breaks, and the mend.
 *
 * ```ts
 * throw new DeclarationError('noun "users"', 'looks like a plural.', 'name it "user".')
 * ```
 */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  readonly subject: string
  readonly rule: string
  readonly mend: string

  constructor(subject: string, rule: string, mend: string) {
    super(`${subject}: ${rule}\n  Mend: ${mend}`)
    this.subject = subject
    this.rule = rule
    this.mend = mend
  }
}
