/** The linter follows references wherever OpenAPI allows a part of a document, and reports those that have no target. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintDocument } from '../src/index.ts'
import { goodDocument, type Loose } from './good-document.ts'
import { folder, linted } from './linted.ts'
import { nameCases } from './rule-case-name.ts'
import { operationCases } from './rule-case-operation.ts'

const head = "openapi: 3.1.0\ninfo: { title: t, version: '1' }\n"

async function findingsOf(files: Readonly<Record<string, string>>) {
  const { findings } = await lintDocument(join(folder(files), 'openapi.yaml'))
  return findings.map(({ code, file, pointer }) => `${code} ${file.replace(/^.*\//, '')}#${pointer}`)
}

const ok = "responses: { '200': { description: d }, '404': { description: d } }"

describe('a reference is followed in place of', () => {
  it.each([
    [
      'all paths',
      { root: 'paths: { $ref: part.yaml }', part: `/users: { get: { ${ok} } }` },
      'plural-path-segment part.yaml#/~1users',
    ],
    [
      'a path item',
      { root: 'paths: { /user: { $ref: part.yaml } }', part: `get: { parameters: [{ name: a_b, in: query }], ${ok} }` },
      'camel-case-name part.yaml#/get/parameters/0',
    ],
    [
      'a path item with members beside the reference',
      {
        root: `paths: { /user: { $ref: part.yaml, get: { parameters: [{ name: a_b, in: query }], ${ok} } } }`,
        part: '{}',
      },
      'camel-case-name openapi.yaml#/paths/~1user/get/parameters/0',
    ],
    [
      'an operation',
      { root: 'paths: { /user: { get: { $ref: part.yaml } } }', part: `parameters: [{ name: a_b, in: query }]\n${ok}` },
      'camel-case-name part.yaml#/parameters/0',
    ],
    [
      'an operation of a referenced file, within that file',
      {
        root: "paths: { /user: { $ref: 'part.yaml#/item' } }",
        part: `item: { get: { $ref: '#/read' } }\nread: { parameters: [{ name: a_b, in: query }], ${ok} }`,
      },
      'camel-case-name part.yaml#/read/parameters/0',
    ],
    [
      'a parameter',
      {
        root: `paths: { /user: { get: { parameters: [{ $ref: part.yaml }], ${ok} } } }`,
        part: '{ name: a_b, in: query }',
      },
      'camel-case-name part.yaml#',
    ],
    [
      'all parameters',
      {
        root: `paths: { /user: { get: { parameters: { $ref: part.yaml }, ${ok} } } }`,
        part: '[{ name: a_b, in: query }]',
      },
      'camel-case-name part.yaml#/0',
    ],
    [
      'all responses',
      {
        root: "paths: { '/user/{id}': { get: { responses: { $ref: part.yaml } } } }",
        part: "'200': { content: { application/json: { schema: { properties: { a_b: {} } } } } }\n'404': { description: d }",
      },
      'camel-case-name part.yaml#/200/content/application~1json/schema/properties/a_b',
    ],
    [
      'a media type',
      {
        root: "paths: { '/user/{id}': { get: { responses: { '404': {}, '200': { content: { application/json: { $ref: part.yaml } } } } } } }",
        part: 'schema: { properties: { a_b: {} } }',
      },
      'camel-case-name part.yaml#/schema/properties/a_b',
    ],
    [
      'all media types of a response',
      {
        root: "paths: { '/user/{id}': { get: { responses: { '404': {}, '200': { content: { $ref: part.yaml } } } } } }",
        part: 'application/json: { schema: { properties: { a_b: {} } } }',
      },
      'camel-case-name part.yaml#/application~1json/schema/properties/a_b',
    ],
    [
      'a request body',
      {
        root: `paths: { /user: { post: { requestBody: { $ref: 'part.yaml' }, responses: { '201': {} } } } }`,
        part: 'content: { application/json: { schema: { properties: { a_b: {} } } } }',
      },
      'camel-case-name part.yaml#/content/application~1json/schema/properties/a_b',
    ],
    [
      'a schema with an anchor',
      {
        root: "paths: { '/user/{id}': { get: { responses: { '404': {}, '200': { content: { application/json: { schema: { $ref: 'part.yaml#person' } } } } } } } }",
        part: '$defs: { a: { $anchor: person, properties: { a_b: {} } } }',
      },
      'camel-case-name part.yaml#/$defs/a/properties/a_b',
    ],
  ] as const)('%s', async (_, { root, part }, finding) => {
    expect(await findingsOf({ 'openapi.yaml': `${head}${root}\n`, 'part.yaml': part })).toContain(finding)
  })

  it('an operation with its responses, so that a described status is not reported as missing', async () => {
    const files = {
      'openapi.yaml': `${head}paths: { '/user/{id}': { get: { $ref: part.yaml } } }\n`,
      'part.yaml': `${ok}\n`,
    }
    expect(await findingsOf(files)).not.toContainEqual(expect.stringContaining('not-found-response'))
  })
})

describe('a reference without a target is reported in place of', () => {
  const responses = (response: string) => `paths: { /user: { get: { responses: { '200': ${response} } } } }`
  const media = (content: string) => responses(`{ description: d, content: { application/json: { ${content} } } }`)
  it.each([
    ['a path item', 'paths: { /user: { $ref: gone.yaml } }', '/paths/~1user'],
    ['an operation', 'paths: { /user: { get: { $ref: gone.yaml } } }', '/paths/~1user/get'],
    [
      'a parameter',
      'paths: { /user: { get: { parameters: [{ $ref: gone.yaml }] } } }',
      '/paths/~1user/get/parameters/0',
    ],
    [
      'a request body',
      'paths: { /user: { post: { requestBody: { $ref: gone.yaml } } } }',
      '/paths/~1user/post/requestBody',
    ],
    ['a response', responses('{ $ref: gone.yaml }'), '/paths/~1user/get/responses/200'],
    [
      'a header',
      responses('{ headers: { ETag: { $ref: gone.yaml } } }'),
      '/paths/~1user/get/responses/200/headers/ETag',
    ],
    ['a link', responses('{ links: { next: { $ref: gone.yaml } } }'), '/paths/~1user/get/responses/200/links/next'],
    [
      'an example',
      media("examples: { a: { $ref: '#/components/examples/a' } }"),
      '/paths/~1user/get/responses/200/content/application~1json/examples/a',
    ],
    [
      'a schema with an anchor',
      media("schema: { $ref: '#nobody' }"),
      '/paths/~1user/get/responses/200/content/application~1json/schema',
    ],
    [
      'a callback',
      'paths: { /user: { post: { callbacks: { done: { $ref: gone.yaml } } } } }',
      '/paths/~1user/post/callbacks/done',
    ],
    ['an operation, by a text file', 'paths: { /user: { get: { $ref: note.md } } }', '/paths/~1user/get'],
    ['an operation, by a value that is not a text', 'paths: { /user: { get: { $ref: 5 } } }', '/paths/~1user/get'],
  ])('%s', async (_, root, pointer) => {
    expect(await findingsOf({ 'openapi.yaml': `${head}${root}\n`, 'note.md': 'text' })).toContain(
      `unresolved-reference openapi.yaml#${pointer}`,
    )
  })

  it('nothing, if the reference is data or names a string', async () => {
    const root = [
      `paths: { /user: { get: { description: { $ref: note.md }, ${ok} } } }`,
      "components: { schemas: { user: { examples: [{ $ref: gone.yaml }], default: { $ref: gone.yaml }, x-a: { $ref: '#gone' } } } }",
      '  , examples: { a: { value: { $ref: gone.yaml } } }',
    ]
    const text = `${root[0]}\n${root[1]?.replace(/ }$/, '')}${root[2]} }\n`
    const findings = await findingsOf({ 'openapi.yaml': `${head}${text}`, 'note.md': 'text' })
    expect(findings.filter((finding) => finding.startsWith('unresolved-reference'))).toEqual([])
  })

  it('a member behind another reference is found', async () => {
    const root = `paths:
  /user: { $ref: part.yaml }
  /role: { get: { responses: { '200': { $ref: '#/paths/~1user/get/responses/200' } } } }
`
    const findings = await findingsOf({ 'openapi.yaml': `${head}${root}`, 'part.yaml': `get: { ${ok} }\n` })
    expect(findings.filter((finding) => finding.startsWith('unresolved-reference'))).toEqual([])
  })
})

/** The files of a document with every operation in a file of its own. */
function splitFiles(document: Loose): Record<string, string> {
  const files: Record<string, string> = {}
  for (const item of Object.values<Loose>(document.paths))
    for (const method of ['get', 'put', 'post', 'patch', 'delete'])
      if (item[method] !== undefined && item[method].$ref === undefined) {
        const name = `operation-${Object.keys(files).length}.json`
        files[name] = JSON.stringify(item[method]).replaceAll('"$ref":"#/', '"$ref":"openapi.yaml#/')
        item[method] = { $ref: name }
      }
  return { ...files, 'openapi.yaml': JSON.stringify(document) }
}

describe('a document in several files has the findings of the whole one', () => {
  // A few rules are enough: all of them read the same table.
  const cases = [...nameCases, ...operationCases].filter((_, index) => index % 5 === 0)
  it.each(cases.map((ruleCase) => [ruleCase.code, ruleCase.why, ruleCase] as const))(
    '%s: %s',
    async (_, __, { breaks }) => {
      const document = goodDocument()
      breaks(document)
      const { findings } = await linted(structuredClone(document))
      const split = await lintDocument(join(folder(splitFiles(document)), 'openapi.yaml'))
      const shown = (all: typeof findings) => all.map(({ code, message }) => `${code} ${message}`).sort()
      expect(shown(split.findings)).toEqual(shown(findings))
    },
  )
})
