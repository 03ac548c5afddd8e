/** The development issuer on the command line: the file of its key, and the check against production. */
import { CommandError } from '../command-error.ts'

/** In the folder of the project, beside its database. */
export const devKeyFile = 'data/dev-issuer.json'

/** Everyone who can read the key can create any token, so it must never protect a service in production. */
export function requireDevelopment(feature: string): void {
  if (process.env.NODE_ENV !== 'production') return
  throw new CommandError(
    `${feature} is only for development, but NODE_ENV is "production".`,
    'Use the tokens of your identity provider: --auth jwt.',
    1,
  )
}
