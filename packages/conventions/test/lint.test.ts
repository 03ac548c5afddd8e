import { createServer } from 'node:http'
import { join } from 'node:path'
import { type AnyResource, api, createdAt, createdBy, identity, noun, reference, resource, text } from '@nomen/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lintApis, lintDocument } from '../src/index.ts'
import type { Loose } from './good-document.ts'
import { folder, linted } from './linted.ts'

const plural = `openapi: 3.0.3
info: { title: t, version: '1' }
paths:
  /users:
    get:
      responses: { '200': { description: d } }
`

describe('a finding', () => {
  it('has its line and a pointer', async () => {
    const { findings } = await linted(plural)
    expect(findings).toMatchObject([{ code: 'plural-path-segment', line: 4, column: 3, pointer: '/paths/~1users' }])
  })

  it('has the line of an array element, and of the target of an alias', async () => {
    const text = [
      'openapi: 3.1.0',
      'paths:',
      '  /user:',
      '    get: &read',
      '      parameters:',
      '        - { name: first, in: query }',
      '        - name: last_name',
      '          in: query',
      '  /role: { get: *read }',
      '  /action:',
      '    get: { parameters: [{ $ref: "#/paths/~1role/get/parameters/1" }] }',
    ]
    const { findings } = await linted(text.join('\n'))
    expect(findings.map(({ line, column, pointer }) => [line, column, pointer])).toEqual([
      [7, 11, '/paths/~1user/get/parameters/1'],
      [7, 11, '/paths/~1role/get/parameters/1'],
    ])
  })

  it('has the file of the location in a document with several files', async () => {
    const path = folder({
      'openapi.yaml': plural.replace('{ description: d }', "{ $ref: 'part.yaml#/answer' }"),
      'part.yaml': [
        'answer:',
        '  description: d',
        '  content:',
        '    application/json:',
        '      schema:',
        "        $ref: '#/shape'",
        'shape:',
        '  properties:',
        '    first_name: { type: string }',
      ].join('\n'),
    })
    const { findings } = await lintDocument(join(path, 'openapi.yaml'))
    expect(findings.map(({ code, file, line }) => [code, file.replace(/^.*\//, ''), line])).toEqual([
      ['plural-path-segment', 'openapi.yaml', 4],
      ['camel-case-name', 'part.yaml', 9],
    ])
  })

  it('has the URL of a remote document', async () => {
    const server = createServer((_, response) => response.end(plural)).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const address = `http://127.0.0.1:${port}/openapi.yaml`
    expect((await lintDocument(address)).findings).toMatchObject([
      { code: 'plural-path-segment', file: address, line: 4 },
    ])
  })
})

describe('a plural', () => {
  const wordsOf = async (words: readonly string[], dictionary: readonly string[] = []) => {
    const paths = Object.fromEntries(words.map((word) => [`/${word}`, { get: {} }]))
    const { findings } = await linted({ openapi: '3.1.0', paths }, { dictionary })
    return findings.filter(({ code }) => code === 'plural-path-segment').map(({ message }) => message.split('"')[1])
  }

  it('is reported for regular and irregular nouns', async () => {
    const words = 'users roles addresses statuses people children criteria indices runs checks user-roles'.split(' ')
    expect(await wordsOf(words)).toEqual(words)
  })

  it('is not reported for a singular that looks like a plural', async () => {
    const words =
      'status address news series analytics sms dns https kubernetes access process data metadata lens timeseries octopus ' +
      'users-summary goods v1 v2s by-users terminate-sessions'
    expect(await wordsOf(words.split(' '))).toEqual([])
  })

  it('is not reported for words in the dictionary of the project', async () => {
    expect(await wordsOf(['cats', 'dogs', 'house-cats'], ['Cats'])).toEqual(['dogs'])
  })

  it('is not reported for parameters', async () => {
    const document = { openapi: '3.1.0', paths: { '/user/{users}': { get: { responses: { default: {} } } } } }
    expect((await linted(document)).findings).toEqual([])
  })
})

describe('declarations', () => {
  const user = noun('user', { id: identity(), lastName: text(), email: text().unique(), created: createdAt() })
  const preference = noun('preference', { id: identity(), user: reference(() => user), value: text().nullable() })
  const below = resource(preference, { complete: ['id', 'value'], paginated: false })
  const options = { list: ['id', 'lastName'], summary: ['id'], detail: true, by: ['email'], children: [below] } as const
  const apiWithPath = (path: string) => {
    const shown = resource(user, options)
    // resource() rejects some of these paths, so the path is replaced afterwards.
    const resources = [{ ...shown, options: { ...shown.options, path } }]
    const { name, ...rest } = api('directory', { versioning: 'per-noun', writes: 'nested', resources: [shown] })
    return { ...rest, name, options: { ...rest.options, resources } } as Loose
  }

  it('that follow the conventions break no rule', () => {
    expect(lintApis([apiWithPath('user')], 'service.ts')).toEqual({
      sources: ['service.ts'],
      findings: [],
      ignored: [],
      numberOfOperations: 15,
    })
  })

  it('can have exceptions with reasons', () => {
    const lintWith = (ofApi: object[], ofResource: object[]) => {
      const { options, ...rest } = apiWithPath('userAccounts')
      const [first] = options.resources
      const resources = [{ ...first, options: { ...first.options, ignore: ofResource } }]
      return lintApis([{ ...rest, options: { ...options, ignore: ofApi, resources } } as Loose], 'service.ts')
    }
    const kebab = { code: 'kebab-case-path-segment', reason: 'Older than the conventions.' }
    const plural = { code: 'plural-path-segment', reason: 'Is called so.' }
    const { findings, ignored } = lintWith([plural], [kebab])
    expect(findings).toEqual([])
    expect(ignored.map(({ code, reason }) => `${code}: ${reason}`)).toEqual([
      'plural-path-segment: Is called so.',
      ...Array.from({ length: 3 }, () => 'kebab-case-path-segment: Older than the conventions.'),
    ])
    const wrong = lintWith([{ code: 'get-body', reason: 'x' }, { code: 'nothing', reason: 'x' }, plural], [kebab])
    expect(wrong.findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'invalid-ignore /directory',
      'unused-ignore /directory',
    ])
  })

  it('get a warning for references to nouns without a resource', () => {
    const author = noun('author', { id: identity(), name: text() })
    const book = noun('book', { id: identity(), author: reference(() => author), creator: createdBy(() => author) })
    const library = (...resources: readonly AnyResource[]) => {
      return api('library', { versioning: 'per-noun', writes: 'nested', resources })
    }
    const { findings } = lintApis([library(resource(book))], 'service.ts')
    expect(findings).toMatchObject([
      {
        code: 'hidden-reference',
        severity: 'warning',
        pointer: '/library/book/author',
        message: '"author" references "author", which has no resource.',
        fix: 'Add a resource for "author", or remove "author" from the resource.',
      },
    ])
    expect(lintApis([library(resource(book), resource(author))], 'service.ts').findings).toEqual([])
    const hidden = resource(book, { complete: ['id'], offers: ['list', 'read'] })
    expect(lintApis([library(hidden)], 'service.ts').findings).toEqual([])
  })

  it('are linted by the same rules', () => {
    const { findings } = lintApis([apiWithPath('userAccounts')], 'service.ts')
    expect(findings.map(({ code, file, pointer }) => [code, file, pointer])).toEqual([
      ['plural-path-segment', 'service.ts', '/directory/userAccounts.list'],
      ['kebab-case-path-segment', 'service.ts', '/directory/userAccounts.list'],
      ['kebab-case-path-segment', 'service.ts', '/directory/userAccounts.summary'],
      ['kebab-case-path-segment', 'service.ts', '/directory/userAccounts.detail'],
    ])
    expect(findings[0]).not.toHaveProperty('line')
  })

  it('can declare that a noun is not a plural', () => {
    const tongs = noun('kitchen-tongs', { id: identity() }, { isSingular: true })
    const kitchen = api('kitchen', { versioning: 'per-noun', writes: 'nested', resources: [resource(tongs)] })
    expect(lintApis([kitchen], 'service.ts').findings).toEqual([])
  })

  it('can disable a rule', () => {
    const codes = ['kebab-case-path-segment', 'plural-path-segment']
    expect(lintApis([apiWithPath('userAccounts')], 'service.ts', { ignore: codes }).findings).toEqual([])
  })
})
