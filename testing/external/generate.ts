/** Generates a client of an OpenAPI document with each generator, into `dist`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { build } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { generate as orval } from 'orval'
import { generateApi } from 'swagger-typescript-api'

const root = import.meta.dirname

/** The folder of generated code and documents. */
export const dist = join(root, 'dist')

/** Writes a document into `dist` and returns its path. */
export async function writeDocument(name: string, document: object): Promise<string> {
  await mkdir(dist, { recursive: true })
  const path = join(dist, `${name}.json`)
  await writeFile(path, JSON.stringify(document))
  return path
}

/** The clients of orval contain the URL of the service, the others take it when they are made. */
export async function generateClients(document: object, baseUrl: string): Promise<void> {
  const input = await writeDocument('directory', document)
  const into = (name: string) => join(dist, name)
  await createClient({ input, output: into('hey-api'), logs: { level: 'silent', file: false } })
  await generateApi({
    input,
    output: into('swagger-typescript-api'),
    fileName: 'directory.ts',
    silent: true,
  })
  await orval({
    input,
    output: {
      target: join(into('orval'), 'directory.ts'),
      schemas: join(into('orval'), 'schema'),
      client: 'react-query',
      httpClient: 'fetch',
      mock: true,
      clean: true,
      baseUrl,
      override: { query: { version: 5 } },
    },
  })
  await build({
    config: {
      root,
      input: { path: input },
      output: { path: into('kubb'), clean: true },
      plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'axios', dataReturnType: 'full' })],
    },
  })
}
