import { describe, expect, it } from 'vitest'
import { type DiffOptions, diff, type OpenApiDocument } from '../src/index.ts'
import { baseDocument, edited } from './base-document.ts'

type Shape = Readonly<Record<string, string>>

/** A document with one GET for every path, each returning an object with these fields. */
function documentOf(paths: Readonly<Record<string, Shape>>, more: object = {}): OpenApiDocument {
  const response = (fields: Shape) => {
    const properties = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]))
    return { description: 'd', content: { 'application/json': { schema: { type: 'object', properties } } } }
  }
  const items = Object.entries(paths).map(([path, fields]) => [
    path,
    { get: { responses: { '200': response(fields) } } },
  ])
  return { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: Object.fromEntries(items), ...more }
}

const id = { id: 'integer' }
const guid = { id: 'string' }

/** The required versions, and the codes of breaking changes with their version. */
function verdict(old: OpenApiDocument, next: OpenApiDocument, options?: DiffOptions) {
  const { requiredVersions, changes, versioning } = diff(old, next, options)
  return {
    kind: versioning.kind,
    to: requiredVersions.map(({ from, to }) => `${from} -> ${to}`),
    breaking: changes
      .filter(({ isBreaking }) => isBreaking)
      .map(({ code, path, newVersion = '' }) => `${code} ${path} ${newVersion}`.trim()),
  }
}

describe('an api that is versioned as a whole', () => {
  const old = documentOf({ '/v1/user': id, '/v1/role': id })

  it('needs the next version for all operations if one breaks', () =>
    expect(verdict(old, documentOf({ '/v1/user': guid, '/v1/role': id }))).toEqual({
      kind: 'whole',
      to: ['/v1 -> /v2'],
      breaking: ['response-field-retyped /v1/user'],
    }))

  it('may break under the next version next to the previous one', () =>
    expect(verdict(old, documentOf({ '/v1/user': id, '/v1/role': id, '/v2/user': guid, '/v2/role': id }))).toEqual({
      kind: 'whole',
      to: [],
      breaking: [],
    }))

  it('may break under the next version instead of the previous one', () =>
    expect(verdict(old, documentOf({ '/v2/user': guid, '/v2/role': id }))).toEqual({
      kind: 'whole',
      to: [],
      breaking: ['version-raised /v1/user /v2', 'response-field-retyped /v1/user /v2', 'version-raised /v1/role /v2'],
    }))

  it('may drop an operation in the next version', () =>
    expect(verdict(old, documentOf({ '/v2/user': id }))).toMatchObject({
      to: [],
      breaking: ['version-raised /v1/user /v2', 'operation-removed /v1/role /v2'],
    }))

  it('may not raise the version of one noun only', () =>
    expect(verdict(old, documentOf({ '/v2/user': guid, '/v1/role': id }))).toEqual({
      kind: 'whole',
      to: ['/v1 -> /v2'],
      breaking: ['version-raised /v1/user', 'response-field-retyped /v1/user', 'version-incomplete /v1/role'],
    }))

  it('may not have a new version that lacks a noun next to the previous one', () =>
    expect(verdict(old, documentOf({ '/v1/user': id, '/v1/role': id, '/v2/user': guid }))).toEqual({
      kind: 'whole',
      to: ['/v1 -> /v2'],
      breaking: ['version-incomplete /v1/role'],
    }))

  it('may not break the previous version when it adds the next one', () =>
    expect(
      verdict(old, documentOf({ '/v1/user': guid, '/v1/role': id, '/v2/user': guid, '/v2/role': id })),
    ).toMatchObject({ to: ['/v1 -> /v2'], breaking: ['response-field-retyped /v1/user'] }))

  it('needs version 3 if version 2 already existed', () => {
    const both = { '/v1/user': id, '/v2/user': id }
    expect(verdict(documentOf(both), documentOf({ ...both, '/v2/user': guid })).to).toEqual(['/v2 -> /v3'])
  })

  it('may remove a version that has a successor', () =>
    expect(verdict(documentOf({ '/v1/user': id, '/v2/user': guid }), documentOf({ '/v2/user': guid }))).toMatchObject({
      to: [],
      breaking: ['version-retired /v1/user /v2'],
    }))

  it('may not lose an operation of a version that is still served', () =>
    expect(verdict(old, documentOf({ '/v1/user': id }))).toMatchObject({
      to: ['/v1 -> /v2'],
      breaking: ['operation-removed /v1/role'],
    }))

  it('may have its version in the server URL', () => {
    const servers = (url: string) => ({ servers: [{ url }] })
    const first = documentOf({ '/user': id }, servers('https://people.example/api/v1'))
    const second = documentOf({ '/user': guid }, servers('https://people.example/api/v2'))
    expect(verdict(first, second)).toEqual({
      kind: 'whole',
      to: [],
      breaking: ['version-raised /user /v2', 'response-field-retyped /user /v2'],
    })
    expect(verdict(first, documentOf({ '/user': guid }, servers('/api/v1'))).to).toEqual(['/v1 -> /v2'])
    expect(verdict(first, documentOf({ '/api/v1/user': id })).breaking).toEqual(['operation-removed /user'])
  })

  it('may have one document for each version', () => {
    const [first, second] = [documentOf({ '/v1/user': id }), documentOf({ '/v2/user': guid })]
    expect(diff([first], [first, second]).requiredVersions).toEqual([])
    expect(diff([first, second], [second]).requiredVersions).toEqual([])
    expect(diff([first], []).requiredVersions).toMatchObject([{ from: '/v1', to: '/v2' }])
  })
})

describe('an api whose nouns have separate versions', () => {
  const old = documentOf({ '/user': id, '/user/{id}': id, '/department': id })

  it('needs a new version only of the noun that breaks', () =>
    expect(verdict(old, documentOf({ '/user': guid, '/user/{id}': id, '/department': id }))).toEqual({
      kind: 'per-noun',
      to: ['/user -> /v2/user'],
      breaking: ['response-field-retyped /user'],
    }))

  it('needs a new version of each noun that breaks', () =>
    expect(verdict(old, documentOf({ '/user': guid, '/user/{id}': guid, '/department': guid })).to).toEqual([
      '/user -> /v2/user',
      '/department -> /v2/department',
    ]))

  it('may raise the version of one noun, next to or instead of the previous one', () => {
    const raised = { '/v2/user': guid, '/v2/user/{id}': id, '/department': id }
    expect(verdict(old, documentOf(raised)).to).toEqual([])
    expect(verdict(old, documentOf({ ...raised, '/user': id, '/user/{id}': id }))).toMatchObject({
      to: [],
      breaking: [],
    })
  })

  it('may be below another path', () => {
    const mounted = documentOf({ '/api/user': id, '/api/department': id })
    expect(verdict(mounted, documentOf({ '/api/v2/user': guid, '/api/department': id })).to).toEqual([])
    expect(verdict(mounted, documentOf({ '/api/user': guid, '/api/v2/user': guid, '/api/department': id })).to).toEqual(
      ['/api/user -> /api/v2/user'],
    )
  })

  it('may raise a single operation', () =>
    expect(verdict(old, documentOf({ '/v2/user': guid, '/user/{id}': id, '/department': id })).to).toEqual([]))

  it('may not lose an operation of a version that is still served', () =>
    expect(verdict(old, documentOf({ '/user': id, '/v2/user': id, '/department': id })).to).toEqual([
      '/user -> /v2/user',
    ]))

  it('is not covered by the new version of another noun', () =>
    expect(verdict(old, documentOf({ '/v2/department': id, '/user': id })).to).toEqual(['/user -> /v2/user']))

  it('needs version 3 of a noun that has version 2', () => {
    const second = { '/v2/user': id, '/department': id, '/v5/role': id }
    expect(verdict(documentOf(second), documentOf({ ...second, '/v2/user': guid })).to).toEqual([
      '/v2/user -> /v3/user',
    ])
  })

  it('treats list variants and lookups as part of their noun', () => {
    const wide = documentOf({ '/user': id, '/user-summary': id, '/user/by-email/{email}': id, '/department': id })
    expect(verdict(wide, documentOf({ '/user': id, '/department': id })).to).toEqual(['/user -> /v2/user'])
    expect(verdict(wide, documentOf({ '/v2/user': id, '/department': id }))).toEqual({
      kind: 'per-noun',
      to: [],
      breaking: [
        'version-raised /user /v2',
        'list-variant-removed /user-summary /v2',
        'lookup-removed /user/by-email/{email} /v2',
      ],
    })
  })
})

describe('a deprecated operation', () => {
  const announced = (sunset: string) => {
    const document = documentOf({ '/user': id, '/role': id })
    return edited(document, {
      '/paths/~1user/get/deprecated': true,
      '/paths/~1user/get/x-nomen-deprecation': { since: '2026-01-01', sunset },
    })
  }
  const gone = documentOf({ '/role': id })

  it('may be removed after its sunset, but not before', () => {
    expect(diff(announced('2026-03-01'), gone, { today: '2026-03-01' })).toMatchObject({
      requiredVersions: [],
      changes: [{ code: 'operation-removed', isBreaking: true, sunset: '2026-03-01' }],
    })
    expect(diff(announced('2026-03-01'), gone, { today: '2026-02-28' }).requiredVersions).toHaveLength(1)
    expect(diff(announced('2000-01-01'), gone).requiredVersions).toEqual([])
    expect(diff(announced('9000-01-01'), gone).requiredVersions).toHaveLength(1)
  })

  it('counts as removed if it only responds with 410', () => {
    const responses = { '410': { description: 'd' }, '503': { description: 'd' } }
    const retired = edited(announced('2026-03-01'), { '/paths/~1user/get/responses': responses })
    const { changes, requiredVersions } = diff(announced('2026-03-01'), retired, { today: '2026-02-28' })
    expect(changes.map(({ code }) => code)).toEqual(['operation-removed'])
    expect(requiredVersions).toHaveLength(1)
    expect(diff(announced('2026-03-01'), retired, { today: '2026-03-01' }).requiredVersions).toEqual([])
    expect(diff(retired, gone).changes).toEqual([])
    expect(diff(retired, announced('2026-03-01')).changes.map(({ code }) => code)).toEqual(['operation-added'])
  })

  it('may not have an earlier sunset, but may have a later one', () => {
    const codesOf = (old: string, next: string) => diff(announced(old), announced(next)).changes.map(({ code }) => code)
    expect(codesOf('2026-03-01', '2026-02-01')).toEqual(['sunset-brought-forward'])
    expect(codesOf('2026-03-01', '2026-04-01')).toEqual(['sunset-postponed'])
  })

  it('needs more than a sunset date', () => {
    const silent = edited(documentOf({ '/user': id }), { '/paths/~1user/get/x-sunset': '2000-01-01' })
    expect(diff(silent, documentOf({})).requiredVersions).toHaveLength(1)
  })

  it('needs a sunset that is a date', () => {
    expect(diff(announced('soon'), gone).requiredVersions).toHaveLength(1)
    expect(diff(announced('soon'), announced('2026-03-01')).changes).toEqual([])
  })

  it('is a whole operation: a parameter cannot be removed after its sunset', () => {
    const parameter = { name: 'a', in: 'query', schema: { type: 'string' }, deprecated: true, 'x-sunset': '2000-01-01' }
    const document = documentOf({ '/user': id })
    const old = edited(document, { '/paths/~1user/get/parameters': [parameter] })
    expect(diff(old, document)).toMatchObject({
      requiredVersions: [{ noun: 'user' }],
      changes: [{ code: 'parameter-removed' }],
    })
  })
})

describe('the kind of versioning', () => {
  const old = documentOf({ '/v1/user': id, '/v1/role': id })
  const next = documentOf({ '/v2/user': guid, '/v1/role': id })

  it('comes from the option, or the document, or the paths', () => {
    const declared = { ...next, 'x-nomen-versioning': 'per-noun' } as OpenApiDocument
    expect(diff(old, next).versioning).toEqual({ kind: 'whole', source: 'paths' })
    expect(diff(old, declared).versioning).toEqual({ kind: 'per-noun', source: 'document' })
    expect(diff(declared, next).versioning).toEqual({ kind: 'per-noun', source: 'document' })
    expect(diff(old, declared, { versioning: 'whole' }).versioning).toEqual({ kind: 'whole', source: 'option' })
    expect(verdict(old, declared).to).toEqual([])
  })

  it.each([
    [{ '/user': id }, { '/user': guid }, 'per-noun'],
    [{ '/user': id, '/role': id }, { '/v1/user': id, '/v1/role': id }, 'whole'],
    [{ '/user': id, '/role': id }, { '/v2/user': id, '/role': id }, 'per-noun'],
    [{ '/v2/user': id, '/v1/role': id }, { '/v2/user': id, '/v1/role': id }, 'per-noun'],
    [{ '/v1/user': id, '/v2/user': id }, { '/v2/user': id }, 'whole'],
    [{ '/api/v1/user': id }, { '/api/v1/user': id }, 'whole'],
  ])('is guessed from the paths: %o and then %o', (before, after, kind) =>
    expect(diff(documentOf(before), documentOf(after)).versioning.kind).toBe(kind),
  )
})

describe('a change', () => {
  it('may be accepted by its code', () => {
    const base = baseDocument()
    const next = edited(base, { '/components/schemas/User/properties/status/enum/+': 'LOCKED' })
    const { requiredVersions, changes } = diff(base, next, { accept: ['response-enum-value-added'] })
    expect(requiredVersions).toEqual([])
    expect(changes.every(({ isBreaking, isAccepted }) => isBreaking && isAccepted)).toBe(true)
  })

  it('of the name of a path parameter does not affect callers', () => {
    const base = baseDocument()
    const text = JSON.stringify(base)
      .replaceAll('/user/{id}', '/user/{userId}')
      .replaceAll('"name":"id"', '"name":"userId"')
    const { changes, requiredVersions } = diff(base, JSON.parse(text))
    expect(requiredVersions).toEqual([])
    expect(new Set(changes.map(({ code }) => code))).toEqual(new Set(['path-parameter-renamed']))
    expect(changes[0]?.message).toBe('The path parameter id was renamed to userId.')
  })

  it.each(['/user/', '/user/{id}/'])('to the path %s is another path', (path) => {
    const base = baseDocument()
    const next = JSON.parse(JSON.stringify(base).replaceAll(`"${path.slice(0, -1)}":`, `"${path}":`))
    const codes = diff(base, next).changes.map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set(['operation-removed', 'operation-added']))
  })

  it('of the schema of a renamed path parameter is found', () => {
    const base = baseDocument()
    const next = edited(base, { '/paths/~1user~1{id}': undefined })
    const item = { ...(base.paths as Record<string, object>)['/user/{id}'] }
    const parameters = [{ name: 'guid', in: 'path', required: true, schema: { type: 'boolean' } }]
    const codes = diff(base, edited(next, { '/paths/~1user~1{guid}': { ...item, parameters } })).changes.map(
      ({ code }) => code,
    )
    expect(new Set(codes)).toEqual(new Set(['parameter-retyped', 'path-parameter-renamed']))
  })

  it('that was announced with x-extensible-enum is not breaking', () => {
    const statusPointer = '/components/schemas/User/properties/status'
    const base = edited(baseDocument(), { [`${statusPointer}/x-extensible-enum`]: true })
    expect(
      diff(base, edited(base, { [`${statusPointer}/enum/+`]: 'LOCKED' })).changes.map(({ code }) => code),
    ).toContain('response-field-loosened')
  })
})

describe('a webhook', () => {
  const sending = (type: string) => {
    const schema = { type: 'object', properties: { id: { type } } }
    const requestBody = { content: { 'application/json': { schema } } }
    return { webhooks: { 'user.created': { post: { requestBody, responses: { 200: { description: 'd' } } } } } }
  }
  const old = documentOf({ '/v1/user': id }, sending('integer'))

  it('needs a new name if its request breaks receivers', () => {
    const { requiredVersions, changes } = diff(old, documentOf({ '/v1/user': id }, sending('string')))
    expect(requiredVersions).toMatchObject([{ noun: '', from: 'the webhook user.created', to: 'a new webhook' }])
    expect(requiredVersions[0]?.message).toBe(
      '1 breaking change in the webhook user.created. Send the changed request as a new webhook, and keep user.created unchanged.',
    )
    expect(changes).toMatchObject([
      {
        code: 'response-field-retyped',
        operations: ['webhook POST user.created'],
        message: 'id of the body of the webhook user.created changed from integer to string.',
      },
    ])
  })

  it('may not be removed with a new version of the paths', () => {
    expect(verdict(old, documentOf({ '/v2/user': id })).to).toEqual(['the webhook user.created -> a new webhook'])
  })
})

it('an operation beside the reference of a path item is compared', () => {
  const withItem = (type: string): OpenApiDocument => {
    const { paths } = documentOf({ '/user': { id: type } })
    const item = (paths as Record<string, object>)['/user']
    return {
      ...documentOf({}),
      paths: { '/user': { $ref: '#/components/pathItems/User', ...item } },
      components: { pathItems: { User: {} } },
    }
  }
  expect(diff(withItem('integer'), withItem('string')).changes).toMatchObject([{ code: 'response-field-retyped' }])
})
