import { describe, expect, it } from 'vitest'
import { diff, diffMarkdown, diffText, type OpenApiDocument } from '../src/index.ts'
import { baseDocument, type Edits, edited } from './base-document.ts'

const base = baseDocument()
const list = '/paths/~1user/get/parameters'
const put = '/components/schemas/UpdateUser/properties'
const read = '/components/schemas/User/properties'
const changed = (edits: Edits) => diff(base, edited(base, edits))
const plain = (document: OpenApiDocument) => diffText(diff(base, document), (_, text) => text)

describe('a message', () => {
  it.each<readonly [Edits, string]>([
    [{ [`${list}/1/schema/default`]: 20 }, 'The default of pageSize changed from 10 to 20.'],
    [{ [`${list}/4/schema/default`]: undefined }, 'The default of retired changed from false to none.'],
    [{ [`${list}/1/schema/maximum`]: 100 }, 'maximum of pageSize changed from 1000 to 100.'],
    [{ [`${list}/7/explode`]: false }, 'The serialization of tag changed from form (exploded) to form.'],
    [{ [`${put}/lastName/maxLength`]: 20 }, 'maxLength of lastName of the request changed from 50 to 20.'],
    [{ [`${put}/lastName/pattern`]: undefined }, 'pattern of lastName of the request changed from "^[A-Z]" to none.'],
    [{ [`${put}/firstName/format`]: 'email' }, 'firstName of the request changed from no format to the format email.'],
    [
      { [`${put}/firstName/enum`]: ['A', 'B'] },
      'firstName of the request was any value of its type, and must now be one of "A", "B".',
    ],
    [{ [`${put}/contact/oneOf/1`]: undefined }, 'contact of the request may no longer be Mail.'],
    [{ [`${read}/id/type`]: ['string', 'boolean'] }, 'id of response 200 changed from integer to boolean or string.'],
    [{ [`${read}/id`]: {} }, 'id of response 200 changed from integer to any type.'],
    [{ [`${read}/id`]: { type: [] } }, 'id of response 200 changed from integer to nothing.'],
    [
      { [`${read}/address/properties/city/type`]: 'integer' },
      'address.city of response 200 changed from string to integer.',
    ],
    [{ [`${read}/tag/items/type`]: 'integer' }, 'tag[] of response 200 changed from string to integer.'],
    [
      { '/paths/~1department/get/security': [{ bearer: [] }, { oauth: ['a', 'b'], key: [] }] },
      'It requires credentials: bearer, or oauth (a, b) and key.',
    ],
  ])('has the values: %j', (edits, message) => {
    expect(changed(edits).changes.map((change) => change.message)).toContain(message)
  })

  it('distinguishes an array that becomes an envelope from one that becomes another object', () => {
    const schemaPointer = '/paths/~1user~1{id}~1preference/get/responses/200/content/application~1json/schema'
    const other = { type: 'object', properties: { results: { type: 'array' } } }
    expect(changed({ [schemaPointer]: other }).changes).toMatchObject([{ code: 'response-field-retyped' }])
  })
})

describe('the text', () => {
  it('reports the same change of several operations once', () => {
    const text = plain(edited(base, { [`${read}/id/type`]: 'string' }))
    expect(text).toContain(
      '  GET /user/by-email/{email}\n  GET /user/{id}\n  PUT /user/{id}\n  DELETE /user/{id}\n  PATCH /user/{id}\n  id of response 200',
    )
    expect(text).toMatch(
      /\n2 breaking changes in \/user\. Publish user as \/v2\/user, and keep \/user unchanged until its callers have moved\.\n/,
    )
  })

  it('reports compatible changes in one line', () =>
    expect(plain(edited(base, { '/paths/~1role': { get: { responses: {} } } }))).toBe(
      'Compatible\n  operation-added GET /role: It was added.\n\nOK: 1 change, none of them breaks a current version.',
    ))
})

describe('the Markdown', () => {
  it('escapes names and values in table cells', () => {
    const next = edited(base, { [`${put}/status/enum`]: ['ACTIVE', 'a|b <img> `x`\n[l](u)'] })
    const lines = diffMarkdown(diff(base, next), 'a|b').split('\n')
    expect(lines[0]).toBe('## a\\|b: breaking changes without a new version')
    const rows = lines.filter((line) => line.startsWith('| `PUT'))
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(row.replaceAll('\\|', '').match(/\|/g)).toHaveLength(4)
    expect(rows.join()).toContain('a\\|b \\<img\\> \\`x')
  })

  it('collapses allowed and compatible changes', () => {
    const next = edited(base, { [`${read}/id/type`]: 'string', '/paths/~1role': { get: { responses: {} } } })
    const text = diffMarkdown(diff(base, next, { accept: ['response-field-retyped'] }), 'directory')
    expect(text).toMatch(/^## directory: no breaking changes without a new version\n/)
    expect(text).toContain('<summary>2 breaking changes, allowed</summary>')
    expect(text).toContain('`response-field-retyped` (accepted): id of response 201 changed from integer to string.')
    expect(text).toContain('<summary>1 change, compatible</summary>')
  })
})

describe('a change in hundreds of locations', () => {
  const count = 100
  /** Components with cyclic references, each with a separate path. */
  const ring = (type: (at: number) => string): OpenApiDocument => {
    const ref = (at: number) => ({ $ref: `#/components/schemas/Part${at % count}` })
    const all = Array.from({ length: count }, (_, at) => at)
    const properties = (at: number) => ({
      note: { type: type(at) },
      next: ref(at + 1),
      far: { items: ref(at * 7 + 3) },
    })
    const content = (at: number) => ({ 'application/json': { schema: ref(at) } })
    return {
      openapi: '3.1.0',
      paths: Object.fromEntries(
        all.map((at) => [`/part-${at}`, { get: { responses: { '200': { content: content(at) } } } }]),
      ),
      components: {
        schemas: Object.fromEntries(all.map((at) => [`Part${at}`, { type: 'object', properties: properties(at) }])),
      },
    }
  }
  const old = ring(() => 'string')

  it('is reported once at the nearest location, with all operations, for one component', () => {
    const report = diff(
      old,
      ring((at) => (at === 5 ? 'integer' : 'string')),
    )
    expect(report.changes).toMatchObject([
      {
        path: '/part-5',
        message: 'note of response 200 changed from string to integer.',
        operations: { length: count },
      },
    ])
    expect([report.requiredVersions.length, report.requiredVersions[0]?.numberOfChanges]).toEqual([count, 1])
    const lines = diffText(report, (_, text) => text).split('\n')
    expect(lines.slice(0, 3)).toEqual(['breaking response-field-retyped', '  GET /part-5', '  GET /part-0'])
    expect(lines).toContain('  and 90 more operations')
    expect(lines).toContain('and 90 more nouns')
    expect(diffMarkdown(report, 'a')).toContain('<br>and 90 more operations |')
  })

  it('is reported once if it is in every component', () => {
    const report = diff(
      old,
      ring(() => 'integer'),
    )
    expect(report.changes).toHaveLength(count)
    const text = diffText(report, (_, line) => line)
    expect(text.match(/^breaking/gm)).toHaveLength(1)
    expect(text).toContain('new document, #/components/schemas/Part0/properties/note/type, and 99 more locations\n')
  })
})
