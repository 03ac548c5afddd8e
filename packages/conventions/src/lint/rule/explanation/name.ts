/** The explanations of the rules on the names of paths and properties. */
import { bare, record, recordLines } from './example.ts'
import type { Explanation } from './explanation.ts'

export const nameExplanations = {
  'plural-path-segment': {
    text:
      'A list and its records then have one name: `/user` and `/user/7`. In `user-roles`, only the last word is checked. ' +
      'The rule ignores versions, parameters, `by-…` and names that start with a verb.',
    bad: bare('/users'),
    good: bare('/user'),
  },
  'kebab-case-path-segment': {
    text: 'Clients then find one spelling in all paths: `cost-center` or `{id}`, not `costCenter` or `{id}.json`.',
    bad: bare('/costCenter'),
    good: bare('/cost-center'),
  },
  'empty-path-segment': {
    text: '`/user/` and `/user` are different paths, which clients confuse.',
    bad: bare('/user/'),
    good: bare('/user'),
  },
  'verb-path-segment': {
    text: 'The same path then serves all operations on a resource: `PATCH /user/7`, not `POST /update-user/7`.',
    bad: bare('/update-user/{id}', 'post'),
    good: bare('/user/{id}', 'patch'),
  },
  'version-segment': {
    text: 'Clients find the version in the same position of every path: `/v1/user`. Move a prefix before it to the URL of the server.',
    bad: bare('/api/v1/user'),
    good: bare('/v1/user'),
  },
  'lookup-path': {
    text:
      'A lookup reads a record by a unique property other than its ID: `GET /user/by-email/{email}`. The name of the property ' +
      'is in kebab-case. Writes use only the path with the ID.',
    bad: bare('/user/by-email/{email}', 'delete'),
    good: record('/user/by-email/{email}', 'id: {}, email: {}'),
  },
  'camel-case-name': {
    text: 'Clients then find one spelling in all properties and parameters: `firstName`, not `first_name`.',
    bad: record('/user/{id}', 'first_name: { type: string }'),
    good: record('/user/{id}', 'firstName: { type: string }'),
  },
  'plural-property': {
    text:
      'A plural name suggests an array. The rule ignores arrays, objects, enums, and numbers, which may be counts. It also ' +
      'ignores a string whose description says that it has several values, for example "separated by commas".',
    bad: record('/user/{id}', 'phones: { type: string }'),
    good: record('/user/{id}', 'phone: { type: string }'),
  },
  'redundant-prefix': {
    text:
      'The path and the name of the schema already contain the noun: a user has a `name`, not a `userName`. The ID of a user may ' +
      'be named `userRef`.',
    bad: record('/user/{id}', 'userName: { type: string }'),
    good: record('/user/{id}', 'name: { type: string }'),
  },
  'reserved-property': {
    text:
      'A filter has the name of its property, and a list already has parameters with these names. A property with such a ' +
      'name could not be a filter.',
    bad: record('/rule/{id}', 'sort: { type: integer }'),
    good: record('/rule/{id}', 'position: { type: integer }'),
  },
  'metadata-property': {
    text:
      'The ID, the transaction and the authorization of a request describe the request, not the record. If the API has a noun ' +
      'of that name, for example `/transaction`, then `transactionId` is a reference to it, and the rule ignores it.',
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
      'No client needs an object with both: a form needs only the ID, because it fetches the options itself, and a list ' +
      'shows only the label.',
    bad: recordLines(
      '/user/{id}',
      'id: { type: integer }',
      'department: { type: object, properties: { id: { type: integer }, name: { type: string } } }',
    ),
    good: recordLines('/user/{id}', 'id: { type: integer }', 'department: { type: integer }'),
  },
  'nested-object': {
    text:
      'Only a property of the record itself can be a filter or a column of a list. Put the properties of a nested object next ' +
      'to the others, or make the object a child resource.',
    bad: recordLines(
      '/user/{id}',
      'id: { type: integer }',
      'address: { type: object, properties: { street: { type: string }, city: { type: string } } }',
    ),
    good: recordLines('/user/{id}', 'id: { type: integer }', 'street: { type: string }', 'city: { type: string }'),
  },
} as const satisfies Readonly<Record<string, Explanation>>
