// What a browser gets of each part: no more than it needs, and nothing of the others.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'

const entry = 'entry.js'

/** The code that a browser gets for a line of imports, and the files of ours that it is made of. */
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
  const [chunk] = output
  const names = Object.keys(chunk.modules).filter((id) => (chunk.modules[id]?.renderedLength ?? 0) > 0)
  const files = names.flatMap((id) => /packages\/(.*)$/.exec(id)?.[1] ?? [])
  return { code: chunk.code, size: gzipSync(chunk.code, { level: 9 }).length, files: files.sort() }
}

/** Lines of code, without those that are empty or say something. */
function linesOf(files: readonly string[]): number {
  const read = (file: string) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8')
  return files.flatMap((file) => read(file).split('\n')).filter((line) => !/^\s*(\/?\*.*|\/\/.*)?$/.test(line)).length
}

describe('a bundle for the browser', () => {
  it('of the client has nothing else in it, in 4 KiB', async () => {
    const { code, size, files } = await bundle("export { client, etagOf, ProblemError } from '@nomen/core/client'")
    expect(files).toEqual([
      'core/src/client/answer.ts',
      'core/src/client/client.ts',
      'core/src/client/connection.ts',
      'core/src/client/repetition.ts',
      'core/src/naming/kebab-case.ts',
      'core/src/wire/problem-error.ts',
    ])
    expect(code).not.toMatch(/msw|urn:nomen|sqlite|fastify|node:/)
    expect(size).toBeLessThanOrEqual(4096)
  })

  it('of mocks has nothing else in it, in 4 KiB without msw', async () => {
    const { code, size, files } = await bundle("export { collection, mocks } from '@nomen/core/mocks'")
    expect(files).toEqual(['core/src/mocks/collection.ts', 'core/src/mocks/mocks.ts', 'core/src/mocks/place.ts'])
    expect(code).not.toMatch(/user-agent|retry-after|urn:nomen|sqlite|fastify|node:/)
    expect(size).toBeLessThanOrEqual(4096)
  })

  it('of the reader of documents has nothing else in it, in 7 KiB', async () => {
    const { code, size, files } = await bundle("export { readOpenApi } from '@nomen/core/openapi'")
    expect(files.filter((file) => !file.startsWith('core/src/openapi/read/'))).toEqual([
      'core/src/naming/kebab-case.ts',
      'core/src/naming/words.ts',
    ])
    expect(code).not.toMatch(/user-agent|urn:nomen|sqlite|fastify|import/)
    expect(size).toBeLessThanOrEqual(7168)
  })

  it('of mocks of a declared api has no client and no service in it', async () => {
    const { files } = await bundle("export { mocksOf } from '@nomen/core/mocks'")
    expect(files).toContain('core/src/mocks/mocks-of.ts')
    expect(files.filter((file) => file.includes('client/') || !file.startsWith('core/'))).toEqual([])
  })
})

it('mocks stay small', () => {
  const files = ['collection', 'mocks', 'place', 'index', 'mocks-of'].map((name) => `mocks/${name}.ts`)
  expect(linesOf(files)).toBeLessThan(250)
})
