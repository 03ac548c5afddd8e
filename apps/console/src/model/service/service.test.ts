// What a console shows of a service: from our documents with their extensions, and from a foreign one without any.
import access from '@nomen/directory/openapi/access.json' with { type: 'json' }
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { libraryDocument } from '../../../test/library-document.ts'
import { baseOf, type Collection, linkerOf, rootOf, rootsOf, serviceOf, writerOf } from './service.ts'

const base = 'http://localhost'
const own = serviceOf('directory', [
  { document: directory, base },
  { document: access, base },
])
const library = serviceOf(undefined, [{ document: libraryDocument, base }])

function at(service: typeof own, path: string): Collection {
  const found = service.collections.find((one) => one.path === path)
  if (!found) throw new Error(`There is no ${path}.`)
  return found
}

const names = (all: readonly { readonly name: string }[] = []) => all.map(({ name }) => name)

describe('a service of ours', () => {
  it('begins with the nouns at its roots, api by api', () => {
    expect(own.apis.map((api) => rootsOf(api).map(({ path }) => path))).toEqual([
      ['/user', '/department'],
      ['/v1/user', '/v1/application', '/v1/role', '/v1/action'],
    ])
  })

  it('keeps operations of its own out of its collections, and places each at the record or the list it is for', () => {
    const custom = (path: string, method: string) => ({
      [path]: { [method]: { 'x-nomen-kind': 'custom', responses: { 200: { description: 'x' } } } },
    })
    const paths = {
      ...directory.paths,
      ...custom('/user/{userId}/lock', 'put'),
      ...custom('/user/{userId}/lock-code', 'post'),
      ...custom('/user/digest', 'get'),
    }
    const more = serviceOf('directory', [{ document: { ...directory, paths }, base }])
    expect(more.collections.map(({ path }) => path)).toEqual(own.apis[0]?.collections.map(({ path }) => path))
    const { record, collection } = at(more, '/user').actions
    expect(record.map(({ operation }) => operation.path)).toEqual(['/user/{userId}/lock', '/user/{userId}/lock-code'])
    expect(collection.map((one) => [one.operation.path, one.title])).toEqual([['/user/digest', 'Digest']])
  })

  it('has the columns of each list variant', () => {
    const { variants } = at(own, '/user')
    expect(variants.map(({ name, columns }) => [name, columns.length])).toEqual([
      ['list', 4],
      ['summary', 3],
      ['detail', 11],
    ])
    expect(names(variants[0]?.columns)).toEqual(['id', 'firstName', 'lastName', 'email'])
  })

  it('knows each field by its kind, its choices, what it points at and who sets it', () => {
    const kinds = Object.fromEntries(at(own, '/user').fields.map(({ name, kind }) => [name, kind]))
    expect(kinds).toMatchObject({
      id: 'integer',
      email: 'email',
      status: 'choice',
      department: 'reference',
      created: 'moment',
    })
    const { fields } = at(own, '/user')
    expect(names(fields.filter(({ isReadOnly }) => isReadOnly))).toEqual(['id', 'created', 'lastUpdated'])
    expect(fields.find(({ name }) => name === 'supervisor')).toMatchObject({ reference: 'user', isNullable: true })
    expect(fields.find(({ name }) => name === 'status')?.transitions).toEqual({
      ACTIVE: ['SUSPENDED'],
      SUSPENDED: ['ACTIVE'],
    })
  })

  it('takes filters from the parameters: choices, references, ranges, and what counts by default', () => {
    const filters = at(own, '/user').variants[0]?.filters ?? []
    const kindOf = (name: string) => filters.find((one) => one.names.includes(name))
    expect(kindOf('status')?.field).toMatchObject({ kind: 'choice', choices: ['ACTIVE', 'SUSPENDED'] })
    expect(kindOf('department')?.field).toMatchObject({ kind: 'reference', reference: 'department' })
    expect(kindOf('createdOrUpdatedTo')).toMatchObject({
      title: 'Created or updated',
      isRange: true,
      names: ['createdOrUpdatedFrom', 'createdOrUpdatedTo'],
    })
    const [retired] = at(own, '/department').variants[0]?.filters.filter(({ defaults }) => defaults) ?? []
    expect([retired?.names, retired?.defaults]).toEqual([['retired'], [false]])
  })

  it('puts children below their parents, at any depth', () => {
    expect(at(own, '/user').children.map(({ path }) => path)).toEqual(['/user/{userId}/preference'])
    const below = at(own, '/v1/application').children
    expect(below.map(({ noun }) => noun)).toEqual(['role', 'user'])
    expect(below[1]?.children.map(({ noun }) => noun)).toEqual(['role', 'action'])
  })

  it('writes where the api writes: below the parent, or at the root', () => {
    const preference = at(own, '/user/{userId}/preference')
    expect(writerOf(preference)).toBe(preference)
    expect(writerOf(at(own, '/v1/application/{applicationRef}/role'))).toBe(at(own, '/v1/role'))
    expect(writerOf(at(own, '/v1/user/{userRef}/role'))).toBe(at(own, '/v1/role'))
  })

  it('finds where two records are linked, wherever the list of them stands', () => {
    const linker = at(own, '/v1/user/{userRef}/role')
    expect(linkerOf(linker)).toBe(linker)
    expect(linkerOf(at(own, '/v1/application/{applicationRef}/user/{userRef}/role'))).toBe(linker)
    expect(linkerOf(at(own, '/v1/application/{applicationRef}/role'))).toBeUndefined()
  })

  it('finds the records of a noun in its own document first, else in another', () => {
    const [first, second] = own.apis
    if (!first || !second) throw new Error('There are two apis.')
    expect(rootOf(own, second, 'user')).toBe(at(own, '/v1/user'))
    expect(rootOf(own, second, 'department')).toBe(at(own, '/department'))
    expect(rootOf(own, first, 'nothing')).toBeUndefined()
  })
})

describe('a foreign service', () => {
  const book = at(library, '/book')

  it('is known by the conventions alone', () => {
    expect(library.title).toBe('Library')
    expect(rootsOf(library.apis[0] as (typeof library.apis)[0]).map(({ path }) => path)).toEqual(['/book', '/tag'])
    expect(Object.keys(book.operations).sort()).toEqual([
      'create',
      'delete',
      'list',
      'lookup',
      'read',
      'replace',
      'update',
    ])
    expect([book.identity, at(library, '/tag').identity]).toEqual(['bookId', 'tagId'])
    expect(names(book.variants)).toEqual(['list', 'detail'])
  })

  it('has plain inputs, with null said in any of the ways there are', () => {
    const kinds = book.fields.map(({ name, kind, isNullable }) => `${name} ${kind}${isNullable ? '?' : ''}`)
    expect(kinds).toEqual([
      'bookId integer',
      'title text',
      'genre choice',
      'pages integer?',
      'published date?',
      'lent boolean',
      'blurb paragraph',
      'subtitle text?',
      'added moment',
    ])
  })

  it('has filters, and ranges by their names', () => {
    const [list] = book.variants
    expect(list?.filters.map(({ title, isRange, field }) => [title, isRange, field.kind])).toEqual([
      ['Genre', false, 'choice'],
      ['Title', false, 'text'],
      ['Published', true, 'date'],
    ])
    expect([list?.pageSize, list?.hasSearch, list?.sortable.size]).toEqual([{ default: 10, maximum: 50 }, false, 0])
  })

  it('has children, as arrays too, and links by a PUT without a body', () => {
    expect(book.children.map(({ noun }) => noun)).toEqual(['review', 'tag'])
    const [review, tag] = book.children
    expect([review?.variants[0]?.isPaginated, review?.operations.create?.method]).toEqual([false, 'POST'])
    expect([tag?.operations.link?.method, tag?.operations.unlink?.method]).toEqual(['PUT', 'DELETE'])
  })

  it('stands where its document says, relative to the document', () => {
    expect(baseOf(libraryDocument, 'https://books.example/docs/openapi.json')).toBe('https://books.example/api/v2')
    expect(baseOf({}, 'https://books.example/docs/openapi.json')).toBe('https://books.example')
    expect(baseOf({ servers: [{ url: 'https://{region}.example' }] }, 'https://books.example/o.json')).toBe(
      'https://books.example',
    )
  })
})

it('takes documents with circles and loose ends as far as they go', () => {
  const odd = {
    openapi: '3.1.0',
    paths: {
      '/a': {
        get: {
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } },
        },
      },
      '/b': { $ref: '#/nowhere' },
    },
    components: {
      schemas: {
        A: { type: 'array', items: { $ref: '#/components/schemas/B' } },
        B: { allOf: [{ $ref: '#/components/schemas/B' }] },
      },
    },
  }
  expect(serviceOf('odd', [{ document: odd, base }]).collections.map(({ path }) => path)).toEqual(['/a'])
})
