/** The error of an invalid declaration. */

/**
 * The error that an invalid declaration throws at start, with the fix. If there are several mistakes, `errors` has all of them, and the message lists them.
 *
 * @example
 * ```ts
 * try {
 *   noun('users', { id: identity() })
 * } catch (error) {
 *   if (error instanceof DeclarationError) console.error(error.subject, error.fix) // noun "users" rename it to "user", …
 * }
 * ```
 */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  /** The declaration that is invalid: `noun "users"`. */
  readonly subject: string
  /** The mistake, with the value. */
  readonly mistake: string
  /** The code to write instead. */
  readonly fix: string
  readonly #errors: readonly DeclarationError[] | undefined

  constructor(subject: string, mistake: string, fix: string, errors?: readonly DeclarationError[]) {
    super(errors ? listOf(errors) : `${subject}: ${mistake}\n  Fix: ${fix}`)
    this.subject = subject
    this.mistake = mistake
    this.fix = fix
    this.#errors = errors
  }

  /** One error for each mistake; this error itself if there is only one. */
  get errors(): readonly DeclarationError[] {
    return this.#errors ?? [this]
  }
}

function listOf(errors: readonly DeclarationError[]): string {
  const items = errors.map(({ message }, index) => `${index + 1}. ${message.replaceAll('\n', '\n   ')}`)
  return [`${errors.length} mistakes in the declarations:`, ...items].join('\n  ')
}

/** Combines several errors into one. A single error is returned unchanged. */
export function asOneError(errors: readonly [DeclarationError, ...DeclarationError[]]): DeclarationError {
  const [first] = errors
  return errors.length === 1 ? first : new DeclarationError(first.subject, first.mistake, first.fix, errors)
}
