/** `nomen openapi`: writes the OpenAPI document of a service file. */
import { documentsOf } from '@nomen/server/internal'
import { type Command, type Flag, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { readRate } from '../flag/limit.ts'
import { writeOutput } from '../output/write-output.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [
  {
    name: 'version',
    value: 'number',
    about:
      'version of the document, such as 1 for /v1 (default: the document at /openapi.json, which is the latest version if ' +
      'all apis have one)',
  },
  { name: 'server', value: 'URL', about: 'URL of the service, for the servers of the document' },
  {
    name: 'issuer',
    environment: 'JWT_ISSUER',
    value: 'URL',
    about: 'issuer of the tokens that the service requires (default: no authentication)',
  },
  {
    name: 'database-read',
    environment: 'DATABASE_READ_URL',
    value: 'URL',
    about: 'read replicas, as for nomen serve; not contacted, adds the header X-Read-After to the document',
  },
  {
    name: 'rate-limit',
    environment: 'RATE_LIMIT',
    value: 'number/unit',
    about: 'rate limit of the service, such as 100/s; adds the response 429 to every operation',
  },
  { name: 'output', value: 'file', about: 'write into this file instead of standard output' },
]

export const openapiCommand: Command = {
  name: 'openapi',
  flags,
  usage: 'openapi [service file or folder] [options]',
  description: `Writes the OpenAPI 3.1 document of a service file as JSON. nomen serve has the same document at /openapi.json, and at
/v1/openapi.json for version 1. The command needs no database.`,
  async run(argv) {
    const args = readArguments(flags, argv)
    const service = await loadService(args.positionals[0])
    const documents = documentsOf(service, {
      issuer: args.text('issuer'),
      hasReplicas: args.text('database-read') !== undefined,
      isLimited: readRate(args) !== undefined,
    })
    const version = args.text('version')
    const document =
      version === undefined
        ? (documents.find(({ path }) => path === '/openapi.json') ?? documents.at(-1))
        : documents.find(({ path }) => path === `/v${version}/openapi.json`)
    if (!document) {
      const paths = documents.map(({ path }) => path).join(', ')
      throw new CommandError(`${service.name} has no version ${version}.`, `It has the documents ${paths}.`, 1)
    }
    writeOutput(`${JSON.stringify(document.build(args.text('server')), null, 2)}\n`, args.text('output'))
  },
}
