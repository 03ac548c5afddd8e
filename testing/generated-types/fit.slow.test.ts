// Real tools read our documents: what openapi-typescript makes of them are the types of the declarations.
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

async function make(name: string, api: AnyApi): Promise<void> {
  const document = openapi(api) as unknown as OpenAPI3
  const types = astToString(await openapiTypes(document, { defaultNonNullable: false }))
  mkdirSync(join(here, 'made'), { recursive: true })
  writeFileSync(join(here, 'made', `${name}.ts`), types)
}

it('types that are made of our documents compile, and are those of the declarations', async () => {
  await make('directory', directory)
  await make('access', access)
  const tsc = join(here, '../../node_modules/typescript/bin/tsc')
  const said = await promisify(execFile)(process.execPath, [tsc, '--noEmit', '--project', here]).catch(
    (error: { stdout: string }) => error,
  )
  expect(said.stdout).toBe('')
})
