/** A small document that breaks no rule, to be changed by tests. */

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of a document
export type Loose = any

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: Loose) => ({ content: { 'application/json': { schema } } })
const response = (schema: Loose) => ({ description: 'Done.', ...json(schema) })
const missing = { description: 'The record does not exist.' }
const path = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } })
const query = (name: string, schema: Loose) => ({ name, in: 'query', schema })
const text = { type: 'string' }
const whole = { type: 'integer' }
const several = (items: Loose) => ({ type: 'array', items })

function list(item: string): Loose {
  return {
    parameters: [
      query('pageNumber', { type: 'integer', default: 1 }),
      query('pageSize', { type: 'integer', default: 10 }),
      query('include', several(whole)),
      query('lastName', several(text)),
      query('createdFrom', text),
    ],
    responses: {
      200: response({
        type: 'object',
        required: ['pageInfo', 'results'],
        properties: { pageInfo: ref('PageInfo'), results: several(ref(item)) },
      }),
    },
  }
}

function recordOperation(method: 'put' | 'patch' | 'delete' | 'get'): Loose {
  const body = { put: ref('UserReplacement'), patch: ref('UserUpdate') }[method as string]
  return {
    ...(body && { requestBody: json(body) }),
    responses: { 200: response(ref('User')), 404: missing },
  }
}

/** Users in lists, as single records and by e-mail, and their preferences as a plain array. */
export function goodDocument(): Loose {
  const name = { firstName: text, lastName: text }
  const changeable = { ...name, email: text, department: whole }
  // A copy without shared objects, so that a change affects only one location.
  return JSON.parse(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Directory', version: '1' },
      paths: {
        '/v1/user': { get: list('UserItem') },
        '/v1/user-detail': { get: list('UserDetail') },
        '/v1/user-summary': { get: list('UserSummary') },
        '/v1/user/{id}': {
          parameters: [path('id')],
          get: recordOperation('get'),
          put: recordOperation('put'),
          patch: recordOperation('patch'),
          delete: recordOperation('delete'),
        },
        '/v1/user/by-email/{email}': { parameters: [path('email')], get: recordOperation('get') },
        '/v1/user/{id}/preference': {
          parameters: [path('id')],
          get: { responses: { 200: response(several(ref('Preference'))), 404: missing } },
          post: {
            requestBody: json({ type: 'object', properties: { type: text, value: text } }),
            responses: { 201: response(ref('Preference')) },
          },
        },
        '/v1/user/{userId}/preference/{id}': {
          parameters: [path('userId'), path('id')],
          get: { responses: { 200: response(ref('Preference')), 404: missing } },
          delete: { responses: { 200: response(ref('Preference')), 404: missing } },
        },
      },
      components: {
        schemas: {
          PageInfo: {
            type: 'object',
            properties: { pageSize: whole, pageNumber: whole, numberOfPages: whole, numberOfRecords: whole },
          },
          UserSummary: { type: 'object', properties: { id: whole, lastName: text } },
          UserItem: { type: 'object', properties: { id: whole, ...name, email: text } },
          UserDetail: { type: 'object', properties: { id: whole, ...changeable } },
          User: {
            type: 'object',
            properties: { id: whole, ...changeable, created: { type: 'string', format: 'date-time', readOnly: true } },
          },
          UserReplacement: { type: 'object', required: Object.keys(changeable), properties: changeable },
          UserUpdate: { type: 'object', properties: changeable },
          Preference: { type: 'object', properties: { id: whole, type: text, value: { type: ['string', 'null'] } } },
        },
      },
    }),
  )
}
