/**
 * What every rule means, why, and an example: the one source of `nomen lint --explain`, of SARIF and of docs/conventions.md.
 * The examples are paths of an OpenAPI document; … stands for an operation that does not matter.
 */

export interface Explanation {
  readonly text: string
  readonly bad: string
  readonly good: string
}

/** An operation that says nothing else. */
const bare = (path: string, method = 'get') => `${path}:\n  ${method}: …`

/** A GET with a schema, with at most one parameter. */
const read = (path: string, schema: string, parameter?: string) => {
  const parameters = parameter === undefined ? '' : `    parameters: [{ ${parameter} }]\n`
  return `${path}:\n  get:\n${parameters}    responses: { '200': { content: { application/json: { schema: ${schema} } } } }`
}

/** A GET of one record. */
const record = (path: string, properties: string) => read(path, `{ properties: { ${properties} } }`)

/** A GET of an array. */
const list = (path: string, properties: string, parameter?: string) =>
  read(path, `{ type: array, items: { properties: { ${properties} } } }`, parameter)

/** A GET of one record whose properties have lines of their own. */
const recordLines = (path: string, ...properties: readonly string[]) =>
  `${path}:
  get:
    responses:
      '200':
        content:
          application/json:
            schema:
              properties:
${properties.map((property) => `${' '.repeat(16)}${property}`).join('\n')}`

export const explanations = {
  'plural-path-segment': {
    text:
      'A path names its nouns in the singular: `/user`, not `/users`. Of `user-roles` the last word counts. ' +
      'Versions, parameters, `by-…` and names that begin with a verb are passed over.',
    bad: bare('/users'),
    good: bare('/user'),
  },
  'kebab-case-path-segment': {
    text:
      'A segment is in lower kebab-case, `cost-center`, or it is one parameter, `{id}`; never both, as in ' +
      '`{id}.json`.',
    bad: bare('/costCenter'),
    good: bare('/cost-center'),
  },
  'empty-path-segment': {
    text:
      'A path has no slash at its end and no two in a row: `/user/` is another path than `/user`, and ' +
      'clients mix them up.',
    bad: bare('/user/'),
    good: bare('/user'),
  },
  'verb-path-segment': {
    text:
      'A path names a thing, and the method says what is done with it: `PATCH /user/7`, not ' +
      '`POST /update-user/7`.',
    bad: bare('/update-user/{id}', 'post'),
    good: bare('/user/{id}', 'patch'),
  },
  'version-segment': {
    text:
      'A version is `v` and a whole number, and the path begins with it: `/v1/user`. What would stand ' +
      'before it belongs to the address of the server.',
    bad: bare('/api/v1/user'),
    good: bare('/v1/user'),
  },
  'lookup-path': {
    text:
      'One record by another unique property is a GET of `/user/by-email/{email}`: `by-`, a property of the ' +
      'record in kebab-case, and its value. It is changed at the path with its identity only.',
    bad: bare('/user/by-email/{email}', 'delete'),
    good: record('/user/by-email/{email}', 'id: {}, email: {}'),
  },
  'camel-case-name': {
    text: 'Properties and query parameters are in camelCase: `firstName`.',
    bad: record('/user/{id}', 'first_name: { type: string }'),
    good: record('/user/{id}', 'firstName: { type: string }'),
  },
  'plural-property': {
    text:
      'A property that holds one text is in the singular. Numbers may count what they name, arrays and ' +
      'objects may hold several of it, and a choice may be made for all of it.',
    bad: record('/user/{id}', 'phones: { type: string }'),
    good: record('/user/{id}', 'phone: { type: string }'),
  },
  'redundant-prefix': {
    text:
      'A property does not repeat what it is a property of: `label` of a thing, not `thingLabel`. What it ' +
      'is of is told by the path and by the name of the schema. An identifier may be `thingRef`.',
    bad: record('/thing/{id}', 'thingLabel: { type: string }'),
    good: record('/thing/{id}', 'label: { type: string }'),
  },
  'reserved-property': {
    text:
      '`pageNumber`, `pageSize`, `include`, `sort` and `search` are parameters of lists. A property of that ' +
      'name could not be filtered by.',
    bad: record('/rule/{id}', 'sort: { type: integer }'),
    good: record('/rule/{id}', 'position: { type: integer }'),
  },
  'metadata-property': {
    text:
      'What concerns a request and not the record (its id, its transaction, its authorization) travels in ' +
      'headers. Where the api has such a noun, say `/transaction`, its id is a reference like any other.',
    bad: record('/user/{id}', 'id: {}, requestId: { type: string }'),
    good: `/user/{id}:
  get:
    responses:
      '200':
        headers: { X-Request-Id: { schema: { type: string } } }
        content: { application/json: { schema: { properties: { id: {} } } } }`,
  },
  'reference-object': {
    text:
      'A reference is one property. An object of an id and a name is two values where one is needed: the id ' +
      'in a form, which fetches the options by itself, and the name in a list.',
    bad: recordLines(
      '/user/{id}',
      'id: { type: integer }',
      'department: { type: object, properties: { id: { type: integer }, name: { type: string } } }',
    ),
    good: recordLines('/user/{id}', 'id: { type: integer }', 'department: { type: integer }'),
  },
  'nested-object': {
    text:
      'Records are flat. What belongs to the record stands beside its other properties; what stands for ' +
      'itself is a record below it.',
    bad: recordLines(
      '/user/{id}',
      'id: { type: integer }',
      'address: { type: object, properties: { street: { type: string }, city: { type: string } } }',
    ),
    good: recordLines('/user/{id}', 'id: { type: integer }', 'street: { type: string }', 'city: { type: string }'),
  },
  'pagination-envelope': {
    text:
      'A list answers `pageInfo` and `results`. A list below a record may be a plain array; one at the root ' +
      'may not. A GET is taken for a list where it answers an array, or where one record can be read below ' +
      'its path.',
    bad: list('/user', 'id: {}'),
    good: `/user:
  get:
    responses:
      '200':
        content:
          application/json:
            schema: { properties: { pageInfo: { type: object }, results: { type: array, items: { properties: { id: {} } } } } }`,
  },
  'page-info-property': {
    text:
      '`pageInfo` has `pageSize`, `pageNumber`, `numberOfPages` and `numberOfRecords`, all integers. It may ' +
      'have more.',
    bad: recordLines(
      '/user',
      'pageInfo: { properties: { pageSize: { type: integer }, total: { type: integer } } }',
      'results: { type: array, items: { properties: { id: {} } } }',
    ),
    good: recordLines(
      '/user',
      'pageInfo:',
      '  properties:',
      '    pageSize: { type: integer }',
      '    pageNumber: { type: integer }',
      '    numberOfPages: { type: integer }',
      '    numberOfRecords: { type: integer }',
      'results: { type: array, items: { properties: { id: {} } } }',
    ),
  },
  'page-parameter': {
    text:
      'A list in pages takes `pageNumber` and `pageSize`, both optional and integers, whatever others call ' + 'them.',
    bad: `/user:
  get:
    parameters: [{ name: page, in: query, schema: { type: integer } }]
    responses: { '200': { content: { application/json: { schema: { properties: { pageInfo: {}, results: { type: array, items: {} } } } } } } }`,
    good: `/user:
  get:
    parameters:
      - { name: pageNumber, in: query, schema: { type: integer } }
      - { name: pageSize, in: query, schema: { type: integer } }
    responses: { '200': { content: { application/json: { schema: { properties: { pageInfo: {}, results: { type: array, items: {} } } } } } } }`,
  },
  'list-variant': {
    text: '`-summary` shows no property that the plain list lacks, and `-detail` lacks none that it shows.',
    bad: [list('/user', 'id: {}, name: {}'), list('/user-summary', 'id: {}, phone: {}')].join('\n'),
    good: [list('/user', 'id: {}, name: {}'), list('/user-summary', 'id: {}')].join('\n'),
  },
  'incomplete-record': {
    text: 'The single record shows all that its list shows.',
    bad: [list('/user', 'id: {}, name: {}'), record('/user/{id}', 'id: {}, phone: {}')].join('\n'),
    good: [list('/user', 'id: {}, name: {}'), record('/user/{id}', 'id: {}, name: {}, phone: {}')].join('\n'),
  },
  'filter-name': {
    text: 'A filter on a property is called as the property, to the letter.',
    bad: list('/user', 'firstName: {}', 'name: first_name, in: query, schema: { type: string }'),
    good: list('/user', 'firstName: {}', 'name: firstName, in: query, schema: { type: string }'),
  },
  'filter-abbreviation': {
    text:
      'It is not an abbreviation of the property either: `department`, not `dep`. A filter on what is no ' +
      'property is called as it likes.',
    bad: list('/user', 'department: {}', 'name: dep, in: query, schema: { type: integer }'),
    good: list('/user', 'department: {}', 'name: department, in: query, schema: { type: integer }'),
  },
  'repeatable-filter': {
    text: 'A filter on a property, and `include`, take an array: given twice, it matches either.',
    bad: list('/user', 'status: {}', 'name: status, in: query, schema: { type: string }'),
    good: list('/user', 'status: {}', 'name: status, in: query, schema: { type: array, items: { type: string } }'),
  },
  'get-body': {
    text: 'A GET has no body; its parameters stand in the query.',
    bad: `/user:
  get:
    requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } }`,
    good: `/user:
  get:
    parameters: [{ name: name, in: query, schema: { type: array, items: { type: string } } }]`,
  },
  'success-status': {
    text: 'Reads, updates and deletes answer 200.',
    bad: `/user/{id}:
  delete:
    responses: { '204': { description: it is gone } }`,
    good: `/user/{id}:
  delete:
    responses: { '200': { description: the record as it was } }`,
  },
  'not-found-response': {
    text: 'A document tells that a read of one record may answer 404.',
    bad: record('/user/{id}', 'id: {}'),
    good: `/user/{id}:
  get:
    responses:
      '200': { content: { application/json: { schema: { properties: { id: {} } } } } }
      '404': { description: there is no such user }`,
  },
  'delete-consistency': {
    text:
      'Deleting what is no longer there is 404 everywhere or nowhere. Reported where a document says so of ' +
      'some deletes only, at the lesser number.',
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
    text:
      'A PUT requires every property that can be changed. Where some may be left out, the method is PATCH; ' +
      'what cannot be changed is marked `readOnly`.',
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
    text: 'A PATCH takes any part of what can be changed, and so requires nothing.',
    bad: `/user/{id}:
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {}, phone: {} }, required: [name] } } } }`,
    good: `/user/{id}:
  patch:
    requestBody: { content: { application/json: { schema: { properties: { name: {}, phone: {} } } } } }`,
  },
  'update-response': {
    text: 'PUT and PATCH answer the whole record, as a read of it would.',
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
      'What is sent is called as what is read. What is sent and never shown, such as a password, is marked ' +
      '`writeOnly`.',
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
      'An api changes records below their parents or at the root, and not some here and some there. A write ' +
      'without a body makes or removes a link, which has one URL in both forms.',
    bad: `/user/{userId}/preference/{id}:
  get: { responses: { '200': { content: { application/json: { schema: { properties: { id: {}, name: {} } } } } } } }
  patch: { requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } } }
/application/{applicationId}/role:
  get: { responses: { '200': { content: { application/json: { schema: { type: array, items: { properties: { id: {}, name: {} } } } } } } } }
/role/{id}:
  patch: { requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } } }`,
    good: `/user/{userId}/preference/{id}:
  get: { responses: { '200': { content: { application/json: { schema: { properties: { id: {}, name: {} } } } } } } }
  patch: { requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } } }
/application/{applicationId}/role:
  get: { responses: { '200': { content: { application/json: { schema: { type: array, items: { properties: { id: {}, name: {} } } } } } } } }
/application/{applicationId}/role/{id}:
  patch: { requestBody: { content: { application/json: { schema: { properties: { name: {} } } } } } }`,
  },
  'unresolved-reference': {
    text: 'A reference that leads nowhere leaves every reader, and the lint, without what should be behind it.',
    bad: `/user:
  get:
    responses: { '200': { $ref: '#/components/responses/users' } }`,
    good: `/user:
  get:
    responses: { '200': { description: users, in pages } }`,
  },
  'invalid-ignore': {
    text: 'An exception names the code of a rule, and a reason.',
    bad: `/users:
  x-nomen-ignore: [{ code: plural-path-segment }]
  get: …`,
    good: `/users:
  x-nomen-ignore: [{ code: plural-path-segment, reason: Older than the conventions. }]
  get: …`,
  },
  'unused-ignore': {
    text: 'An exception that nothing needs any more is left out, so that it does not hide the next breach.',
    bad: `/user:
  x-nomen-ignore: [{ code: plural-path-segment, reason: Older than the conventions. }]
  get: …`,
    good: bare('/user'),
  },
} as const satisfies Readonly<Record<string, Explanation>>
