/** The OpenAPI 3.0 document of a foreign service that follows the conventions, without extensions of Nomen. */

const text = { type: 'string' }
const number = { type: 'integer' }
const page = (item: string) => ({
  type: 'object',
  properties: {
    pageInfo: { $ref: '#/components/schemas/PageInfo' },
    results: { type: 'array', items: { $ref: `#/components/schemas/${item}` } },
  },
})
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ok = (schema: object) => ({ responses: { '200': { description: 'Fine', ...json(schema) } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const query = (name: string, schema: object) => ({ name, in: 'query', schema })
const bookId = { name: 'bookId', in: 'path', required: true, schema: number }
const paging = [query('pageNumber', number), query('pageSize', { ...number, maximum: 50, default: 10 })]

export const libraryDocument = {
  openapi: '3.0.3',
  info: { title: 'Library', version: '2.4' },
  servers: [{ url: '/api/v2' }],
  paths: {
    '/book': {
      get: {
        parameters: [
          ...paging,
          query('genre', { type: 'array', items: ref('Genre') }),
          query('title', { type: 'array', items: text }),
          query('publishedFrom', { type: 'string', format: 'date' }),
          query('publishedTo', { type: 'string', format: 'date' }),
        ],
        ...ok(page('BookItem')),
      },
      post: { requestBody: json(ref('BookInput')), ...ok(ref('Book')) },
    },
    '/book-detail': { get: { parameters: paging, ...ok(page('Book')) } },
    '/book/{bookId}': {
      parameters: [bookId],
      get: ok(ref('Book')),
      put: { requestBody: json(ref('BookInput')), ...ok(ref('Book')) },
      patch: { requestBody: json({ allOf: [ref('BookInput')], required: [] }), ...ok(ref('Book')) },
      delete: { responses: { '200': { description: 'Gone' } } },
    },
    '/book/by-isbn/{isbn}': {
      get: { parameters: [{ name: 'isbn', in: 'path', required: true, schema: text }], ...ok(ref('Book')) },
    },
    '/book/{bookId}/review': {
      parameters: [bookId],
      get: ok({ type: 'array', items: ref('Review') }),
      post: { requestBody: json(ref('ReviewInput')), ...ok(ref('Review')) },
    },
    '/book/{bookId}/tag': { get: { parameters: [bookId], ...ok({ type: 'array', items: ref('Tag') }) } },
    '/book/{bookId}/tag/{tagId}': {
      parameters: [bookId, { name: 'tagId', in: 'path', required: true, schema: number }],
      put: ok(ref('Tag')),
      delete: { responses: { '200': { description: 'Unlinked' } } },
    },
    '/tag': { get: { parameters: paging, ...ok(page('Tag')) } },
    '/book/{bookId}/loan': {
      parameters: [bookId],
      post: {
        summary: 'Lend it.',
        requestBody: json({
          type: 'object',
          required: ['reader'],
          properties: { reader: text, weeks: { ...number, default: 4 } },
        }),
        ...ok({ type: 'object', properties: { due: { type: 'string', format: 'date' } } }),
      },
    },
    '/book/{bookId}/cover': {
      parameters: [bookId],
      put: {
        requestBody: { content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
        responses: { '204': { description: 'Kept' } },
      },
    },
    '/report': { get: ok({ type: 'object', properties: { lines: { type: 'array', items: text } } }) },
  },
  components: {
    schemas: {
      PageInfo: {
        type: 'object',
        properties: { pageSize: number, pageNumber: number, numberOfPages: number, numberOfRecords: number },
      },
      Genre: { type: 'string', enum: ['NOVEL', 'ESSAY', 'POETRY'] },
      BookItem: { type: 'object', properties: { bookId: number, title: text, genre: ref('Genre') } },
      BookInput: {
        type: 'object',
        required: ['title', 'genre'],
        properties: {
          title: { ...text, description: 'The title on the cover' },
          genre: ref('Genre'),
          pages: { type: 'integer', nullable: true, minimum: 1 },
          published: { type: 'string', format: 'date', nullable: true },
          lent: { type: 'boolean', default: false },
          blurb: { ...text, maxLength: 2000, default: '' },
          subtitle: { anyOf: [text, { type: 'null' }] },
        },
      },
      Book: {
        allOf: [
          { type: 'object', properties: { bookId: { ...number, readOnly: true } } },
          ref('BookInput'),
          { type: 'object', properties: { added: { type: 'string', format: 'date-time', readOnly: true } } },
        ],
      },
      Review: { type: 'object', properties: { id: number, stars: number, line: text } },
      ReviewInput: { type: 'object', required: ['stars'], properties: { stars: number, line: text } },
      Tag: { type: 'object', properties: { tagId: number, label: text } },
    },
  },
}
