/** `nomen token`: prints a token of the development issuer. */
import { devToken } from '@nomen/server/internal'
import { type Arguments, type Command, type Flag, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { devKeyFile, requireDevelopment } from '../flag/dev-issuer.ts'
import { wholeNumber } from '../flag/whole-number.ts'

const flags: readonly Flag[] = [
  { name: 'subject', value: 'id', about: 'ID of the user that the token identifies (default: dev)' },
  { name: 'scope', value: 'scopes', about: 'scopes of the token, separated by spaces (default: "*:read *:write")' },
  { name: 'claims', value: 'JSON', about: 'other claims, such as \'{"tenant":"north"}\'' },
  { name: 'minutes', value: 'number', about: 'lifetime of the token, in minutes (default: 60)' },
]

export const tokenCommand: Command = {
  name: 'token',
  flags,
  usage: 'token [options]',
  description: `Prints a token for a service that was started in this folder with nomen serve --auth dev. The command and
the service use the key in ${devKeyFile}; the first one that runs creates it. For development on this machine only.

  TOKEN=$(nomen token --subject 1 --scope user:read)
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3000/user`,
  async run(argv) {
    requireDevelopment('token')
    const args = readArguments(flags, argv, [])
    const token = await devToken(devKeyFile, {
      subject: args.text('subject') ?? 'dev',
      scope: args.text('scope') ?? '*:read *:write',
      claims: readClaims(args),
      lifetimeSeconds: 60 * wholeNumber(args, 'minutes', 60, [1, 60 * 24 * 7]),
    })
    console.log(token)
  },
}

function readClaims(args: Arguments): { readonly [name: string]: unknown } {
  const text = args.text('claims')
  if (text === undefined) return {}
  let claims: unknown
  try {
    claims = JSON.parse(text)
  } catch {
    claims = undefined
  }
  if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return { ...claims }
  throw new CommandError(
    `--claims is ${text}, which is not a JSON object.`,
    'Use an object such as {"tenant":"north"}.',
  )
}
