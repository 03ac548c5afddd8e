// A problem repeats only a short part of the request: long names, values, paths and headers are truncated.
import { describe, expect, it } from 'vitest'
import { newUser } from './record.ts'
import { openOnce } from './service.ts'

const { send, post } = openOnce(5)
const json = { 'content-type': 'application/json' }

/** Short enough for a request line, and longer than any text that a problem may repeat. */
const long = 'q'.repeat(9_000)
const body = (value: unknown) => JSON.stringify(value)

describe('a problem repeats at most 100 characters of', () => {
  it.each([
    ['a property name', 'PATCH', '/user/1', body({ [long]: 1 }), json],
    [
      'a property name with characters of a pointer',
      'PATCH',
      '/user/1',
      body({ ['~/'.repeat(9_000) + long]: 1 }),
      json,
    ],
    ['several property names', 'POST', '/user', body({ [`${long}1`]: 1, [`${long}2`]: 2, [`${long}3`]: 3 }), json],
    ['the value of a property', 'PATCH', '/user/1', body({ status: long }), json],
    ['a body that is not an object', 'PATCH', '/user/1', body(long), json],
    ['a body that is not JSON', 'PATCH', '/user/1', long, json],
    ['a parameter name', 'GET', `/user?${long}=1`, undefined, {}],
    ['several parameter names', 'GET', `/user?${long.slice(5000)}1=1&${long.slice(5000)}2=1`, undefined, {}],
    ['a parameter name of a read', 'GET', `/user/1?${long}=1`, undefined, {}],
    ['a parameter of usage', 'GET', `/usage?${long}=1`, undefined, {}],
    ['the value of a filter', 'GET', `/user?status=${long}`, undefined, {}],
    ['the value of sort', 'GET', `/user?sort=${long}`, undefined, {}],
    ['a page number', 'GET', `/user?pageNumber=${long}`, undefined, {}],
    ['a query that is not encoded', 'GET', `/user?%E0%A4%A${long}`, undefined, {}],
    ['an identity', 'GET', `/user/${long}`, undefined, {}],
    [
      'identities of ancestors',
      'GET',
      `/v1/application/${long.slice(5000)}/user/${long.slice(5000)}/role`,
      undefined,
      {},
    ],
    ['a path', 'GET', `/${long}`, undefined, {}],
    ['a path that is not encoded', 'GET', `/%E0%A4%A${long}`, undefined, {}],
    ['a path with another method', 'POST', `/user/${long}`, body({}), json],
    ['a media type', 'PATCH', '/user/1', body({}), { 'content-type': `text/${long}` }],
    ['a malformed media type', 'PATCH', '/user/1', body({}), { 'content-type': long }],
    ['a charset', 'PATCH', '/user/1', body({}), { 'content-type': `application/json; charset=${long}` }],
    ['an encoding', 'PATCH', '/user/1', body({}), { ...json, 'content-encoding': long }],
    ['an entity tag', 'PATCH', '/user/1', body({}), { ...json, 'if-match': `"${long}"` }],
  ] as const)('%s', async (_, method, url, payload, headers) => {
    const { status, text } = await send(method, url, payload, headers)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(text).not.toContain('q'.repeat(101))
    expect(text.length).toBeLessThan(2500)
  })

  it('an Idempotency-Key', async () => {
    const { status, text } = await post('/user', newUser(), { 'idempotency-key': long })
    expect(status).toBe(400)
    expect(text).not.toContain('q'.repeat(101))
  })
})

describe('a problem lists the first faults, and their number', () => {
  const names = Array.from({ length: 300 }, (_, index) => `unknown${index}`)

  it('in a body', async () => {
    const unknownFields = Object.fromEntries(names.map((name) => [name, 1]))
    const { body } = await send<ProblemBody>('PATCH', '/user/1', JSON.stringify(unknownFields), json)
    expect(body.errors.length).toBe(20)
    expect(body.detail).toContain('299 more')
  })

  it('in a query', async () => {
    const { body } = await send<ProblemBody>('GET', `/user?${names.map((name) => `${name}=1`).join('&')}`)
    expect(body.errors.length).toBe(20)
    expect(body.detail).toBe('/user has no parameters "unknown0", "unknown1", "unknown2" and 297 more.')
  })
})

interface ProblemBody {
  readonly detail: string
  readonly errors: readonly object[]
}
