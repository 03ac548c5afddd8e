/** The OpenAPI document of the library, as someone would write it by hand. */

const integer = { type: 'integer' }
const text = { type: 'string' }
const moment = { type: 'string', format: 'date-time', readOnly: true }
const id = { type: 'integer', readOnly: true }

const properties: Record<string, Record<string, object>> = {
  book: {
    id,
    title: text,
    isbn: text,
    shelf: { type: 'string', enum: ['OPEN', 'CLOSED'] },
    author: integer,
    numberOfLeaves: integer,
    note: { type: ['string', 'null'] },
    created: moment,
    lastUpdated: moment,
  },
  author: { id, name: text, country: text },
  tag: { id, label: text },
  award: { id, author: { type: 'integer', readOnly: true }, label: text, year: integer },
  review: { id, stars: integer, comment: text },
}

const lists: Record<string, readonly string[]> = {
  book: ['id', 'title', 'shelf'],
  'book-summary': ['id', 'title'],
  'book-detail': Object.keys(properties.book ?? {}),
  award: ['id', 'author', 'label'],
}

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of a document
export type Part = Record<string, any>

export function libraryDocument(): Part {
  const paths: Part = {}
  const components: Part = { schemas: {} }
  for (const [name, schemas] of Object.entries(properties)) {
    const mutable = Object.entries(schemas).filter(([, schema]) => !('readOnly' in schema))
    components.schemas[name] = {
      type: 'object',
      properties: schemas,
      required: Object.keys(schemas),
      additionalProperties: false,
    }
    components.schemas[`${name}-change`] = { type: 'object', properties: Object.fromEntries(mutable) }
    components.schemas[`${name}-update`] = {
      type: 'object',
      properties: Object.fromEntries(mutable),
      required: mutable.map(([property]) => property),
    }
  }
  add(paths, '', 'book')
  add(paths, '', 'author')
  add(paths, '', 'tag', { isFixed: true })
  add(paths, '/author/{authorId}', 'award')
  add(paths, '/book/{bookId}', 'review', { isPlain: true })
  add(paths, '/book/{bookId}', 'tag', { isLink: true })
  for (const variant of ['book-summary', 'book-detail']) paths[`/${variant}`] = { get: list(variant, 'book') }
  paths['/book/by-isbn/{isbn}'] = { get: read('book', ['isbn']) }
  // A copy, so that callers can change it.
  return structuredClone({ openapi: '3.1.0', info: { title: 'Library', version: '1' }, paths, components })
}

function add(
  paths: Part,
  above: string,
  name: string,
  { isFixed = false, isPlain = false, isLink = false } = {},
): void {
  const parents = [...above.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => `${parameter}`)
  const change = (schema: string, status = '200'): Part => ({
    ...read(name, status === '201' ? parents : [...parents, 'id'], status),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    },
  })
  const operation = read(name, [...parents, 'id'])
  const isWritten = !isFixed && !isLink
  paths[`${above}/${name}`] = {
    get: {
      ...list(name, name, isPlain),
      parameters: [...pathParameters(parents), ...list(name, name, isPlain).parameters],
    },
    ...(isWritten && { post: change(`${name}-update`, '201') }),
  }
  paths[`${above}/${name}/{id}`] = {
    get: operation,
    ...(isWritten && { put: change(`${name}-update`), patch: change(`${name}-change`), delete: operation }),
    ...(isLink && { put: operation, delete: operation }),
  }
}

function read(name: string, parameters: readonly string[], status = '200'): Part {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
  return { parameters: pathParameters(parameters), responses: { [status]: { description: 'd', content } } }
}

function pathParameters(names: readonly string[]): Part[] {
  return names.map((name) => ({ name, in: 'path', required: true, schema: name === 'isbn' ? text : integer }))
}

function list(path: string, name: string, isPlain = false): Part {
  const schemas = properties[name] ?? {}
  const shown = lists[path] ?? Object.keys(schemas)
  const items = {
    type: 'object',
    properties: Object.fromEntries(shown.map((property) => [property, schemas[property]])),
    required: shown,
    additionalProperties: false,
  }
  const members = ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords']
  const pageInfo = {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member, integer])),
    required: members,
  }
  const results = { type: 'array', items }
  const envelope = { type: 'object', properties: { pageInfo, results }, required: ['pageInfo', 'results'] }
  const query = (parameter: string, schema: object) => ({ name: parameter, in: 'query', schema })
  const pages = isPlain ? [] : [query('pageNumber', integer), query('pageSize', integer)]
  const filters = Object.entries(schemas).map(([property, schema]) => query(property, { type: 'array', items: schema }))
  return {
    parameters: [
      ...pages,
      query('sort', { type: 'array', items: text }),
      query('include', { type: 'array', items: integer }),
      ...filters,
    ],
    responses: { 200: { description: 'd', content: { 'application/json': { schema: isPlain ? results : envelope } } } },
  }
}
