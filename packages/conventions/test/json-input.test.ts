// JSON texts of every kind, and texts that software often damages, as input of lint, diff and check.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { invalidJson, parserDependentJson, validJson } from '@nomen/testing/text/json-texts'
import { naughtyTexts } from '@nomen/testing/text/naughty-texts'
import { expect, it, onTestFinished } from 'vitest'
import {
  checkService,
  DocumentError,
  diff,
  diffMarkdown,
  diffText,
  lintDocumentText,
  type OpenApiDocument,
  readDocumentText,
} from '../src/index.ts'
import { isThere } from './base-document.ts'
import { library } from './library.ts'
import type { Part } from './library-document.ts'

const texts = [...validJson.map(({ text }) => text), ...invalidJson, ...parserDependentJson].map(String)
const shown = (text: string) => text.slice(0, 80)
const documentWith = (value: string) =>
  `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{},"x-value":${value}}`

/** The document, or the error if it cannot be read. Any other error fails the test. */
async function readOrRejected(text: string): Promise<OpenApiDocument | DocumentError> {
  return readDocumentText(text, 'a.json').catch((error) => {
    if (error instanceof DocumentError) return error
    throw new Error(`${shown(text)} caused ${error}`, { cause: error })
  })
}

it('a JSON string that is not a document is rejected with a document error by diff and lint', async () => {
  for (const text of texts) {
    expect(await readOrRejected(text), shown(text)).toBeInstanceOf(DocumentError)
    await expect(lintDocumentText(text, 'a.json'), shown(text)).rejects.toThrow(DocumentError)
  }
})

it('valid JSON inside a document is read as JSON.parse reads it, and is linted', async () => {
  for (const { text } of validJson) {
    const document = await readOrRejected(documentWith(text))
    expect(document, shown(text)).toMatchObject({ 'x-value': JSON.parse(text) })
    expect((await lintDocumentText(documentWith(text), 'a.json')).findings, shown(text)).toEqual([])
  }
})

it('other strings inside a document are read as YAML, or rejected with a document error', async () => {
  for (const text of [...invalidJson, ...parserDependentJson].map(String)) {
    const document = await readOrRejected(documentWith(text))
    if (document instanceof DocumentError) continue
    expect(diff(document, document).changes, shown(text)).toEqual([])
  }
})

it('each string is a name, a value and a description that lint and diff report unchanged', async () => {
  const documentOf = (properties: object): OpenApiDocument => {
    const content = { 'application/json': { schema: { type: 'object', properties } } }
    return { openapi: '3.1.0', paths: { '/note/{id}': { get: { responses: { 200: { content } } } } } } as never
  }
  for (const text of naughtyTexts) {
    const old = documentOf({ kind: { enum: ['a'], description: text }, [`x${text}`]: { type: 'string' } })
    const next = documentOf({ kind: { enum: ['a', `b${text}`], description: '' } })
    const difference = diff(old, next)
    expect(difference.changes.map(({ code }) => code).sort(), text).toEqual([
      'response-enum-value-added',
      'response-field-removed',
    ])
    for (const { document, pointer } of difference.changes)
      expect(isThere(document === 'old' ? old : next, pointer), pointer).toBe(true)
    expect(JSON.parse(JSON.stringify(difference))).toEqual(difference)
    expect(diffText(difference, (_, line) => line)).toContain(`x${text}`)
    // A line break or a bar would end a row of the table.
    const rows = diffMarkdown(difference, 'a')
      .split('\n')
      .filter((line) => line.startsWith('| `GET'))
    expect(rows, text).toHaveLength(2)
  }
  const all = documentOf(
    Object.fromEntries(naughtyTexts.map((text) => [`x${text}`, { type: 'string', description: text }])),
  )
  const { findings } = await lintDocumentText(JSON.stringify(all), 'a.json')
  expect(findings.length).toBeGreaterThan(0)
  for (const { pointer } of findings) expect(isThere(all, pointer), pointer).toBe(true)
})

it('each string is a value that check accepts in records, filters and bodies', async () => {
  const isOfAuthors = ([path]: readonly [string, unknown]) => path.startsWith('/author')
  const document = (whole: Part) => {
    return { ...whole, paths: Object.fromEntries(Object.entries(whole.paths as Part).filter(isOfAuthors)) }
  }
  const server = await library({ document })
  onTestFinished(() => server.close())
  server.store.author = naughtyTexts.map((name, at) => ({ id: at + 1, name, country: 'FR' }))
  const { results } = await checkService({ base: server.base, seed: 'a', isWriting: true })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})

it('a response that is not valid JSON fails the check, and never ends it', async () => {
  const results = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } }
  const schema = { type: 'object', properties: { pageInfo: { type: 'object' }, results } }
  const content = { 'application/json': { schema } }
  const paths = { '/note': { get: { responses: { 200: { content } } } } }
  const document = JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths })
  let body: string | Buffer = ''
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(url === '/openapi.json' ? document : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Every seventh text, because each one needs a whole check.
  for (const text of invalidJson.filter((_, at) => at % 7 === 0)) {
    body = text
    const report = await checkService({ base, seed: 'a' })
    expect(report.results.filter(({ outcome }) => outcome === 'failed').length, shown(`${text}`)).toBeGreaterThan(0)
  }
})
