// Portman makes a Postman collection with tests from the document of the directory, and runs it with Newman.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openapi } from '@nomen/core/openapi'
import { directory } from '@nomen/directory'
import { open, service } from '@nomen/server'
import { expect, it } from 'vitest'

const document = openapi(directory)

interface OperationObject {
  readonly operationId: string
  readonly 'x-nomen-kind': string
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, object]) => {
    const { operationId, 'x-nomen-kind': kind } = object as unknown as OperationObject
    return { operationId, kind, key: `${method.toUpperCase()}::${path}` }
  }),
)

/** The folders of the collection, in this order: a record exists before others refer to it. */
const nouns = ['department', 'user', 'preference', 'change', 'webhook', 'saved-view']
const kinds = ['create', 'list', 'read', 'lookup', 'replace', 'update', 'custom', 'delete', 'restore']
const ordered = kinds.flatMap((kind) => operations.flatMap((one) => (one.kind === kind ? one.key : [])))

/**
 * The change with the ID of the example is the first of all changes, and not one of each record or webhook. Portman runs the folder of
 * deliveries after the webhook was deleted.
 */
const omitted = operations.flatMap(({ operationId }) =>
  /\.change\.read$|delivery/.test(operationId) ? operationId : [],
)

it('every test that Portman derives from the document passes at a service without records', async () => {
  const app = await open(service({ name: 'directory', apis: [directory] }), {
    database: 'sqlite::memory:',
    waitLimitMs: 0,
  })
  const folder = await mkdtemp(join(tmpdir(), 'nomen-portman-'))
  try {
    const write = async (name: string, content: object) => {
      await writeFile(join(folder, name), JSON.stringify(content))
      return join(folder, name)
    }
    const command = join(import.meta.dirname, 'node_modules/@apideck/portman/bin/portman')
    const local = await write('openapi.json', document)
    const config = await write('portman.json', {
      version: 1,
      globals: { orderOfFolders: nouns, orderOfOperations: ordered },
      tests: { contractTests: contractTests() },
    })
    const filter = await write('filter.json', { operationIds: omitted })
    const flags = [command, '-l', local, '-c', config, '--filterFile', filter, '-b', await app.listen({ port: 0 })]
    const output = await new Promise<string>((resolve) => {
      const options = { cwd: folder, maxBuffer: 2 ** 26 }
      execFile(process.execPath, [...flags, '--runNewman', '-o', 'collection.json'], options, (error, stdout, stderr) =>
        resolve(`${error ? `exit ${error.code}` : 'exit 0'}\n${stdout}\n${stderr}`),
      )
    })
    const [, executed, failed] = /assertions │\s*(\d+) │\s*(\d+) │/.exec(output) ?? []
    console.log(`Portman: ${executed} assertions, ${failed} failed.`)
    expect(output).toMatch(/^exit 0\n/)
    expect([Number(executed) > 100, failed]).toEqual([true, '0'])
  } finally {
    await app.close()
    await rm(folder, { recursive: true })
  }
})

/** The tests of every operation that Portman makes by default. */
function contractTests(): object[] {
  const tests = ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent']
  return [{ openApiOperation: '*::/*', ...Object.fromEntries(tests.map((name) => [name, { enabled: true }])) }]
}
