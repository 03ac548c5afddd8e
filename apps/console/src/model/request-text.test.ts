// Requests as curl commands and as calls of the typed client, which the test runs.

import { client } from '@nomen/core/client'
import access from '@nomen/directory/openapi/access.json' with { type: 'json' }
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { clientCallOf, curlOf, type SentRequest } from './request-text.ts'
import { serviceOf } from './service/service.ts'

const base = 'http://localhost:3000'
const custom = (method: string, more: object = {}) => ({
  [method]: { 'x-nomen-kind': 'custom', responses: { 200: { description: 'x' } }, ...more },
})
const paths = {
  ...directory.paths,
  '/user/{userId}/lock-code': { ...custom('post'), ...custom('delete') },
  '/user/{userId}/preference/{preferenceId}/reset': custom('put'),
  '/user/digest': custom('get'),
}
const service = serviceOf('directory', [
  { document: { ...directory, paths }, base },
  { document: access, base },
])

function sent(method: string, target: string, more: Partial<SentRequest> = {}): SentRequest {
  const [path = '', query = ''] = target.split('?')
  return { base, method, path, query, headers: {}, body: undefined, ...more }
}

const calls: readonly [SentRequest, string][] = [
  [sent('GET', '/user'), 'await api.user.list()'],
  [
    sent('GET', '/user-detail?status=ACTIVE&status=SUSPENDED&pageSize=50'),
    "await api.user.detail.list({ status: ['ACTIVE', 'SUSPENDED'], pageSize: 50 })",
  ],
  [sent('GET', '/user?supervisor='), 'await api.user.list({ supervisor: null })'],
  [sent('GET', '/user/7'), 'await api.user.read(7)'],
  [sent('GET', '/user/by-email/ada%40example.com'), "await api.user.by.email('ada@example.com')"],
  [sent('POST', '/department', { body: { name: "Bob's" } }), "await api.department.create({ name: 'Bob\\'s' })"],
  [
    sent('PATCH', '/user/7', { body: { status: 'SUSPENDED' }, headers: { 'if-match': '"1"' } }),
    "await api.user.update(7, { status: 'SUSPENDED' }, { etag })",
  ],
  [sent('DELETE', '/user/7', { headers: { 'if-match': '"1"' } }), 'await api.user.delete(7, { etag })'],
  [sent('GET', '/user/7/preference'), 'await api.user.of(7).preference.list()'],
  [sent('PUT', '/v1/role/3/action/5'), 'await api.role.of(3).action.link(5)'],
  [sent('DELETE', '/v1/role/3/action/5'), 'await api.role.of(3).action.unlink(5)'],
  [
    sent('GET', '/v1/application/1/user/5/role?name=Clerk'),
    "await api.application.of(1).user.of(5).role.list({ name: 'Clerk' })",
  ],
  [
    sent('POST', '/user/7/lock-code', { body: { reason: 'Lost' } }),
    "await api.user.of(7).lockCode.post({ reason: 'Lost' })",
  ],
  [sent('DELETE', '/user/7/lock-code'), 'await api.user.of(7).lockCode.delete()'],
  [sent('PUT', '/user/7/preference/2/reset'), 'await api.user.of(7).preference.of(2).reset.put()'],
  [sent('GET', '/user/digest?size=5'), 'await api.user.digest.get({ size: 5 })'],
]

it.each(calls)('%o is a call of the typed client', async (request, call) => {
  expect(clientCallOf(service, request)).toBe(call)
  // The call sends the same request.
  const requests: string[] = []
  const fetched: typeof fetch = async (url, init) => {
    requests.push(`${init?.method ?? 'GET'} ${`${url}`.slice(base.length)}`)
    return Response.json({ pageInfo: {}, results: [] })
  }
  const version = request.path.startsWith('/v1/') ? 1 : undefined
  const api = client({ baseUrl: base, fetch: fetched, ...(version && { version }) } as never)
  await new Function('api', 'etag', `return (async () => { ${call} })()`)(api, '"1"')
  const target = request.query ? `${request.path}?${request.query}` : request.path
  expect(requests).toEqual([`${request.method} ${target}`])
})

it('is a curl command that a shell accepts, without the token', () => {
  const request = sent('POST', '/department?a=1', {
    headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer secret' },
    body: { name: "Bob's" },
  })
  expect(curlOf(request)).toBe(
    [
      `curl -X POST '${base}/department?a=1' \\`,
      `  -H 'content-type: application/json' \\`,
      '  -H "authorization: Bearer $TOKEN" \\',
      `  -d '{"name":"Bob'\\''s"}'`,
    ].join('\n'),
  )
})

it('has no client call for a path without an operation', () => {
  expect(clientCallOf(service, sent('GET', '/usage'))).toBeUndefined()
})
