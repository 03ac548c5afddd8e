// openapi-typescript reads our documents: its types must equal those of the declarations, and openapi-fetch must be able to
// use them with a running service. testing/external does the same with other generators.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AnyApi } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { access, directory, directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, it } from 'vitest'
import { type DirectoryClient, expectDirectoryClient } from './directory-client.ts'

const here = import.meta.dirname

async function generate(name: string, api: AnyApi): Promise<void> {
  const document = openapi(api) as unknown as OpenAPI3
  const types = astToString(await openapiTypes(document, { defaultNonNullable: false }))
  mkdirSync(join(here, 'dist'), { recursive: true })
  writeFileSync(join(here, 'dist', `${name}.ts`), types)
}

it('types that are generated from our documents compile and equal those of the declarations', async () => {
  await generate('directory', directory)
  await generate('access', access)
  const tsc = join(here, '../../node_modules/typescript/bin/tsc')
  const result = await promisify(execFile)(process.execPath, [tsc, '--noEmit', '--project', here]).catch(
    (error: { stdout: string }) => error,
  )
  expect(result.stdout).toBe('')
})

it('openapi-fetch lists, filters, creates, reads, changes, looks up and deletes', async () => {
  // The file does not compile before types are generated, so the compiler must not follow the import.
  const path = './openapi-fetch.ts'
  const { openapiFetch }: { openapiFetch: (baseUrl: string) => DirectoryClient } = await import(path)
  const app = await open(directoryService({ users: 20 }), { database: 'sqlite::memory:', waitLimitMs: 0 })
  try {
    await expectDirectoryClient(openapiFetch(await app.listen({ port: 0 })), 20)
  } finally {
    await app.close()
  }
})
