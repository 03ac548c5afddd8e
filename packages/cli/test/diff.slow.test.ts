// `nomen diff` as a process: its output and exit codes.
import { describe, expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen } from './nomen.ts'

interface DeclaredApi {
  /** The fields of the noun besides its title. */
  readonly fields?: string
  /** The options of the resource. */
  readonly options?: string
  readonly version?: number
  readonly versioning?: string
  readonly name?: string
}

/** A service file with these apis. Each has one noun; nouns with the same name are the same. */
function serviceOf(...apis: readonly DeclaredApi[]): string {
  const names = [...new Set(apis.map(({ name = 'note' }) => name))]
  const fieldsOf = (name: string) => apis.flatMap((api) => (name === (api.name ?? 'note') ? (api.fields ?? []) : []))
  const nouns = names.map((name) => {
    const fields = ['id: identity()', 'title: text()', ...fieldsOf(name)]
    return `const ${name} = noun('${name}', { ${fields.join(', ')} })`
  })
  const declared = apis.map(({ options = '', version, versioning = 'whole', name = 'note' }) => {
    const prefix = version === undefined ? '' : `version: ${version}, `
    return `api('${name}s', { ${prefix}versioning: '${versioning}', writes: 'nested', resources: [
      resource(${name}, { ${options} }),
    ] })`
  })
  return `
    import { api, boolean, identity, noun, resource, text } from '@nomen/core'
    import { service } from '@nomen/server'
    ${nouns.join('\n')}
    export default service({ name: 'notes', apis: [${declared.join(', ')}] })
  `
}

function documentOf(type: string, path = '/note'): string {
  const schema = { type: 'object', properties: { id: { type } } }
  const responses = { '200': { description: 'd', content: { 'application/json': { schema } } } }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'notes', version: '1' },
    paths: { [path]: { get: { responses } } },
  })
}

const files = {
  'old.json': documentOf('integer'),
  'new.json': documentOf('string'),
  'raised.json': documentOf('string', '/v2/note'),
  'text.yaml': 'hello',
  'faulty.ts': "throw new Error('no luck')",
}

describe('nomen diff', () => {
  it('fails for a breaking change, and reports its location, the reason and the required version', async () => {
    const { code, output, errors } = await nomen(['diff', 'old.json', 'new.json'], { folder: serviceFolder(files) })
    expect([code, errors]).toEqual([1, ''])
    expect(output).toBe(`breaking response-field-retyped
  GET /note
  id of response 200 changed from integer to string.
  Callers read the value as the previous type.
  new document, #/paths/~1note/get/responses/200/content/application~1json/schema/properties/id/type

1 breaking change in /note. Publish note as /v2/note, and keep /note unchanged until its callers have moved.
Versioning: per-noun, guessed from the paths. Use --versioning to change it.
`)
  })

  it('passes for equal documents, a new version, and accepted changes', async () => {
    const folder = serviceFolder(files)
    const [same, raised, accepted] = await Promise.all([
      nomen(['diff', 'old.json', 'old.json'], { folder }),
      nomen(['diff', 'old.json', 'raised.json'], { folder }),
      nomen(['diff', 'old.json', 'new.json', '--accept', 'response-field-retyped'], { folder }),
    ])
    expect([same.code, same.output]).toEqual([0, 'No changes.\n'])
    expect([raised.code, accepted.code]).toEqual([0, 0])
    expect(raised.output).toContain('version-raised (in /v2) GET /note:')
    expect(raised.output).toContain('OK: 2 changes, none of them breaks a current version.')
    expect(accepted.output).toContain('response-field-retyped (accepted) GET /note:')
  })

  it('writes JSON for programs and Markdown for pull requests', async () => {
    const folder = serviceFolder(files)
    const [json, markdown, fullReport] = await Promise.all([
      nomen(['diff', 'old.json', 'new.json', '--format', 'json'], { folder }),
      nomen(['diff', 'old.json', 'new.json', '--format', 'markdown'], { folder }),
      nomen(['diff', 'old.json', 'new.json', '--format', 'json', '--versioning', 'whole'], { folder }),
    ])
    expect([json.code, markdown.code, fullReport.code]).toEqual([1, 1, 1])
    expect(JSON.parse(json.output)).toMatchObject({
      isReleasable: false,
      apis: [
        {
          name: 'notes',
          versioning: { kind: 'per-noun', source: 'paths' },
          requiredVersions: [{ noun: 'note', from: '/note', to: '/v2/note', numberOfChanges: 1 }],
          changes: [
            { code: 'response-field-retyped', isBreaking: true, method: 'GET', path: '/note', document: 'new' },
          ],
        },
      ],
    })
    expect(markdown.output).toMatch(/^## notes: breaking changes without a new version$/m)
    expect(markdown.output).toMatch(
      /^\| `GET \/note` \| `response-field-retyped`: id of response 200 changed from integer to string\. \|/m,
    )
    expect(JSON.parse(fullReport.output).apis[0].requiredVersions[0]).toMatchObject({ noun: '', to: '/v2' })
  })

  it('compares service files, api by api', async () => {
    const folder = serviceFolder({
      'old.ts': serviceOf({ version: 1 }),
      'broken.ts': serviceOf({ version: 1, fields: 'done: boolean()' }),
      'raised.ts': serviceOf({ version: 1 }, { version: 2, options: `rename: { subject: 'title' }` }),
    })
    const [broken, raised] = await Promise.all([
      nomen(['diff', 'old.ts', 'broken.ts', '--format', 'json'], { folder }),
      nomen(['diff', 'old.ts', 'raised.ts'], { folder }),
    ])
    expect([broken.code, broken.errors, raised.code, raised.errors]).toEqual([1, '', 0, ''])
    const [{ changes, requiredVersions, versioning }] = JSON.parse(broken.output).apis
    expect(versioning).toEqual({ kind: 'whole', source: 'document' })
    expect(requiredVersions).toMatchObject([{ from: '/v1', to: '/v2' }])
    const breaking = changes.filter(({ isBreaking }: { isBreaking: boolean }) => isBreaking)
    expect(breaking.map(({ code, method }: { code: string; method: string }) => `${method} ${code}`)).toEqual([
      'POST required-request-field-added',
      'PUT mutable-field-added',
    ])
    expect(raised.output).toContain('version-added')
  })

  it('compares a document with the matching api of a service file', async () => {
    const [note, task] = [{ versioning: 'per-noun' }, { versioning: 'per-noun', name: 'task' }]
    const services = { 'service.ts': serviceOf(note), 'both.ts': serviceOf(note, task, { version: 1, name: 'role' }) }
    const folder = serviceFolder({ ...services, ...files, 'far.json': documentOf('string', '/far') })
    await nomen(['openapi', 'both.ts', '--output', 'both.json'], { folder })
    const [twoApis, none] = await Promise.all([
      nomen(['diff', 'both.json', 'both.ts'], { folder }),
      nomen(['diff', 'far.json', 'both.ts'], { folder }),
    ])
    expect([twoApis.code, twoApis.output]).toEqual([0, 'No changes.\n'])
    expect(none.errors).toContain(
      'both.ts declares the APIs notes, tasks, roles, but none of them has a path in common with the OpenAPI document.',
    )
    const openapiResult = await nomen(['openapi', 'service.ts', '--output', 'written.json'], { folder })
    const [same, otherApi, unknown] = await Promise.all([
      nomen(['diff', 'written.json', 'service.ts'], { folder }),
      nomen(['diff', 'service.ts', 'old.json', '--api', 'notes'], { folder }),
      nomen(['diff', 'old.json', 'service.ts', '--api', 'nots'], { folder }),
    ])
    expect([openapiResult.code, same.code, same.output]).toEqual([0, 0, 'No changes.\n'])
    expect(otherApi.code).toBe(1)
    expect([unknown.code, unknown.errors]).toEqual([
      2,
      'nomen: There is no API "nots" in service.ts.\n  Choose one of notes.\n',
    ])
  })

  it.each([
    [['old.json'], 'diff needs two versions of an API.'],
    [['old.json', 'new.json', '--format', 'xml'], '--format must be text, json or markdown, but is "xml".'],
    [['old.json', 'new.json', '--versioning', 'noun'], '--versioning must be whole or per-noun, but is "noun".'],
    [['old.json', 'new.json', '--accept', 'operation-remove'], 'Did you mean "operation-removed"?'],
    [['old.json', 'missing.json'], 'missing.json cannot be read as an OpenAPI document'],
    [['text.yaml', 'new.json'], 'text.yaml cannot be read as an OpenAPI document'],
    [['old.json', 'missing.ts'], 'Service file not found: missing.ts.'],
    [['old.json', 'faulty.ts'], 'faulty.ts cannot be loaded. Error: no luck'],
  ])('exits with 2 for wrong arguments: %j', async (args, message) => {
    const { code, output, errors } = await nomen(['diff', ...args], { folder: serviceFolder(files) })
    expect([code, output]).toEqual([2, ''])
    expect(errors).toContain(message)
  })
})
