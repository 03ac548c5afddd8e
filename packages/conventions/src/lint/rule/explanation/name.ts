/** The explanations of the rules on the names of paths and properties. */
import { bare, record, recordLines } from './example.ts'
import type { Explanation } from './explanation.ts'

export const nameExplanations = {
  'plural-path-segment': {
    text:
      'Nouns in paths are singular: `/user`, not `/users`. In `user-roles`, only the last word is checked. The rule ignores ' +
      'versions, parameters, `by-…` and names that start with a verb.',
    bad: bare('/users'),
    good: bare('/user'),
  },
  'kebab-case-path-segment': {
    text:
      'A path segment is either a name in lower kebab-case (`cost-center`) or one parameter (`{id}`). It is never a mixture ' +
      'such as `{id}.json`.',
    bad: bare('/costCenter'),
    good: bare('/cost-center'),
  },
  'empty-path-segment': {
    text: 'A path has no trailing slash and no double slash. `/user/` and `/user` are different paths, which clients confuse.',
    bad: bare('/user/'),
    good: bare('/user'),
  },
  'verb-path-segment': {
    text: 'A path names a resource, and the method is the verb: `PATCH /user/7`, not `POST /update-user/7`.',
    bad: bare('/update-user/{id}', 'post'),
    good: bare('/user/{id}', 'patch'),
  },
  'version-segment': {
    text:
      'A version is `v` and an integer, and is the first segment of the path: `/v1/user`. A prefix before it belongs to the ' +
      'URL of the server.',
    bad: bare('/api/v1/user'),
    good: bare('/v1/user'),
  },
  'lookup-path': {
    text:
      'To read a record by another unique property, use `GET /user/by-email/{email}`: `by-`, the property in kebab-case, and ' +
      'its value. Writes use only the path with the ID.',
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
      'A property that holds a single string has a singular name. The rule does not apply to numbers (which may be counts), arrays, ' +
      'objects and enums, and to strings with several values, such as "separated by commas" in the description.',
    bad: record('/user/{id}', 'phones: { type: string }'),
    good: record('/user/{id}', 'phone: { type: string }'),
  },
  'redundant-prefix': {
    text:
      'The name of a property does not repeat its noun: `label` of a thing, not `thingLabel`. The noun is in the path and in ' +
      'the name of the schema. Exception: the ID of a thing may be named `thingRef`.',
    bad: record('/thing/{id}', 'thingLabel: { type: string }'),
    good: record('/thing/{id}', 'label: { type: string }'),
  },
  'reserved-property': {
    text:
      '`pageNumber`, `pageSize`, `include`, `sort` and `search` are parameters of lists. A property with such a name could ' +
      'not be a filter.',
    bad: record('/rule/{id}', 'sort: { type: integer }'),
    good: record('/rule/{id}', 'position: { type: integer }'),
  },
  'metadata-property': {
    text:
      'Metadata of a request, such as its ID, transaction and authorization, belongs in headers. If the API has a noun of that ' +
      'name, for example `/transaction`, its ID is an ordinary reference.',
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
      'A reference is one property, not an object with an ID and a name. A form needs only the ID, because it fetches the ' +
      'options itself. A list needs only the name.',
    bad: recordLines(
      '/user/{id}',
      'id: { type: integer }',
      'department: { type: object, properties: { id: { type: integer }, name: { type: string } } }',
    ),
    good: recordLines('/user/{id}', 'id: { type: integer }', 'department: { type: integer }'),
  },
  'nested-object': {
    text: 'Records are flat. Put the properties of a nested object next to the others, or make it a child resource.',
    bad: recordLines(
      '/user/{id}',
      'id: { type: integer }',
      'address: { type: object, properties: { street: { type: string }, city: { type: string } } }',
    ),
    good: recordLines('/user/{id}', 'id: { type: integer }', 'street: { type: string }', 'city: { type: string }'),
  },
} as const satisfies Readonly<Record<string, Explanation>>
