// Exceptions from the rules of the linter, in the document and in a separate file.
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { api, identity, noun, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { DocumentError, lintApis, readExceptions } from '../src/index.ts'
import { goodDocument, type Loose } from './good-document.ts'
import { folder, linted } from './linted.ts'

describe('x-nomen-ignore', () => {
  const ignore = [{ code: 'plural-path-segment', reason: 'Older than the conventions.' }]
  const broken = () => {
    const document = goodDocument()
    document.paths['/v1/users'] = { get: { responses: { 200: { description: 'd' } } } }
    return document
  }
  const locations: Readonly<Record<string, (document: Loose) => Loose>> = {
    'the document': (document) => document,
    'all paths': (document) => document.paths,
    'the path': (document) => document.paths['/v1/users'],
  }

  it.each(Object.keys(locations))('applies to %s', async (name) => {
    const document = broken()
    const location = locations[name]?.(document)
    location['x-nomen-ignore'] = ignore
    const { findings, ignored } = await linted(document)
    expect(findings).toEqual([])
    expect(ignored).toMatchObject([{ code: 'plural-path-segment', reason: 'Older than the conventions.' }])
    expect(ignored[0]?.exception.pointer).toMatch(/\/x-nomen-ignore\/0$/)
  })

  it('applies to an operation, a schema and a property', async () => {
    const document = goodDocument()
    const { Preference } = document.components.schemas
    Preference['x-nomen-ignore'] = [{ code: 'camel-case-name', reason: 'It is stored so.' }]
    Preference.properties.valid_from = { type: 'string' }
    Preference.properties.labels = {
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

  it('does not apply outside its location', async () => {
    const document = broken()
    document.paths['/v1/user']['x-nomen-ignore'] = ignore
    const { findings } = await linted(document)
    expect(findings.map(({ code }) => code)).toEqual(['unused-ignore', 'plural-path-segment'])
  })

  it.each([
    ['without a reason', [{ code: 'plural-path-segment' }], 'The exception for "plural-path-segment" has no reason.'],
    ['with an empty reason', [{ code: 'plural-path-segment', reason: ' ' }], 'has no reason'],
    ['with an unknown code', [{ code: 'plural', reason: 'r' }], 'Unknown rule "plural".'],
    ['that names no code', ['plural-path-segment'], 'The exception "plural-path-segment" has no code.'],
    ['that is not a list', 7, 'The exception 7 has no code.'],
  ])('%s is an error, and ignores nothing', async (_, exceptions, message) => {
    const document = broken()
    document['x-nomen-ignore'] = exceptions
    const { findings } = await linted(document)
    expect(findings.map(({ code, severity }) => [code, severity]).sort()).toEqual([
      ['invalid-ignore', 'error'],
      ['plural-path-segment', 'error'],
    ])
    expect(findings.find(({ code }) => code === 'invalid-ignore')?.message).toContain(message)
  })

  it('that is unused is a warning', async () => {
    const document = goodDocument()
    document['x-nomen-ignore'] = ignore
    const { findings } = await linted(document)
    expect(findings).toMatchObject([
      { code: 'unused-ignore', severity: 'warning', pointer: '/x-nomen-ignore/0', line: expect.any(Number) },
    ])
  })
})

describe('exceptions in a separate file', () => {
  const exceptionsOf = async (entries: unknown) => {
    const path = folder({ 'exceptions.yaml': JSON.stringify(entries, null, 2) })
    return { exceptions: await readExceptions(join(path, 'exceptions.yaml')) }
  }
  const reason = 'It is of another team.'
  const ours = relative('.', join(tmpdir(), '*', 'openapi.yaml'))
  const document = () => {
    const document = goodDocument()
    const get = { responses: { 200: { description: 'd' } } }
    return { ...document, paths: { ...document.paths, '/v1/users': { get }, '/v1/users/{id}/Name': { get } } }
  }

  it.each([
    ['everywhere', {}, 2],
    ['at a path', { path: '/v1/users' }, 1],
    ['at a path and below it', { path: '/v1/users/**' }, 2],
    ['at paths that a pattern matches', { path: '/v1/*/{id}/*' }, 1],
    ['at a path with a parameter', { path: '/v1/users/{id}/*' }, 1],
    ['below a place', { pointer: '/paths/~1v1~1users' }, 1],
    ['in files that a pattern matches', { file: ours }, 2],
    ['in files that a pattern matches, at a path', { file: ours, path: '/v1/users' }, 1],
  ])('apply %s', async (_, scope, count) => {
    const codes = ['plural-path-segment', 'kebab-case-path-segment']
    const options = await exceptionsOf(codes.map((code) => ({ code, reason, ...scope })))
    const { ignored, findings } = await linted(document(), options)
    expect(ignored).toHaveLength(count)
    expect(ignored[0]).toMatchObject({ reason, exception: { file: expect.stringMatching(/exceptions\.yaml$/) } })
    expect(findings.filter(({ code }) => codes.includes(code))).toHaveLength(2 - count)
  })

  it('that are unused are warnings, unless they are for other files', async () => {
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
    [{ code: 'plural', reason }, 'Unknown rule "plural".'],
    [{ code: 'get-body' }, 'The exception for "get-body" has no reason.'],
    [{ code: 'get-body', reason, paths: '/user' }, 'The exception has "paths": "/user".'],
    [{ code: 'get-body', reason, path: 7 }, 'The exception has "path": 7.'],
    ['get-body', 'The exception "get-body" has no code.'],
  ])('that are invalid are errors: %j', async (entry, message) => {
    const { findings } = await linted(goodDocument(), await exceptionsOf([entry]))
    expect(findings).toMatchObject([{ code: 'invalid-ignore', pointer: '/0', message }])
  })

  it('that are not a list are rejected', async () => {
    await expect(exceptionsOf({})).rejects.toThrow(/cannot be read as a list of exceptions: it is not a list/)
    await expect(readExceptions('nowhere.yaml')).rejects.toThrow(DocumentError)
  })

  it('apply to declarations too', async () => {
    const thing = noun('thing', { id: identity(), labels: text() })
    const shop = api('shop', { versioning: 'per-noun', writes: 'flat', resources: [resource(thing)] })
    const options = await exceptionsOf([{ code: 'plural-property', reason, file: 'service.ts', pointer: '/shop' }])
    const { findings, ignored } = lintApis([shop], 'service.ts', options)
    expect([findings, ignored.map(({ code }) => code)]).toEqual([[], ignored.map(() => 'plural-property')])
    expect(ignored.length).toBeGreaterThan(0)
  })
})
