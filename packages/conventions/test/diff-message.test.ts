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
    [{ [`${list}/1/schema/default`]: 20 }, 'pageSize was 10 where it is left out, is 20.'],
    [{ [`${list}/4/schema/default`]: undefined }, 'retired was false where it is left out, is nothing.'],
    [{ [`${list}/1/schema/maximum`]: 100 }, 'maximum of pageSize was 1000, is 100.'],
    [{ [`${list}/7/explode`]: false }, 'tag was written as form (exploded), is as form.'],
    [{ [`${put}/lastName/maxLength`]: 20 }, 'maxLength of lastName of the request was 50, is 20.'],
    [{ [`${put}/lastName/pattern`]: undefined }, 'pattern of lastName of the request was "^[A-Z]", is none.'],
    [{ [`${put}/firstName/format`]: 'email' }, 'firstName of the request had no format, has the format email.'],
    [
      { [`${put}/firstName/enum`]: ['A', 'B'] },
      'firstName of the request was any value of its type, is one of "A", "B".',
    ],
    [{ [`${put}/contact/oneOf/1`]: undefined }, 'contact of the request may no longer be Mail.'],
    [{ [`${read}/id/type`]: ['string', 'boolean'] }, 'id of answer 200 was integer, is boolean or string.'],
    [{ [`${read}/id`]: {} }, 'id of answer 200 was integer, is of any type.'],
    [{ [`${read}/id`]: { type: [] } }, 'id of answer 200 was integer, is nothing.'],
    [{ [`${read}/address/properties/city/type`]: 'integer' }, 'address.city of answer 200 was string, is integer.'],
    [{ [`${read}/tag/items/type`]: 'integer' }, 'tag[] of answer 200 was string, is integer.'],
    [
      { '/paths/~1department/get/security': [{ bearer: [] }, { oauth: ['a', 'b'], key: [] }] },
      'It asks for credentials: bearer, or oauth (a, b) and key.',
    ],
  ])('has the values: %j', (edits, message) => {
    expect(changed(edits).changes.map((change) => change.message)).toContain(message)
  })

  it('knows an array that becomes another object from one that becomes an envelope', () => {
    const place = '/paths/~1user~1{id}~1preference/get/responses/200/content/application~1json/schema'
    const other = { type: 'object', properties: { results: { type: 'array' } } }
    expect(changed({ [place]: other }).changes).toMatchObject([{ code: 'response-field-retyped' }])
  })
})

describe('the text', () => {
  it('tells the same change of several operations once', () => {
    const text = plain(edited(base, { [`${read}/id/type`]: 'string' }))
    expect(text).toContain(
      '  GET /user/by-email/{email}\n  GET /user/{id}\n  PUT /user/{id}\n  DELETE /user/{id}\n  PATCH /user/{id}\n  id of answer 200',
    )
    expect(text).toMatch(
      /\n2 breaking changes in \/user\. Serve user under \/v2\/user, and \/user as it was or not at all\.\n/,
    )
  })

  it('tells what does not break in a line', () =>
    expect(plain(edited(base, { '/paths/~1role': { get: { responses: {} } } }))).toBe(
      'Not breaking\n  operation-added GET /role: It is new.\n\nIn order: 1 change, none of which breaks a version in use.',
    ))
})

describe('the Markdown', () => {
  it('lets no name or value out of its cell', () => {
    const next = edited(base, { [`${put}/status/enum`]: ['ACTIVE', 'a|b <img> `x`\n[l](u)'] })
    const lines = diffMarkdown(diff(base, next), 'a|b').split('\n')
    expect(lines[0]).toBe('## a\\|b: breaking changes without a new version')
    const rows = lines.filter((line) => line.startsWith('| `PUT'))
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(row.replaceAll('\\|', '').match(/\|/g)).toHaveLength(4)
    expect(rows.join()).toContain('a\\|b \\<img\\> \\`x')
  })

  it('folds away what is in order', () => {
    const next = edited(base, { [`${read}/id/type`]: 'string', '/paths/~1role': { get: { responses: {} } } })
    const text = diffMarkdown(diff(base, next, { accept: ['response-field-retyped'] }), 'directory')
    expect(text).toMatch(/^## directory: changes in order\n/)
    expect(text).toContain('<summary>2 breaking changes, in order</summary>')
    expect(text).toContain('`response-field-retyped` (accepted): id of answer 201 was integer, is string.')
    expect(text).toContain('<summary>1 change, not breaking</summary>')
  })
})

describe('a change that shows in hundreds of places', () => {
  const count = 100
  /** Components that lead to each other in circles, each with a path of its own. */
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

  it('is told once, where it is nearest, with all operations, when it is made in one component', () => {
    const found = diff(
      old,
      ring((at) => (at === 5 ? 'integer' : 'string')),
    )
    expect(found.changes).toMatchObject([
      { path: '/part-5', message: 'note of answer 200 was string, is integer.', operations: { length: count } },
    ])
    expect([found.demands.length, found.demands[0]?.numberOfChanges]).toEqual([count, 1])
    const lines = diffText(found, (_, text) => text).split('\n')
    expect(lines.slice(0, 3)).toEqual(['breaking response-field-retyped', '  GET /part-5', '  GET /part-0'])
    expect(lines).toContain('  and 90 more operations')
    expect(lines).toContain('and 90 more nouns')
    expect(diffMarkdown(found, 'a')).toContain('<br>and 90 more operations |')
  })

  it('is told once when it is made in every component', () => {
    const found = diff(
      old,
      ring(() => 'integer'),
    )
    expect(found.changes).toHaveLength(count)
    const text = diffText(found, (_, line) => line)
    expect(text.match(/^breaking/gm)).toHaveLength(1)
    expect(text).toContain('new document, #/components/schemas/Part0/properties/note/type, and 99 more places\n')
  })
})
