/** Documents with lists, writes and references that the rules of the linter find. */
import { type Case, schemas, shown, text, user, users } from './rule-case.ts'

export const operationCases: readonly Case[] = [
  {
    code: 'pagination-envelope',
    why: 'a plain array at the root',
    breaks: (document) => {
      shown(users(document)).schema = { type: 'array', items: { $ref: '#/components/schemas/UserItem' } }
    },
    messages: ['GET /v1/user returns a plain array. Return an object with pageInfo and results.'],
  },
  {
    code: 'pagination-envelope',
    why: 'another envelope',
    breaks: (document) => {
      const { schema } = shown(users(document))
      schema.properties = { data: schema.properties.results, total: { type: 'integer' } }
    },
    messages: ['GET /v1/user returns an object with "data" and "total". Return an object with pageInfo and results.'],
  },
  {
    code: 'page-info-property',
    why: 'a missing number and one that is not an integer',
    breaks: (document) => {
      const { properties } = schemas(document).PageInfo
      delete properties.numberOfPages
      properties.numberOfRecords = text
    },
    messages: [
      'pageInfo of GET /v1/user lacks the integers "numberOfPages" and "numberOfRecords". ' +
        'Add the integers "numberOfPages" and "numberOfRecords".',
    ],
  },
  {
    code: 'page-parameter',
    why: 'other names',
    breaks: (document) => {
      for (const parameter of users(document).parameters) {
        if (parameter.name === 'pageNumber') parameter.name = 'page'
        if (parameter.name === 'pageSize') parameter.name = 'perPage'
      }
    },
    messages: [
      'GET /v1/user has the parameters "page" and "perPage" instead of "pageNumber" and "pageSize". Use the parameters pageNumber and pageSize.',
    ],
  },
  {
    code: 'page-parameter',
    why: 'a required one and one that is not an integer',
    breaks: (document) => {
      const [number, size] = users(document).parameters
      number.required = true
      size.schema = text
    },
    messages: [
      'The parameter "pageNumber" of GET /v1/user is required. Make it an optional integer with a default.',
      'The parameter "pageSize" of GET /v1/user is not an integer. Make it an optional integer with a default.',
    ],
  },
  {
    code: 'filter-name',
    why: 'another spelling of the property',
    breaks: (document) => {
      users(document).parameters[3].name = 'lastname'
    },
    messages: [
      'GET /v1/user filters the property "lastName" with the parameter "lastname". Rename the parameter to "lastName".',
    ],
  },
  {
    code: 'filter-abbreviation',
    why: 'abbreviations of properties',
    breaks: (document) => {
      for (const name of ['dep', 'dept', 'eml']) {
        users(document).parameters.push({ name, in: 'query', schema: { type: 'array', items: text } })
      }
      schemas(document).UserItem.properties.department = { type: 'integer' }
    },
    messages: [
      'The parameter "dep" of GET /v1/user abbreviates the property "department". Rename it to "department".',
      'The parameter "dept" of GET /v1/user abbreviates the property "department". Rename it to "department".',
      'The parameter "eml" of GET /v1/user abbreviates the property "email". Rename it to "email".',
    ],
  },
  {
    code: 'repeatable-filter',
    why: 'a filter and include that take one value',
    breaks: (document) => {
      users(document).parameters[2].schema = { type: 'integer' }
      users(document).parameters[3].schema = text
    },
    messages: [
      'The parameter "include" of GET /v1/user accepts only one integer. Allow the parameter to be repeated (an array); a record matches if it has any of the values.',
      'The parameter "lastName" of GET /v1/user accepts only one string. Allow the parameter to be repeated (an array); a record matches if it has any of the values.',
    ],
  },
  {
    code: 'list-variant',
    why: 'a summary with more and a detail with less',
    breaks: (document) => {
      schemas(document).UserSummary.properties.department = { type: 'integer' }
      delete schemas(document).UserDetail.properties.firstName
    },
    messages: [
      'GET /v1/user-detail lacks "firstName", which GET /v1/user has. Add the missing properties of GET /v1/user.',
      'GET /v1/user-summary has "department", which GET /v1/user lacks. Remove the properties that GET /v1/user does not have.',
    ],
  },
  {
    code: 'incomplete-record',
    why: 'a list that shows more than the record',
    breaks: (document) => {
      schemas(document).UserItem.properties.phone = text
      schemas(document).UserDetail.properties.phone = text
    },
    messages: [
      'GET /v1/user/{id} lacks "phone", which GET /v1/user has. Return this property from GET /v1/user/{id} too.',
    ],
  },
  {
    code: 'get-body',
    why: 'a GET with a body',
    breaks: (document) => {
      users(document).requestBody = { content: { 'application/json': { schema: text } } }
    },
    messages: ['GET /v1/user has a request body. Use query parameters.'],
  },
  {
    code: 'success-status',
    why: 'a delete that answers 204',
    breaks: (document) => {
      user(document).delete.responses = { 204: { description: 'Gone.' }, 404: { description: 'Missing.' } }
    },
    messages: ['DELETE /v1/user/{id} responds with 204. Respond with 200.'],
  },
  {
    code: 'not-found-response',
    why: 'a read that does not document 404',
    breaks: (document) => {
      delete user(document).get.responses[404]
    },
    messages: [
      'GET /v1/user/{id} does not document the response 404. Respond with 404 if the record does not exist, and document it.',
    ],
  },
  {
    code: 'delete-consistency',
    why: 'one delete that documents 404 and one that does not',
    breaks: (document) => {
      delete user(document).delete.responses[404]
    },
    messages: [
      'DELETE /v1/user/{id} does not document 404, unlike 1 of 2 deletes. Use the same response for all deletes.',
    ],
  },
  {
    code: 'put-required',
    why: 'a PUT with a property that may be left out',
    breaks: (document) => {
      schemas(document).UserReplacement.required = ['firstName', 'lastName', 'department']
    },
    messages: [
      'PUT /v1/user/{id} does not require "email". ' +
        'Require it, mark it as readOnly if it is immutable, or use PATCH.',
    ],
  },
  {
    code: 'patch-required',
    why: 'a PATCH that requires something',
    breaks: (document) => {
      schemas(document).UserUpdate.required = ['email']
    },
    messages: ['PATCH /v1/user/{id} requires "email". Make it optional.'],
  },
  {
    code: 'update-response',
    why: 'an update that answers nothing, and one that answers a part',
    breaks: (document) => {
      delete user(document).put.responses[200].content
      shown(user(document).patch).schema = { $ref: '#/components/schemas/UserDetail' }
    },
    messages: [
      'PUT /v1/user/{id} does not return a record. Return the full record after the change.',
      'PATCH /v1/user/{id} does not return "created", but GET /v1/user/{id} does. Return the full record after the change.',
    ],
  },
  {
    code: 'write-property',
    why: 'a property that is sent under another name, but not one that is only sent',
    breaks: (document) => {
      const { properties } = schemas(document).UserUpdate
      Object.assign(properties, { dept: text, password: { type: 'string', writeOnly: true } })
    },
    messages: [
      'PATCH /v1/user/{id} accepts "dept", which GET /v1/user/{id} does not return. ' +
        'Use the same name everywhere, or mark the property as writeOnly.',
    ],
  },
  {
    code: 'mixed-writes',
    why: 'one noun that is changed below its parent and at the root',
    breaks: ({ paths }) => {
      paths['/v1/preference'] = { post: paths['/v1/user/{id}/preference'].post }
    },
    messages: [
      'POST /v1/user/{id}/preference writes "preference" records at a nested path, but POST /v1/preference writes them at a top-level path. ' +
        'Use nested paths for all writes, or top-level paths for all.',
    ],
  },
  {
    code: 'mixed-writes',
    why: 'one noun in this form and one in that',
    breaks: ({ paths }) => {
      const schema = { type: 'object', properties: { label: text, userRef: { type: 'integer' } } }
      const requestBody = { content: { 'application/json': { schema } } }
      paths['/v1/role'] = { post: { ...paths['/v1/user/{id}/preference'].post, requestBody } }
      paths['/v1/user/{id}/role'] = { get: paths['/v1/user/{id}/preference'].get }
    },
    messages: [
      'POST /v1/user/{id}/preference uses a nested path. POST /v1/role uses a top-level path, although GET /v1/user/{id}/role lists the same records below a parent. ' +
        'Use nested paths for all writes, or top-level paths for all.',
    ],
  },
  {
    code: 'unresolved-reference',
    why: 'references to nothing, to themselves and to a file that is not there',
    breaks: (document) => {
      const { properties } = schemas(document).Preference
      properties.lost = { $ref: '#/components/schemas/Lost' }
      properties.self = { $ref: '#/components/schemas/Preference/properties/self' }
      properties.away = { $ref: 'away.yaml#/Away' }
    },
    messages: [
      'The reference "#/components/schemas/Lost" has no target: /components/schemas has no "Lost". Use an existing target.',
      'The reference "#/components/schemas/Preference/properties/self" has no target: it is part of a cycle. Use an existing target.',
      'The reference "away.yaml#/Away" has no target: away.yaml cannot be read. Use an existing file.',
    ],
  },
  {
    code: 'unresolved-reference',
    why: 'a reference where no rule looks, with the nearest name',
    breaks: (document) => {
      document.components.parameters = {
        idle: { in: 'header', name: 'X', schema: { $ref: '#/components/schemas/Usr' } },
      }
      document.paths['/v1/user'].get.responses[200].example = { $ref: '#/is/data' }
    },
    messages: [
      'The reference "#/components/schemas/Usr" has no target: /components/schemas has no "Usr". Did you mean "User"?',
    ],
  },
  {
    code: 'camel-case-name',
    why: 'names in webhooks and callbacks, and nothing else of them',
    breaks: (document) => {
      const message = (name: string) => ({
        post: {
          parameters: [{ in: 'query', name: `${name}_query`, schema: text }],
          requestBody: {
            content: { 'application/json': { schema: { type: 'object', properties: { [`${name}_at`]: text } } } },
          },
          responses: { 204: { description: 'd' } },
        },
      })
      document.webhooks = { 'users-changed': message('sent') }
      users(document).callbacks = { done: { '{$request.query.url}/Calls': message('called') } }
    },
    messages: [
      'The parameter "called_query" is not in camelCase. Rename it to "calledQuery".',
      'The property "called_at" is not in camelCase. Rename it to "calledAt".',
      'The parameter "sent_query" is not in camelCase. Rename it to "sentQuery".',
      'The property "sent_at" is not in camelCase. Rename it to "sentAt".',
    ],
  },
]
