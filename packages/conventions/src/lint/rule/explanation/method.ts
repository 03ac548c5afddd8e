/** The explanations of the rules on methods, statuses and writes. */
import { record } from './example.ts'
import type { Explanation } from './explanation.ts'

export const methodExplanations = {
  'get-body': {
    text: 'Caches and proxies may drop or ignore the body of a GET. Use the query string.',
    bad: `/user:
  get:
    requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } }`,
    good: `/user:
  get:
    parameters: [{ name: name, in: query, schema: { type: array, items: { type: string } } }]`,
  },
  'success-status': {
    text: 'Clients then know the status of every operation: it is 200 after a delete, too, and not 204.',
    bad: `/user/{id}:
  delete:
    responses: { '204': { description: deleted } }`,
    good: `/user/{id}:
  delete:
    responses: { '200': { description: the deleted record } }`,
  },
  'not-found-response': {
    text: 'The record may not exist, and clients must expect that.',
    bad: record('/user/{id}', 'id: {}'),
    good: `/user/{id}:
  get:
    responses:
      '200': { content: { application/json: { schema: { properties: { id: {} } } } } }
      '404': { description: the user does not exist }`,
  },
  'delete-consistency': {
    text:
      'Clients can then repeat every delete in the same way. If only some deletes document 404, the rule reports the smaller ' +
      'group.',
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
    text: 'A PUT replaces the record. If some properties may be missing, use PATCH. Mark properties that clients cannot change as `readOnly`.',
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
    text: 'A PATCH changes only the properties that it contains, and therefore requires none.',
    bad: `/user/{id}:
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {}, phone: {} }, required: [name] } } } }`,
    good: `/user/{id}:
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {}, phone: {} } } } } }`,
  },
  'update-response': {
    text: 'Clients then need no second request to show the record: the response has the same properties as a GET of the record.',
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
      'Clients can then change a record that they have read and send it back. Mark properties that responses never contain, ' +
      'such as a password, as `writeOnly`.',
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
      'Clients can then derive the path of a write from the noun. The rule ignores writes without a body: they create or ' +
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
