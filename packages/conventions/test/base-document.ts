/** The document that the tests of `diff` change, one thing at a time. */
import type { Json, OpenApiDocument } from '../src/index.ts'

type Editable = { [name: string]: unknown }

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const body = (name: string) => ({ 'application/json': { schema: ref(name) } })
const query = (name: string, schema: object) => ({ name, in: 'query', schema })

/** The parameters of a list of users. The tests refer to them by index. */
const listParameters = [
  query('pageNumber', { type: 'integer', minimum: 1, default: 1 }),
  query('pageSize', { type: 'integer', minimum: 1, maximum: 1000, default: 10 }),
  query('status', { type: 'array', items: { type: 'string', enum: ['ACTIVE', 'SUSPENDED'] } }),
  query('email', { type: 'string', maxLength: 100 }),
  query('retired', { type: 'boolean', default: false }),
  query('department', { type: ['integer', 'null'], format: 'int32' }),
  { name: 'X-Transaction-Id', in: 'header', schema: { type: 'string' } },
  query('tag', { type: 'array', items: { type: 'string' } }),
]

const userFields = {
  id: { type: 'integer' },
  firstName: { type: 'string' },
  lastName: { type: 'string', maxLength: 50 },
  email: { type: 'string', format: 'email' },
  status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED'] },
  supervisor: { type: ['integer', 'null'] },
  level: { type: 'integer', minimum: 1, maximum: 9, format: 'int32' },
  created: { type: 'string', format: 'date-time' },
  address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  contact: { oneOf: [ref('Phone'), ref('Mail')] },
  tag: { type: 'array', items: { type: 'string' } },
}

const mutableFields = {
  firstName: { type: 'string' },
  lastName: { type: 'string', minLength: 1, maxLength: 50, pattern: '^[A-Z]' },
  email: { type: 'string', format: 'email' },
  status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED'] },
  supervisor: { type: ['integer', 'null'] },
  level: { type: 'integer', minimum: 1, maximum: 9, format: 'int32' },
  contact: { oneOf: [ref('Phone'), ref('Mail')] },
}

const statusField = { ...mutableFields.status, 'x-nomen-transitions': { ACTIVE: ['SUSPENDED'], SUSPENDED: ['ACTIVE'] } }
const newFields = { ...mutableFields, status: { ...mutableFields.status, default: 'ACTIVE' } }

const document = {
  openapi: '3.1.0',
  info: { title: 'directory', version: '1' },
  security: [{ bearer: [] }],
  paths: {
    '/user': {
      get: {
        operationId: 'listUsers',
        parameters: listParameters,
        responses: { '200': { description: 'd', content: body('UserPage') } },
      },
      post: {
        requestBody: { required: true, content: body('NewUser') },
        responses: {
          '201': {
            description: 'd',
            headers: { Location: { required: true, schema: { type: 'string' } } },
            content: body('User'),
          },
          '400': { description: 'd', content: { 'application/problem+json': { schema: ref('Problem') } } },
        },
      },
    },
    '/user-summary': { get: { responses: { '200': { description: 'd', content: body('UserPage') } } } },
    '/user/by-email/{email}': {
      parameters: [{ name: 'email', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { '200': { description: 'd', content: body('User') }, '404': { description: 'd' } } },
    },
    '/user/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        responses: {
          '200': { description: 'd', headers: { ETag: { schema: { type: 'string' } } }, content: body('User') },
          '404': { description: 'd' },
        },
      },
      put: {
        requestBody: { required: true, content: body('UpdateUser') },
        responses: { '200': { description: 'd', content: body('User') } },
      },
      patch: {
        requestBody: {
          content: { ...body('PatchUser'), 'application/merge-patch+json': { schema: ref('PatchUser') } },
        },
        responses: { '200': { description: 'd', content: body('User') } },
      },
      delete: { responses: { '200': { description: 'd', content: body('User') } } },
    },
    '/user/{id}/preference': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        responses: {
          '200': {
            description: 'd',
            content: { 'application/json': { schema: { type: 'array', items: ref('Preference') } } },
          },
        },
      },
    },
    '/department': {
      get: { security: [], responses: { '200': { description: 'd', content: body('DepartmentPage') } } },
      put: { security: [{ oauth: ['department:read'] }], responses: { '200': { description: 'd' } } },
    },
  },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      oauth: { type: 'oauth2', flows: {} },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
    schemas: {
      User: { type: 'object', required: Object.keys(userFields), properties: userFields },
      UserListItem: {
        type: 'object',
        required: ['id', 'email'],
        properties: { id: userFields.id, email: userFields.email },
      },
      UserPage: {
        type: 'object',
        required: ['pageInfo', 'results'],
        properties: {
          pageInfo: ref('PageInfo'),
          results: { type: 'array', items: ref('UserListItem') },
        },
      },
      DepartmentPage: {
        type: 'object',
        required: ['pageInfo', 'results'],
        properties: { pageInfo: ref('PageInfo'), results: { type: 'array', items: ref('Department') } },
      },
      PageInfo: {
        type: 'object',
        required: ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords'],
        properties: {
          pageSize: { type: 'integer' },
          pageNumber: { type: 'integer' },
          numberOfPages: { type: 'integer' },
          numberOfRecords: { type: 'integer' },
        },
      },
      Department: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer' }, name: { type: 'string' }, parent: ref('Department') },
      },
      Preference: { allOf: [ref('Identified'), { type: 'object', properties: { type: { type: 'string' } } }] },
      Identified: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      Phone: { type: 'object', required: ['number'], properties: { number: { type: 'string' } } },
      Mail: { type: 'object', required: ['address'], properties: { address: { type: 'string' } } },
      Fax: { type: 'object', required: ['line'], properties: { line: { type: 'integer' } } },
      UpdateUser: { type: 'object', required: Object.keys(mutableFields), properties: mutableFields },
      PatchUser: { type: 'object', properties: { ...mutableFields, status: statusField } },
      NewUser: { type: 'object', required: ['firstName', 'lastName', 'email'], properties: newFields },
      Problem: {
        type: 'object',
        required: ['title'],
        properties: { title: { type: 'string' }, code: { type: 'string' } },
      },
    },
  },
}

export function baseDocument(): OpenApiDocument {
  // JSON copies shared objects for each reference; structuredClone would keep them shared.
  return JSON.parse(JSON.stringify(document))
}

/** Values by JSON pointer. undefined removes the value, and the name `+` appends to an array. */
export type Edits = Readonly<Record<string, unknown>>

/** A document with other values at some pointers. */
export function edited(original: OpenApiDocument, edits: Edits): OpenApiDocument {
  const copy = structuredClone(original)
  for (const [pointer, value] of Object.entries(edits)) {
    const parts = pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = parts.pop() as string
    let at: unknown = copy
    for (const part of parts) at = (at as Editable)[part]
    if (typeof at !== 'object' || at === null) throw new Error(`There is nothing at ${pointer}.`)
    if (Array.isArray(at) && last === '+') at.push(value)
    else if (Array.isArray(at) && value === undefined) at.splice(Number(last), 1)
    else if (value === undefined) {
      if (!(last in at)) throw new Error(`There is nothing at ${pointer}.`)
      delete (at as Editable)[last]
    } else (at as Editable)[last] = structuredClone(value)
  }
  return copy
}

/** Whether the document has a value at a JSON pointer. */
export function isThere(document: OpenApiDocument, pointer: string): boolean {
  let at: Json | undefined = document
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Record<string, Json>)[name] : undefined
  }
  return at !== undefined
}
