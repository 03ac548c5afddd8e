// The model of a service, from our documents with extensions and from another one without.
import access from '@nomen/directory/openapi/access.json' with { type: 'json' }
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { libraryDocument } from '../../../test/library-document.ts'
import { isDerived, linkCollectionOf, throughCollection, writeCollectionOf } from './relation.ts'
import { baseOf, type Collection, rootOf, rootsOf, serviceOf } from './service.ts'

const base = 'http://localhost'
const directoryService = serviceOf('directory', [
  { document: directory, base },
  { document: access, base },
])
const library = serviceOf(undefined, [{ document: libraryDocument, base }])

function at(service: typeof directoryService, path: string): Collection {
  const found = service.collections.find((collection) => collection.path === path)
  if (!found) throw new Error(`There is no ${path}.`)
  return found
}

const names = (all: readonly { readonly name: string }[] = []) => all.map(({ name }) => name)

describe('a service of ours', () => {
  it('starts with the root nouns of each api', () => {
    expect(directoryService.apis.map((api) => rootsOf(api).map(({ path }) => path))).toEqual([
      ['/user', '/department', '/change', '/webhook', '/saved-view'],
      ['/v1/user', '/v1/application', '/v1/role', '/v1/action', '/v1/change'],
    ])
  })

  it('keeps custom operations out of the collections, and assigns each to its record or list', () => {
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
    expect(more.collections.map(({ path }) => path)).toEqual(
      directoryService.apis[0]?.collections.map(({ path }) => path),
    )
    const { record, collection } = at(more, '/user').actions
    expect(record.map(({ operation }) => operation.path)).toEqual(['/user/{userId}/lock', '/user/{userId}/lock-code'])
    expect(collection.map((action) => [action.operation.path, action.title])).toEqual([['/user/digest', 'Digest']])
  })

  it('has the columns of each list variant', () => {
    const { variants } = at(directoryService, '/user')
    expect(variants.map(({ name, columns }) => [name, columns.length])).toEqual([
      ['list', 4],
      ['summary', 3],
      ['detail', 11],
    ])
    expect(names(variants[0]?.columns)).toEqual(['id', 'firstName', 'lastName', 'email'])
  })

  it('reads the kind, choices, reference and access of each field', () => {
    const kinds = Object.fromEntries(at(directoryService, '/user').fields.map(({ name, kind }) => [name, kind]))
    expect(kinds).toMatchObject({
      id: 'integer',
      email: 'email',
      status: 'choice',
      department: 'reference',
      created: 'timestamp',
    })
    const { fields } = at(directoryService, '/user')
    expect(names(fields.filter(({ isReadOnly }) => isReadOnly))).toEqual(['id', 'created', 'lastUpdated'])
    expect(fields.find(({ name }) => name === 'supervisor')).toMatchObject({ reference: 'user', isNullable: true })
    expect(fields.find(({ name }) => name === 'status')?.transitions).toEqual({
      ACTIVE: ['SUSPENDED'],
      SUSPENDED: ['ACTIVE'],
    })
  })

  it('takes filters from the parameters: choices, references, ranges, and what counts by default', () => {
    const filters = at(directoryService, '/user').variants[0]?.filters ?? []
    const kindOf = (name: string) => filters.find((filter) => filter.name === name)
    expect(kindOf('supervisor')?.field).toMatchObject({ reference: 'user', isNullable: true, isNumeric: true })
    expect(kindOf('department')?.field).toMatchObject({ reference: 'department', isNullable: false })
    expect(kindOf('status')?.field).toMatchObject({ kind: 'choice', choices: ['ACTIVE', 'SUSPENDED'] })
    expect(kindOf('department')?.field).toMatchObject({ kind: 'reference', reference: 'department' })
    expect(kindOf('createdOrUpdated')).toMatchObject({
      title: 'Created or updated',
      exact: undefined,
      range: { from: 'createdOrUpdatedFrom', to: 'createdOrUpdatedTo' },
    })
    const [retired] = at(directoryService, '/department').variants[0]?.filters.filter(({ defaults }) => defaults) ?? []
    expect([retired?.exact, retired?.defaults]).toEqual(['retired', [false]])
  })

  it('puts children below their parents, at any depth', () => {
    expect(at(directoryService, '/user').children.map(({ path }) => path)).toEqual([
      '/user/{userId}/preference',
      '/user/{userId}/change',
    ])
    const below = at(directoryService, '/v1/application').children
    expect(below.map(({ noun }) => noun)).toEqual(['role', 'user'])
    expect(below[1]?.children.map(({ noun }) => noun)).toEqual(['role', 'action'])
  })

  it('writes where the api writes: below the parent, or at the root', () => {
    const preference = at(directoryService, '/user/{userId}/preference')
    expect(writeCollectionOf(preference)).toBe(preference)
    expect(writeCollectionOf(at(directoryService, '/v1/application/{applicationRef}/role'))).toBe(
      at(directoryService, '/v1/role'),
    )
    expect(writeCollectionOf(at(directoryService, '/v1/user/{userRef}/role'))).toBe(at(directoryService, '/v1/role'))
  })

  it('writes no records that are related to their parent through others', () => {
    const actions = at(directoryService, '/v1/application/{applicationRef}/user/{userRef}/action')
    expect(isDerived(actions)).toBe(true)
    expect(throughCollection(actions)?.noun).toBe('role')
    expect(writeCollectionOf(actions)).toBe(actions)
    const users = at(directoryService, '/v1/application/{applicationRef}/user')
    expect([isDerived(users), throughCollection(users)?.noun]).toEqual([true, 'role'])
    const others = ['/v1/application/{applicationRef}/role', '/v1/role/{roleRef}/action', '/user/{userId}/preference']
    expect(others.map((path) => isDerived(at(directoryService, path)))).toEqual([false, false, false])
  })

  it('finds the collection that links two records, for any list of them', () => {
    const linked = at(directoryService, '/v1/user/{userRef}/role')
    expect(linkCollectionOf(linked)).toBe(linked)
    expect(linkCollectionOf(at(directoryService, '/v1/application/{applicationRef}/user/{userRef}/role'))).toBe(linked)
    expect(linkCollectionOf(at(directoryService, '/v1/application/{applicationRef}/role'))).toBeUndefined()
  })

  it('finds the records of a noun in its own document first, or else in another', () => {
    const [first, second] = directoryService.apis
    if (!first || !second) throw new Error('There are two apis.')
    expect(rootOf(directoryService, second, 'user')).toBe(at(directoryService, '/v1/user'))
    expect(rootOf(directoryService, second, 'department')).toBe(at(directoryService, '/department'))
    expect(rootOf(directoryService, first, 'nothing')).toBeUndefined()
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

  it('has plain inputs, with every notation of null', () => {
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
      'added timestamp',
    ])
  })

  it('has filters, and ranges by their names', () => {
    const [list] = book.variants
    expect(list?.filters.map(({ title, range, field }) => [title, range !== undefined, field.kind])).toEqual([
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
