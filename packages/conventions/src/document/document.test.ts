import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOpenApi } from '@nomen/core/openapi'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DocumentError, readDocument, readDocumentText } from './read-document.ts'

const text = `openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /user/{id}:
    parameters: [{ $ref: '#/components/parameters/id' }]
    get:
      parameters: [{ name: id, in: query, schema: { type: string } }]
      responses: { '200': { $ref: '#/components/responses/user' }, default: { description: d } }
    patch:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/user' } } } }
      responses: { '200': { $ref: '#/components/responses/user' } }
components:
  parameters: { id: { name: id, in: path, required: true, schema: { type: integer } } }
  responses:
    user:
      description: d
      headers: { etag: { schema: { type: string } } }
      content: { application/json: { schema: { $ref: '#/components/schemas/user' } } }
  schemas: { user: { type: object, properties: { boss: { $ref: '#/components/schemas/user' } } } }
`

function folder(files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

describe('a document', () => {
  it('is read from YAML and from JSON', async () => {
    const yaml = await readDocumentText(text, 'a.yaml')
    const path = folder({ 'a.json': JSON.stringify(yaml) })
    expect(await readDocument(join(path, 'a.json'))).toEqual(yaml)
  })

  it('is bundled from several files', async () => {
    const path = folder({
      'a.yaml': "openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths: { /user: { $ref: 'user.yaml' } }\n",
      'user.yaml': "get: { responses: { '200': { description: d } } }\n",
    })
    const [operation] = readOpenApi(await readDocument(join(path, 'a.yaml'))).operations
    expect([operation?.method, operation?.path, operation?.pointer]).toEqual(['get', '/user', '/paths/~1user/get'])
  })

  it('contains the referenced parts of all of its files, also with cycles and names', async () => {
    const path = folder({
      'a.yaml': `openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /user:
    get:
      responses:
        '200': { description: d, content: { application/json: { schema: { $ref: './user.json' } } } }
        default: { $ref: 'shared.yaml#/responses/problem' }
components: { schemas: { name: { type: string, default: { $ref: nowhere.yaml } } } }
`,
      'user.json': JSON.stringify({
        properties: {
          boss: { $ref: '#' },
          default: { $ref: 'shared.yaml#/a~1b' },
          name: { $ref: 'a.yaml#/components/schemas/name' },
        },
        discriminator: { propertyName: 'kind', mapping: { user: 'user.json', name: '#/properties/name' } },
        examples: [{ $ref: 'nowhere.yaml' }],
        'x-own': { $ref: 'nowhere.yaml' },
      }),
      'shared.yaml': `a/b: { type: integer }
responses: { problem: { description: p, content: { application/problem+json: { schema: { $ref: user.json } } } } }
`,
    })
    const document = await readDocument(join(path, 'a.yaml'))
    const [operation] = readOpenApi(document).operations
    const [user, problem] = [operation?.responses.get('200'), operation?.responses.get('default')]
    const shape = user?.media.get('application/json')
    expect(problem?.media.get('application/problem+json')).toBe(shape)
    const shown = [...(shape?.properties.values() ?? [])].map((property) => [property.name, property.shape.raw])
    expect(Object.fromEntries(shown)).toEqual({
      boss: shape?.raw,
      default: { type: 'integer' },
      name: { type: 'string', default: { $ref: 'nowhere.yaml' } },
    })
    expect(shape?.raw.discriminator).toMatchObject({ mapping: { user: `#${shape?.pointer}` } })
  })

  it('may refer to itself by its file name, and to a file whose name needs percent-encoding', async () => {
    const path = folder({
      'a.yaml': `openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /user:
    get: { responses: { '200': { $ref: 'a.yaml#/components/responses/user' } } }
components: { responses: { user: { description: d, content: { application/json: { schema: { type: object } } } } } }
`,
      'b.yaml': `openapi: 3.1.0
info: { title: t, version: '1' }
paths: { /user: { $ref: 'user%20path.yaml' } }
`,
      'user path.yaml': "get: { responses: { '200': { description: d } } }\n",
    })
    const [operation] = readOpenApi(await readDocument(join(path, 'a.yaml'))).operations
    expect(operation?.success?.shape?.type).toBe('object')
    expect(readOpenApi(await readDocument(join(path, 'b.yaml'))).operations).toHaveLength(1)
  })

  it('has discriminators whose mapping leads to the file that they are in', async () => {
    const path = folder({
      'a.yaml': `openapi: 3.1.0
info: { title: t, version: '1' }
paths: {}
components: { schemas: { pet: { $ref: 'pet.yaml' } } }
`,
      'pet.yaml': `oneOf: [{ $ref: '#/$defs/cat' }]
discriminator: { propertyName: kind, mapping: { cat: '#/$defs/cat', dog: Dog } }
$defs: { cat: { type: object } }
`,
    })
    const document = await readDocument(join(path, 'a.yaml'))
    expect(document['x-nomen-file']).toMatchObject({
      pet: { discriminator: { mapping: { cat: '#/x-nomen-file/pet/$defs/cat', dog: 'Dog' } } },
    })
  })

  it.each([
    ["paths: { /user: { $ref: 'user.yaml' } }", /the reference "user\.yaml" cannot be resolved: ENOENT.*\.$/],
    [
      "paths: { /user: { $ref: '#/components/pathItems/user' } }",
      /the reference "#\/components\/pathItems\/user" has no target\.$/,
    ],
    ['---\na: 1', /it has several YAML documents/],
  ])('that is incomplete is rejected with the reason: %j', async (rest, reason) => {
    const source = `openapi: 3.1.0\ninfo: { title: t, version: '1' }\n${rest}\n`
    await expect(readDocumentText(source, 'a.yaml')).rejects.toThrow(reason)
  })

  it.each(['swagger: "2.0"\ninfo: {}', 'a: 1', '{', '', '[]', 'openapi: 2.0.0'])(
    'that is not an OpenAPI document is rejected with the reason: %j',
    async (source) => {
      const error = await readDocumentText(source, 'a.yaml').catch((error) => error)
      expect(error).toBeInstanceOf(DocumentError)
      expect(error.message).toMatch(/^a\.yaml cannot be read as an OpenAPI document: .+\.$/s)
    },
  )

  it('that does not exist is rejected with its name', async () =>
    await expect(readDocument('/nowhere/a.yaml')).rejects.toThrow('/nowhere/a.yaml cannot be read'))
})

describe('the table of a document', () => {
  it('has the methods that OpenAPI 3.2 added, also by reference', async () => {
    const { operations } = readOpenApi({
      openapi: '3.2.0',
      paths: {
        '/user': { query: { responses: {} }, additionalOperations: { COPY: { $ref: '#/components/x-copy' }, none: 1 } },
      },
      components: { 'x-copy': { operationId: 'copyUser', responses: {} } },
    })
    expect(operations.map(({ method, keys, raw, role }) => [method, keys, raw.operationId, role])).toEqual([
      ['query', ['query'], undefined, 'other'],
      ['copy', ['additionalOperations', 'COPY'], 'copyUser', 'other'],
    ])
  })

  it('has every operation with its references resolved', async () => {
    const [read, update] = readOpenApi(await readDocumentText(text, 'a.yaml')).operations
    expect(
      read?.parameters.map((parameter) => [parameter.in, parameter.name, parameter.isRequired, parameter.shape.type]),
    ).toEqual([
      ['path', 'id', true, 'integer'],
      ['query', 'id', false, 'string'],
    ])
    const response = read?.responses.get('200')
    expect(response?.media.get('application/json')?.type).toBe('object')
    expect(response?.headers.get('etag')).toEqual({ schema: { type: 'string' } })
    expect([...(read?.responses.keys() ?? [])]).toEqual(['200', 'default'])
    expect([update?.body?.raw.required, update?.body?.media.get('application/json')?.type]).toEqual([true, 'object'])
  })
})
