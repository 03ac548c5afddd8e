/** Faults of creating, changing, deleting and linking records. */
import { type Behavior, correctBehavior } from '../library-behavior.ts'
import type { Row } from '../library-data.ts'
import { changeStatus, type Fault, isBook, isMalformedJson, isMethod, isPlainText } from './fault.ts'

export const writeFaults: readonly Fault[] = [
  { name: 'POST responds with 200', behavior: changeStatus(isMethod('POST'), 200), caughtBy: ['create'] },
  { name: 'POST gives 500', behavior: changeStatus(isMethod('POST'), 500), caughtBy: ['create'] },
  {
    name: 'POST responds with an empty object and no Location',
    behavior: {
      onResponse: (response, { method, parts }) =>
        method === 'POST' && parts[0] === 'author' && parts.length === 1
          ? { status: 201, headers: {}, body: {} }
          : response,
    },
    caughtBy: ['cleanup', 'document-agrees'],
  },
  {
    name: 'POST has no Location',
    behavior: { onResponse: (response, { method }) => (method === 'POST' ? { ...response, headers: {} } : response) },
    caughtBy: ['create-location'],
  },
  {
    name: 'Location is the URL of the list',
    behavior: {
      onResponse: (response, { method, parts }) =>
        method === 'POST' && response.status === 201
          ? { ...response, headers: { location: `/${parts.join('/')}` } }
          : response,
    },
    caughtBy: ['create-location'],
  },
  {
    name: 'a new record loses a value',
    behavior: {
      onResponse: (response, { method, parts }, store) => {
        const row = store.book?.at(-1)
        if (method === 'POST' && parts[0] === 'book' && parts.length === 1 && row) row.title = ''
        return response
      },
    },
    caughtBy: ['create-kept'],
  },
  {
    name: 'PATCH requires every field',
    behavior: { missing: (body, mutable) => mutable.some((name) => !(name in body)) },
    caughtBy: ['patch-subset'],
  },
  {
    name: 'PATCH clears fields that are not sent',
    behavior: {
      change: (row, body, mutable, verb) => {
        const changed = correctBehavior.change(row, body, mutable, verb)
        const lost =
          verb === 'PATCH'
            ? mutable.filter((name) => !(name in body) && typeof row[name] === 'string' && name !== 'shelf')
            : []
        return { ...changed, ...Object.fromEntries(lost.map((name) => [name, ''])) }
      },
    },
    caughtBy: ['patch-subset'],
  },
  {
    name: 'PATCH changes nothing',
    behavior: {
      change: (row, body, mutable, verb) => (verb === 'PATCH' ? row : correctBehavior.change(row, body, mutable, verb)),
    },
    caughtBy: ['patch-subset'],
  },
  {
    name: 'PUT changes nothing',
    behavior: {
      change: (row, body, mutable, verb) => (verb === 'PUT' ? row : correctBehavior.change(row, body, mutable, verb)),
    },
    caughtBy: ['put-complete'],
  },
  {
    name: 'PUT responds with 204',
    behavior: {
      onResponse: (response, { method, parts }) =>
        method === 'PUT' && parts[2] !== 'tag' && response.status === 200
          ? { ...response, status: 204, body: undefined }
          : response,
    },
    caughtBy: ['put-complete', 'update-full-record'],
  },
  {
    name: 'PUT accepts a body without all fields',
    behavior: { missing: () => false },
    caughtBy: ['put-requires-all'],
  },
  {
    name: 'PATCH responds with the request body',
    behavior: {
      onResponse: (response, { method, text }) =>
        method === 'PATCH' && response.status === 200 ? { ...response, body: JSON.parse(text) } : response,
    },
    caughtBy: ['document-agrees', 'update-full-record'],
  },
  {
    name: 'PUT responds with the record before the change',
    behavior: (() => {
      let before: unknown
      const onResponse: Behavior['onResponse'] = (response, request) => {
        if (isBook(request)) before = response.body
        return request.method === 'PUT' &&
          request.parts[0] === 'book' &&
          request.parts.length === 2 &&
          response.status === 200
          ? { ...response, body: before }
          : response
      }
      return { onResponse }
    })(),
    caughtBy: ['update-full-record'],
  },
  {
    name: 'the creation time can be changed',
    behavior: {
      change: (row, body, mutable, verb) => ({
        ...correctBehavior.change(row, body, mutable, verb),
        ...(body.created && { created: body.created }),
      }),
    },
    caughtBy: ['immutable-field'],
  },
  {
    name: 'the identity can be changed',
    behavior: {
      change: (row, body, mutable, verb) => ({
        ...correctBehavior.change(row, body, mutable, verb),
        ...(body.id && { id: body.id }),
      }),
    },
    caughtBy: ['delete', 'immutable-field'],
  },
  {
    name: 'a body that is not valid JSON gives 500',
    behavior: changeStatus(isMalformedJson, 500),
    caughtBy: ['malformed-json'],
  },
  {
    name: 'a body that is not valid JSON is accepted',
    behavior: changeStatus(isMalformedJson, 200),
    caughtBy: ['malformed-json'],
  },
  { name: 'a text/plain body gives 500', behavior: changeStatus(isPlainText, 500), caughtBy: ['wrong-media-type'] },
  { name: 'a text/plain body is accepted', behavior: changeStatus(isPlainText, 200), caughtBy: ['wrong-media-type'] },
  {
    name: 'PATCH of a missing record gives 200',
    behavior: changeStatus(
      ({ method, parts }, { status }) => method === 'PATCH' && parts.length === 2 && status === 404,
      200,
    ),
    caughtBy: ['write-missing'],
  },
  {
    name: 'DELETE responds with 204',
    behavior: {
      onResponse: (response, { method, parts }) =>
        method === 'DELETE' && parts.length === 2 && response.status === 200
          ? { ...response, status: 204, body: undefined }
          : response,
    },
    caughtBy: ['delete'],
  },
  {
    name: 'DELETE deletes nothing',
    behavior: {
      onResponse: (response, { method, parts }, store) => {
        if (method === 'DELETE' && parts[0] === 'author' && parts.length === 2 && response.status === 200)
          store.author?.push(response.body as Row)
        return response
      },
    },
    caughtBy: ['delete-gone', 'delete-same-everywhere'],
  },
  {
    name: 'DELETE is rejected although the document has it',
    behavior: {
      onRequest: (request) =>
        request.method === 'DELETE' && request.parts[0] === 'author' ? { ...request, method: 'LOCK' } : request,
    },
    caughtBy: ['cleanup', 'delete'],
  },
  {
    name: 'a second DELETE gives 500',
    behavior: changeStatus(
      ({ method, parts }, { status }) => method === 'DELETE' && parts.length === 2 && status === 404,
      500,
    ),
    caughtBy: ['delete-twice'],
  },
  {
    name: 'a second DELETE has another status for one noun',
    behavior: changeStatus(
      ({ method, parts }, { status }) =>
        method === 'DELETE' && parts[0] === 'author' && parts.length === 2 && status === 404,
      200,
    ),
    caughtBy: ['delete-same-everywhere'],
  },
  {
    name: 'a link is not stored',
    behavior: {
      onResponse: (response, { method, parts }, store) => {
        if (method === 'PUT' && parts[2] === 'tag') store.link.splice(80)
        return response
      },
    },
    caughtBy: ['link', 'unlink'],
  },
  {
    name: 'a repeated link gives 409',
    behavior: (() => {
      const linked = new Set<string>()
      const onResponse: Behavior['onResponse'] = (response, { method, parts, target }) => {
        if (method !== 'PUT' || parts[2] !== 'tag' || response.status !== 200) return response
        if (linked.has(target)) return { ...response, status: 409 }
        linked.add(target)
        return response
      }
      return { onResponse }
    })(),
    caughtBy: ['link'],
  },
  {
    name: 'a link cannot be removed',
    behavior: {
      onRequest: (request) =>
        request.method === 'DELETE' && request.parts[2] === 'tag' ? { ...request, method: 'GET' } : request,
    },
    caughtBy: ['unlink'],
  },
]
