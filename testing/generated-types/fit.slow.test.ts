// openapi-typescript reads our documents: its types must equal those of the declarations.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AnyApi } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { access, directory } from '@nomen/directory'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, it } from 'vitest'

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
