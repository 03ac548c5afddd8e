// Each entry point for browsers bundles only its own code.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'

const entry = 'entry.js'

/** The bundled code of an import, and the files of this repository in it. */
async function bundle(code: string): Promise<{ code: string; size: number; files: string[] }> {
  const result = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id) => (id.endsWith(entry) ? `\0${entry}` : undefined),
        load: (id) => (id === `\0${entry}` ? code : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external: [/^msw/] },
    },
  })
  const [{ output }] = result as [Rolldown.RolldownOutput]
  const chunks = loadedChunks(output)
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules))
  const names = modules.flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
  const files = names.flatMap((id) => /packages\/(.*)$/.exec(id)?.[1] ?? [])
  const loaded = chunks.map((chunk) => chunk.code).join('\n')
  return { code: loaded, size: gzipSync(loaded, { level: 9 }).length, files: files.sort() }
}

/** The chunks that a page loads at once: the first one, and those that it imports statically. */
function loadedChunks([first, ...others]: Rolldown.RolldownOutput['output']): readonly Rolldown.OutputChunk[] {
  const chunks = [first]
  for (const { imports } of chunks)
    for (const other of others)
      if (other.type === 'chunk' && imports.includes(other.fileName) && !chunks.includes(other)) chunks.push(other)
  return chunks
}

/** Counts lines of code, without empty lines and comments. */
function countCodeLines(files: readonly string[]): number {
  const readSource = (file: string) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8')
  return files.flatMap((file) => readSource(file).split('\n')).filter((line) => !/^\s*(\/?\*.*|\/\/.*)?$/.test(line))
    .length
}

describe('a bundle for the browser', () => {
  it('of the client contains only the client, in 4 KiB', async () => {
    const { code, size, files } = await bundle("export { client, etagOf, ProblemError } from '@nomen/core/client'")
    expect(files).toEqual([
      'core/src/client/client.ts',
      'core/src/client/connection.ts',
      'core/src/client/response.ts',
      'core/src/client/retry.ts',
      'core/src/naming/kebab-case.ts',
      'core/src/wire/problem-error.ts',
    ])
    expect(code).not.toMatch(/msw|urn:nomen|sqlite|fastify|node:/)
    expect(size).toBeLessThanOrEqual(4096)
  })

  it('of mocks contains only mocks, in 4 KiB without msw', async () => {
    const { code, size, files } = await bundle("export { collection, mocks } from '@nomen/core/mocks'")
    expect(files).toEqual(['core/src/mocks/collection.ts', 'core/src/mocks/mocks.ts', 'core/src/mocks/request-path.ts'])
    expect(code).not.toMatch(/user-agent|retry-after|urn:nomen|sqlite|fastify|node:/)
    expect(size).toBeLessThanOrEqual(4096)
  })

  it('of the OpenAPI reader contains only the reader, in 7 KiB', async () => {
    const { code, size, files } = await bundle("export { readOpenApi } from '@nomen/core/openapi'")
    expect(files.filter((file) => !file.startsWith('core/src/openapi/read/'))).toEqual([
      'core/src/naming/kebab-case.ts',
      'core/src/naming/words.ts',
    ])
    expect(code).not.toMatch(/user-agent|urn:nomen|sqlite|fastify|import/)
    expect(size).toBeLessThanOrEqual(7168)
  })

  it('of mocks of a declared api contains no client and no service', async () => {
    const { files } = await bundle("export { mocksOf } from '@nomen/core/mocks'")
    expect(files).toContain('core/src/mocks/mocks-of.ts')
    expect(files.filter((file) => file.includes('client/') || !file.startsWith('core/'))).toEqual([])
  })
})

it('mocks stay small', () => {
  const files = ['collection', 'mocks', 'request-path', 'index', 'mocks-of'].map((name) => `mocks/${name}.ts`)
  expect(countCodeLines(files)).toBeLessThan(250)
})
