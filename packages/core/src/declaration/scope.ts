/** Checks of OAuth scopes in a declaration. */
import { DeclarationError } from './error.ts'

/** Checks the form `noun:verb`. A token with `*:verb` covers all scopes with the same verb. */
export function checkScope(subject: string, scope: string): void {
  const word = '[a-z][a-z0-9]*(-[a-z0-9]+)*'
  if (typeof scope === 'string' && new RegExp(`^${word}:${word}$`).test(scope)) return
  throw new DeclarationError(
    subject,
    `the scope ${JSON.stringify(scope)} must have the form "noun:verb".`,
    'write two kebab-case words separated by a colon, such as "loan:renew".',
  )
}
