/** `nomen openapi`: writes the OpenAPI document of a service file. */
import { documentsOf } from '@nomen/server/internal'
import { type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { readRate } from '../flag/limit.ts'
import { writeOutput } from '../output/write.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [
  {
    name: 'version',
    value: 'number',
    about: 'the version whose document is wanted, such as 1 for /v1; the one without a version unless given',
  },
  { name: 'server', value: 'address', about: 'where the service is, for those who call it from the document' },
  {
    name: 'issuer',
    environment: 'JWT_ISSUER',
    value: 'address',
    about: 'who makes the tokens that callers must show; the document asks for none unless given',
  },
  {
    name: 'database-read',
    environment: 'DATABASE_READ_URL',
    value: 'address',
    about: 'as for nomen serve, and not asked: the document then tells of X-Read-After',
  },
  {
    name: 'rate-limit',
    environment: 'RATE_LIMIT',
    value: 'number/unit',
    about: 'the limit that the service is run with, such as 100/s: every operation may then be answered 429',
  },
  { name: 'output', value: 'file', about: 'write into this file instead of standard output' },
]

export const openapiCommand: Command = {
  name: 'openapi',
  flags,
  help: `Usage: nomen openapi [service file or folder] [options]

Writes the OpenAPI 3.1 document of what a service file declares, as JSON. It is the one that nomen serve answers at
/openapi.json, and at /v1/openapi.json for the apis of version 1. No database is needed.

${flagHelp(flags)}`,
  async run(given) {
    const args = readArguments(flags, given)
    const service = await loadService(args.positionals[0])
    const documents = documentsOf(service, {
      issuer: args.text('issuer'),
      hasReplicas: args.text('database-read') !== undefined,
      isLimited: readRate(args) !== undefined,
    })
    const version = args.text('version')
    const found =
      version === undefined
        ? (documents.find(({ path }) => path === '/openapi.json') ?? documents.at(-1))
        : documents.find(({ path }) => path === `/v${version}/openapi.json`)
    if (!found) {
      const paths = documents.map(({ path }) => path).join(', ')
      throw new CommandError(`${service.name} has no version ${version}.`, `Its documents are ${paths}.`, 1)
    }
    writeOutput(`${JSON.stringify(found.build(args.text('server')), null, 2)}\n`, args.text('output'))
  },
}
