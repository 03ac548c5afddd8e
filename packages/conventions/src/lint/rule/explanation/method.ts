/** The explanations of the rules on methods, statuses and writes. */
import { record } from './example.ts'
import type { Explanation } from './explanation.ts'

export const methodExplanations = {
  'get-body': {
    text: 'A GET has no body. Its parameters are in the query string.',
    bad: `/user:
  get:
    requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } }`,
    good: `/user:
  get:
    parameters: [{ name: name, in: query, schema: { type: array, items: { type: string } } }]`,
  },
  'success-status': {
    text: 'Reads, updates and deletes respond with 200.',
    bad: `/user/{id}:
  delete:
    responses: { '204': { description: deleted } }`,
    good: `/user/{id}:
  delete:
    responses: { '200': { description: the deleted record } }`,
  },
  'not-found-response': {
    text: 'A read of a single record documents the response 404.',
    bad: record('/user/{id}', 'id: {}'),
    good: `/user/{id}:
  get:
    responses:
      '200': { content: { application/json: { schema: { properties: { id: {} } } } } }
      '404': { description: the user does not exist }`,
  },
  'delete-consistency': {
    text:
      'Deleting a missing record responds with 404 for all nouns or for none. If only some deletes document 404, the rule ' +
      'reports the smaller group.',
    bad: `/user/{id}:
  delete: { responses: { '200': {}, '404': {} } }
/role/{id}:
  delete: { responses: { '200': {}, '404': {} } }
/department/{id}:
  delete: { responses: { '200': {} } }`,
    good: `/user/{id}:
  delete: { responses: { '200': {}, '404': {} } }
/role/{id}:
  delete: { responses: { '200': {}, '404': {} } }
/department/{id}:
  delete: { responses: { '200': {}, '404': {} } }`,
  },
  'put-required': {
    text: 'A PUT requires all mutable properties. If some may be missing, use PATCH. Mark immutable properties as `readOnly`.',
    bad: `/user/{id}:
  put:
    requestBody:
      content:
        application/json:
          schema: { properties: { name: { type: string }, phone: { type: string } }, required: [name] }`,
    good: `/user/{id}:
  put:
    requestBody:
      content:
        application/json:
          schema: { properties: { name: { type: string }, phone: { type: string } }, required: [name, phone] }`,
  },
  'patch-required': {
    text: 'A PATCH requires no property: it accepts any subset of the mutable properties.',
    bad: `/user/{id}:
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {}, phone: {} }, required: [name] } } } }`,
    good: `/user/{id}:
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {}, phone: {} } } } } }`,
  },
  'update-response': {
    text: 'PUT and PATCH respond with the complete record, as a read does.',
    bad: `${record('/user/{id}', 'id: {}, name: {}')}
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } }
    responses: { '200': { content: { application/json: { schema: { properties: { id: {} } } } } } }`,
    good: `${record('/user/{id}', 'id: {}, name: {}')}
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } }
    responses: { '200': { content: { application/json: { schema: { properties: { id: {}, name: {} } } } } } }`,
  },
  'write-property': {
    text:
      'Properties have the same names in requests and responses. Mark properties that responses never contain, such as a ' +
      'password, as `writeOnly`.',
    bad: `/user/{id}:
  get:
    responses:
      '200': { content: { application/json: { schema: { properties: { id: {}, name: {}, phone: {} } } } } }
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {}, telephone: {} } } } } }`,
    good: `/user/{id}:
  get:
    responses:
      '200': { content: { application/json: { schema: { properties: { id: {}, name: {}, phone: {} } } } } }
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {}, phone: {} } } } } }`,
  },
  'mixed-writes': {
    text:
      'All writes of an API use nested paths, or all use top-level paths. Writes without a body create or ' +
      'remove links, whose URL is the same in both forms.',
    bad: `/user/{userId}/preference/{id}:
  get: { responses: { '200': { content: { application/json: { schema: { properties: { id: {}, name: {} } } } } } } }
  patch: { requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } } }
/application/{applicationId}/role:
  get: { responses: { '200': { content: { application/json: { schema: { type: array, items: { properties: { id: {}, name: {} } } } } } } } }
/role/{id}:
  patch: { requestBody: { content: { application/json: { schema: { properties: { name: {}, applicationRef: {} } } } } } }`,
    good: `/user/{userId}/preference/{id}:
  get: { responses: { '200': { content: { application/json: { schema: { properties: { id: {}, name: {} } } } } } } }
  patch: { requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } } }
/application/{applicationId}/role:
  get: { responses: { '200': { content: { application/json: { schema: { type: array, items: { properties: { id: {}, name: {} } } } } } } } }
/application/{applicationId}/role/{id}:
  patch: { requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } } }`,
  },
} as const satisfies Readonly<Record<string, Explanation>>
