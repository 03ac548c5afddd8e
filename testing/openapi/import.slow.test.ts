// nomen new --from: every operation of a document is served unchanged, or NOTES.md mentions it.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AnyApi, operations } from '@nomen/core'
import { isSuccess, pathKey, readOpenApi } from '@nomen/core/openapi'
import { expect, it, onTestFinished } from 'vitest'
import { importedParts } from '../../packages/cli/src/new/from/document/from-document.ts'
import { importedProject } from '../../packages/cli/src/new/from/imported-project.ts'
import { projectFiles } from '../../packages/cli/src/new/project-files.ts'
import { corpus } from './corpus.ts'

type Document = Parameters<typeof importedParts>[0]

/** The api in the generated files. */
async function writtenApi(reading: ReturnType<typeof importedParts>): Promise<AnyApi> {
  const project = importedProject('trial', { source: 'it', parts: reading, database: undefined, isAdopted: false })
  const files = projectFiles(project, { dependencies: {}, devDependencies: {} })
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'), 'dir')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const module = await import(pathToFileURL(join(folder, 'src/api.ts')).href)
  return module[project.identifier]
}

/** The path in the URL of the first server. */
function basePath({ servers }: { servers?: readonly { readonly url: string }[] }): string {
  return (servers?.[0]?.url ?? '').replace(/^\w+:\/\/[^/]*/, '').replace(/\/$/, '')
}

it.each(Object.keys(corpus))('%s has no operation that is omitted without a note', async (name) => {
  const document = (await corpus[name]?.()) as Document
  const reading = importedParts(document)
  const notedSources = new Set(reading.notes.map(({ source }) => source))
  const servedOperations = reading.nouns.length === 0 ? [] : operations(await writtenApi(reading))
  const missing = readOpenApi(document).operations.flatMap(({ method, path, responses }) => {
    const successStatuses = [...responses.keys()].filter(isSuccess)
    const isServed = servedOperations.some(
      (operation) =>
        operation.method === method.toUpperCase() &&
        pathKey(operation.path) === pathKey(`${basePath(document as object)}${path}`) &&
        (successStatuses.length === 0 ||
          successStatuses.some((status) => status === `${operation.status}` || status.toUpperCase() === '2XX')),
    )
    const route = `${method.toUpperCase()} ${path}`
    return isServed || notedSources.has(route) ? [] : [route]
  })
  expect(missing).toEqual([])
})
