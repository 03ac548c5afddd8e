// Client generators read the document of the directory. Their clients must compile and work with a running service.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openapi } from '@nomen/core/openapi'
import { directory, directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DirectoryClient, expectDirectoryClient } from '../generated-types/directory-client.ts'
import { generateClients } from './generate.ts'

const here = import.meta.dirname
const document = openapi(directory)

let app: Awaited<ReturnType<typeof open>>
let baseUrl = ''

beforeAll(async () => {
  app = await open(directoryService({ users: 20 }), { database: 'sqlite::memory:', waitLimitMs: 0 })
  baseUrl = await app.listen({ port: 0 })
  await generateClients(document, baseUrl)
})
afterAll(() => app?.close())

it('generated clients, and code that uses them, compile with strict types', async () => {
  const tsc = join(here, 'node_modules/typescript/bin/tsc')
  const result = await promisify(execFile)(process.execPath, [tsc, '--project', here]).catch(
    (error: { stdout: string }) => error,
  )
  expect(result.stdout).toBe('')
})

/** Clients can be imported only after they are generated. */
const clients: Readonly<Record<string, () => Promise<DirectoryClient>>> = {
  'hey-api': async () => (await import('./client/hey-api.ts')).heyApi(baseUrl),
  kubb: async () => (await import('./client/kubb.ts')).kubb(baseUrl),
  'orval with TanStack Query': async () => (await import('./client/orval.ts')).orval(),
  'swagger-typescript-api': async () =>
    (await import('./client/swagger-typescript-api.ts')).swaggerTypescriptApi(baseUrl),
}

it.each(Object.keys(clients))('%s lists, filters, creates, reads, changes, looks up and deletes', async (name) => {
  const client = await clients[name]?.()
  await expectDirectoryClient(client as DirectoryClient, 20)
})

interface OperationObject {
  readonly parameters: readonly { readonly name?: string; readonly example?: unknown }[]
  readonly responses: { readonly [status: string]: unknown }
}

it('the mocks of orval for MSW respond to every operation as the document says', async () => {
  const { setupServer } = await import('msw/node')
  const { getDirectoryMock } = await import('./dist/orval/directory.msw.ts')
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ ...document, $id: 'directory' })
  const server = setupServer(...getDirectoryMock())
  server.listen({ onUnhandledRequest: 'error' })
  try {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, object] of Object.entries(item)) {
        const { parameters, responses } = object as unknown as OperationObject
        const url = path.replaceAll(
          /\{(.*?)\}/g,
          (_, name) => `${parameters.find((one) => one.name === name)?.example}`,
        )
        const response = await fetch(`${baseUrl}${url}`, { method: method.toUpperCase() })
        const type = `${response.headers.get('Content-Type')}`.replace(/;.*/, '')
        const body = type === 'application/json' ? await response.json() : await response.text()
        expect([method, path, response.ok, `${response.status}` in responses]).toEqual([method, path, true, true])
        if (response.status === 204) continue
        const pointer = ['paths', path, method, 'responses', `${response.status}`, 'content', type, 'schema']
        const encoded = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
        ajv.validate({ $ref: `directory#/${encoded.join('/')}` }, body)
        expect(ajv.errors, `${method} ${path} ${JSON.stringify(body)}`).toBe(null)
      }
    }
  } finally {
    server.close()
  }
})
