import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { api, createdAt, identity, noun, reference, resource, text } from '@nomen/core'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DocumentError, lintApis, lintDocument, readExceptions, rules } from '../src/index.ts'
import { goodDocument, type Loose } from './good-document.ts'
import { folder, linted } from './linted.ts'

const plural = `openapi: 3.0.3
info: { title: t, version: '1' }
paths:
  /users:
    get:
      responses: { '200': { description: d } }
`

describe('a finding', () => {
  it('stands at its line, with a pointer to it', async () => {
    const { findings } = await linted(plural)
    expect(findings).toMatchObject([{ code: 'plural-path-segment', line: 4, column: 3, pointer: '/paths/~1users' }])
  })

  it('stands at the line of an element, and at what an alias stands for', async () => {
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

  it('stands in the file that it is of, however many files a document lies in', async () => {
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

  it('is made of a document at an address', async () => {
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

  it('is one by both judges', async () => {
    const words = 'users roles addresses statuses people children criteria indices runs checks user-roles'.split(' ')
    expect(await wordsOf(words)).toEqual(words)
  })

  it('is not seen in a singular that looks like one', async () => {
    const words =
      'status address news series analytics sms dns https kubernetes access process data metadata lens timeseries octopus ' +
      'users-summary goods v1 v2s by-users terminate-sessions'
    expect(await wordsOf(words.split(' '))).toEqual([])
  })

  it('is none where the dictionary of the project says so', async () => {
    expect(await wordsOf(['cats', 'dogs', 'house-cats'], ['Cats'])).toEqual(['dogs'])
  })

  it('is none in a parameter', async () => {
    const document = { openapi: '3.1.0', paths: { '/user/{users}': { get: { responses: { default: {} } } } } }
    expect((await linted(document)).findings).toEqual([])
  })
})

describe('x-nomen-ignore', () => {
  const ignore = [{ code: 'plural-path-segment', reason: 'Older than the conventions.' }]
  const broken = () => {
    const document = goodDocument()
    document.paths['/v1/users'] = { get: { responses: { 200: { description: 'd' } } } }
    return document
  }
  const places: Readonly<Record<string, (document: Loose) => Loose>> = {
    'the document': (document) => document,
    'all paths': (document) => document.paths,
    'the path': (document) => document.paths['/v1/users'],
  }

  it.each(Object.keys(places))('is heard at %s', async (name) => {
    const document = broken()
    const place = places[name]?.(document)
    place['x-nomen-ignore'] = ignore
    const { findings, ignored } = await linted(document)
    expect(findings).toEqual([])
    expect(ignored).toMatchObject([{ code: 'plural-path-segment', reason: 'Older than the conventions.' }])
    expect(ignored[0]?.exception.pointer).toMatch(/\/x-nomen-ignore\/0$/)
  })

  it('is heard at an operation, a schema and a property', async () => {
    const document = goodDocument()
    const { Preference } = document.components.schemas
    Preference['x-nomen-ignore'] = [{ code: 'camel-case-name', reason: 'It is stored so.' }]
    Preference.properties.valid_from = { type: 'string' }
    Preference.properties.comments = {
      type: 'string',
      'x-nomen-ignore': [{ code: 'plural-property', reason: 'It holds several, one a line.' }],
    }
    const { delete: remove } = document.paths['/v1/user/{id}']
    remove.responses = { 204: { description: 'd' }, 404: { description: 'd' } }
    remove['x-nomen-ignore'] = [{ code: 'success-status', reason: 'Clients rely on it.' }]
    const { findings, ignored } = await linted(document)
    expect(findings).toEqual([])
    expect(ignored.map(({ code }) => code).sort()).toEqual(['camel-case-name', 'plural-property', 'success-status'])
  })

  it('does not reach beyond its place', async () => {
    const document = broken()
    document.paths['/v1/user']['x-nomen-ignore'] = ignore
    const { findings } = await linted(document)
    expect(findings.map(({ code }) => code)).toEqual(['unused-ignore', 'plural-path-segment'])
  })

  it.each([
    ['without a reason', [{ code: 'plural-path-segment' }], '"plural-path-segment" is ignored without a reason.'],
    ['with an empty reason', [{ code: 'plural-path-segment', reason: ' ' }], 'without a reason'],
    ['with an unknown code', [{ code: 'plural', reason: 'r' }], 'There is no rule "plural" to ignore.'],
    ['that names no code', ['plural-path-segment'], '"plural-path-segment" names no code to ignore.'],
    ['that is no list', 7, '7 names no code to ignore.'],
  ])('%s is an error, and ignores nothing', async (_, given, message) => {
    const document = broken()
    document['x-nomen-ignore'] = given
    const { findings } = await linted(document)
    expect(findings.map(({ code, severity }) => [code, severity]).sort()).toEqual([
      ['invalid-ignore', 'error'],
      ['plural-path-segment', 'error'],
    ])
    expect(findings.find(({ code }) => code === 'invalid-ignore')?.message).toContain(message)
  })

  it('that nothing needs is a warning', async () => {
    const document = goodDocument()
    document['x-nomen-ignore'] = ignore
    const { findings } = await linted(document)
    expect(findings).toMatchObject([
      { code: 'unused-ignore', severity: 'warning', pointer: '/x-nomen-ignore/0', line: expect.any(Number) },
    ])
  })
})

describe('exceptions in a file of their own', () => {
  const exceptionsOf = async (entries: unknown) => {
    const path = folder({ 'exceptions.yaml': JSON.stringify(entries, null, 2) })
    return { exceptions: await readExceptions(join(path, 'exceptions.yaml')) }
  }
  const reason = 'It is of another team.'
  const ours = relative('.', join(tmpdir(), '*', 'openapi.yaml'))
  const document = () => {
    const given = goodDocument()
    const get = { responses: { 200: { description: 'd' } } }
    return { ...given, paths: { ...given.paths, '/v1/users': { get }, '/v1/users/{id}/Name': { get } } }
  }

  it.each([
    ['everywhere', {}, 2],
    ['at a path', { path: '/v1/users' }, 1],
    ['at paths that a pattern matches', { path: '/v1/users/**' }, 1],
    ['at a path with a parameter', { path: '/v1/users/{id}/*' }, 1],
    ['below a place', { pointer: '/paths/~1v1~1users' }, 1],
    ['in files that a pattern matches', { file: ours }, 2],
    ['in files that a pattern matches, at a path', { file: ours, path: '/v1/users' }, 1],
  ])('are heard %s', async (_, scope, count) => {
    const codes = ['plural-path-segment', 'kebab-case-path-segment']
    const options = await exceptionsOf(codes.map((code) => ({ code, reason, ...scope })))
    const { ignored, findings } = await linted(document(), options)
    expect(ignored).toHaveLength(count)
    expect(ignored[0]).toMatchObject({ reason, exception: { file: expect.stringMatching(/exceptions\.yaml$/) } })
    expect(findings.filter(({ code }) => codes.includes(code))).toHaveLength(2 - count)
  })

  it('that nothing needs are warnings, unless they are for other files', async () => {
    const code = 'get-body'
    const options = await exceptionsOf([
      { code, reason },
      { code, reason, file: 'elsewhere/**' },
    ])
    const { findings } = await linted(goodDocument(), options)
    expect(findings).toMatchObject([
      { code: 'unused-ignore', pointer: '/0', line: 2, file: expect.stringMatching(/exceptions\.yaml$/) },
    ])
  })

  it.each([
    [{ code: 'plural', reason }, 'There is no rule "plural" to ignore.'],
    [{ code: 'get-body' }, '"get-body" is ignored without a reason.'],
    [{ code: 'get-body', reason, paths: '/user' }, 'The exception has "paths": "/user".'],
    [{ code: 'get-body', reason, path: 7 }, 'The exception has "path": 7.'],
    ['get-body', '"get-body" names no code to ignore.'],
  ])('that are wrong are errors: %j', async (entry, message) => {
    const { findings } = await linted(goodDocument(), await exceptionsOf([entry]))
    expect(findings).toMatchObject([{ code: 'invalid-ignore', pointer: '/0', message }])
  })

  it('that are no list are refused', async () => {
    await expect(exceptionsOf({})).rejects.toThrow(/cannot be read as a list of exceptions: it is no list/)
    await expect(readExceptions('nowhere.yaml')).rejects.toThrow(DocumentError)
  })

  it('are heard for declarations too', async () => {
    const thing = noun('thing', { id: identity(), comments: text() })
    const shop = api('shop', { versioning: 'per-noun', writes: 'flat', resources: [resource(thing)] })
    const options = await exceptionsOf([{ code: 'plural-property', reason, file: 'service.ts', pointer: '/shop' }])
    const { findings, ignored } = lintApis([shop], 'service.ts', options)
    expect([findings, ignored.map(({ code }) => code)]).toEqual([[], ignored.map(() => 'plural-property')])
    expect(ignored.length).toBeGreaterThan(0)
  })
})

describe('declarations', () => {
  const user = noun('user', { id: identity(), lastName: text(), email: text().unique(), created: createdAt() })
  const preference = noun('preference', { id: identity(), user: reference(() => user), value: text().nullable() })
  const below = resource(preference, { complete: ['id', 'value'], paginated: false })
  const options = { list: ['id', 'lastName'], summary: ['id'], detail: true, by: ['email'], children: [below] } as const
  const declared = (path: string) => {
    const shown = resource(user, options)
    // A declaration would refuse some of these paths by itself, and the lint is to see them.
    const resources = [{ ...shown, options: { ...shown.options, path } }]
    const { name, ...made } = api('directory', { versioning: 'per-noun', writes: 'nested', resources: [shown] })
    return { ...made, name, options: { ...made.options, resources } } as Loose
  }

  it('that are good break no rule', () => {
    expect(lintApis([declared('user')], 'service.ts')).toEqual({
      sources: ['service.ts'],
      findings: [],
      ignored: [],
      numberOfOperations: 15,
    })
  })

  it('make exceptions themselves, with reasons', () => {
    const given = (ofApi: object[], ofResource: object[]) => {
      const { options, ...rest } = declared('userAccounts')
      const [first] = options.resources
      const resources = [{ ...first, options: { ...first.options, ignore: ofResource } }]
      return lintApis([{ ...rest, options: { ...options, ignore: ofApi, resources } } as Loose], 'service.ts')
    }
    const kebab = { code: 'kebab-case-path-segment', reason: 'Older than the conventions.' }
    const plural = { code: 'plural-path-segment', reason: 'Is called so.' }
    const { findings, ignored } = given([plural], [kebab])
    expect(findings).toEqual([])
    expect(ignored.map(({ code, reason }) => `${code}: ${reason}`)).toEqual([
      'plural-path-segment: Is called so.',
      ...Array.from({ length: 3 }, () => 'kebab-case-path-segment: Older than the conventions.'),
    ])
    const wrong = given([{ code: 'get-body', reason: 'x' }, { code: 'nothing', reason: 'x' }, plural], [kebab])
    expect(wrong.findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'invalid-ignore /directory',
      'unused-ignore /directory',
    ])
  })

  it('are linted by the same rules', () => {
    const { findings } = lintApis([declared('userAccounts')], 'service.ts')
    expect(findings.map(({ code, file, pointer }) => [code, file, pointer])).toEqual([
      ['plural-path-segment', 'service.ts', '/directory/userAccounts.list'],
      ['kebab-case-path-segment', 'service.ts', '/directory/userAccounts.list'],
      ['kebab-case-path-segment', 'service.ts', '/directory/userAccounts.summary'],
      ['kebab-case-path-segment', 'service.ts', '/directory/userAccounts.detail'],
    ])
    expect(findings[0]).not.toHaveProperty('line')
  })

  it('say by themselves which noun is no plural', () => {
    const tongs = noun('kitchen-tongs', { id: identity() }, { isSingular: true })
    const kitchen = api('kitchen', { versioning: 'per-noun', writes: 'nested', resources: [resource(tongs)] })
    expect(lintApis([kitchen], 'service.ts').findings).toEqual([])
  })

  it('can do without a rule', () => {
    const codes = ['kebab-case-path-segment', 'plural-path-segment']
    expect(lintApis([declared('userAccounts')], 'service.ts', { ignore: codes }).findings).toEqual([])
  })
})

describe('a hostile document', () => {
  const codes = new Set(rules.map(({ code }) => code))

  it.each([
    ['without paths', {}],
    ['whose paths are a text', { paths: 'none' }],
    ['whose paths are a list', { paths: [null, 1] }],
    [
      'with odd paths',
      { paths: { '': {}, user: {}, '/': { get: {} }, '//': { get: [] }, '/{': { get: { parameters: {} } } } },
    ],
    [
      'with null everywhere',
      { paths: { '/user': null, '/role': { get: null, put: { requestBody: null, responses: null } } } },
    ],
    [
      'whose schemas contain themselves',
      {
        paths: { '/user': { get: { responses: { 200: { $ref: '#/components/responses/a' } } } } },
        components: {
          responses: { a: { content: { 'application/json': { schema: { $ref: '#/components/schemas/a' } } } } },
          schemas: {
            a: { allOf: [{ $ref: '#/components/schemas/a' }, { $ref: '#/components/schemas/b' }] },
            b: {
              type: 'object',
              properties: { a: { $ref: '#/components/schemas/a' }, b: { $ref: '#/components/schemas/b' } },
            },
          },
        },
      },
    ],
    ['with names of every object', { paths: { '/__proto__': { get: {} }, '/constructor': { toString: {}, get: {} } } }],
  ])('%s is linted all the same', async (_, parts) => {
    const { findings } = await linted({ openapi: '3.1.0', info: {}, ...parts })
    for (const { code } of findings) expect(codes).toContain(code)
  })

  it('whose aliases make a circle is linted all the same', async () => {
    const text = 'openapi: 3.1.0\npaths: &a\n  /users: { get: {}, x-again: *a }\n'
    expect((await linted(text)).findings).toMatchObject([{ code: 'plural-path-segment' }])
  })

  it.each(['swagger: "2.0"', 'openapi: 2.0', '[1]', '', '{', 'a: 1'])('that is none is refused: %j', async (text) => {
    await expect(linted(text)).rejects.toThrow(DocumentError)
  })

  it('is linted however it is mangled', async () => {
    const paths = placesIn(goodDocument())
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
      fc
        .constantFrom(...paths)
        .map((path) => ({ $ref: `#/${path.map((name) => name.replaceAll('/', '~1')).join('/')}` })),
      fc.constantFrom({ $ref: '#' }, { $ref: '' }, { $ref: '%' }, { $ref: '#/%zz' }, { $ref: 'x://y' }, { $ref: 7 }),
    )
    const changes = fc.array(fc.tuple(fc.constantFrom(...paths), odd), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(changes, async (given) => {
        const document = goodDocument()
        for (const [path, value] of given) put(document, path, structuredClone(value))
        document.openapi = '3.1.0'
        const { findings } = await linted(document)
        for (const { code, message } of findings) {
          expect(codes).toContain(code)
          expect(message).not.toMatch(/undefined|\[object/)
        }
      }),
      { numRuns: 300 },
    )
  }, 120_000)
})

/** The names on the way to everything in a document but itself. */
function placesIn(value: Loose): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => [[name], ...placesIn(one).map((rest) => [name, ...rest])])
}

function put(document: Loose, path: readonly string[], value: unknown): void {
  let at = document
  for (const name of path.slice(0, -1)) {
    at = at?.[name]
    if (typeof at !== 'object' || at === null) return
  }
  at[path.at(-1) as string] = value
}
