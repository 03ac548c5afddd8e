// Successful writes of every operation have the same responses through every adapter.
import { expect, it, onTestFinished } from 'vitest'
import { directoryService } from '../src/index.ts'
import { comparable, openAdapters, type ReceivedResponse, type Send } from './adapters.ts'
import { newUser } from './record.ts'

/** `{new}` is the path of the record that was created last. */
type Write = readonly [method: string, url: string, body?: object]

const user = newUser('written')
const preference = { type: 'sound', enabled: true, value: null }
const department = { name: 'Archive', retired: false }
const view = { name: 'Archivists', path: '/user', query: 'department=1' }
const application = { guid: '3f0f8f0e-6f0a-4d55-9a8e-6e3c0a7c3c11', name: 'Archive', description: 'Old records.' }
const role = { applicationRef: 1, name: 'Archivist', description: 'Keeps old records.' }
// A name below .invalid is never looked up.
const webhook = { url: 'https://receiver.invalid/changes', nouns: 'user' }

const writes: readonly Write[] = [
  ['POST', '/user', user],
  ['PUT', '{new}', { ...user, phone: '1', extension: '', status: 'ACTIVE', supervisor: null }],
  ['PATCH', '{new}', { phone: '2' }],
  ['DELETE', '{new}'],
  ['POST', '{new}/restoration'],
  ['POST', '/user/3/preference', preference],
  ['PUT', '{new}', { ...preference, enabled: false }],
  ['PATCH', '{new}', { enabled: true }],
  ['DELETE', '{new}'],
  ['POST', '{new}/restoration'],
  ['POST', '/department', department],
  ['PUT', '{new}', { ...department, retired: true }],
  ['PATCH', '{new}', { name: 'Archives' }],
  ['DELETE', '{new}'],
  ['POST', '{new}/restoration'],
  ['POST', '/webhook', webhook],
  ['PUT', '{new}', { ...webhook, description: '', kinds: null, fields: null, status: 'ACTIVE' }],
  ['PATCH', '{new}', { url: 'https://other.invalid/changes' }],
  ['POST', '{new}/test'],
  ['POST', '{new}/redelivery', { change: 1 }],
  ['POST', '{new}/replay', { since: '2026-01-01T00:00:00Z' }],
  ['POST', '{new}/rotation'],
  ['DELETE', '{new}'],
  ['POST', '/saved-view', view],
  ['PUT', '{new}', view],
  ['PATCH', '{new}', { name: 'Keepers' }],
  ['DELETE', '{new}'],
  ['PATCH', '/v1/user/2', { username: 'second' }],
  [
    'PUT',
    '/v1/user/2',
    { firstName: 'Ada', lastName: 'Byron', username: 'ada', email: 'ada@example.com', avatarColor: null },
  ],
  ['PUT', '/v1/user/8/role/1'],
  ['DELETE', '/v1/user/8/role/1'],
  ['POST', '/v1/application', application],
  ['PUT', '{new}', { ...application, name: 'Archives' }],
  ['PATCH', '{new}', { name: 'Archive' }],
  ['DELETE', '{new}'],
  ['POST', '/v1/role', role],
  ['PUT', '{new}', { ...role, name: 'Keeper' }],
  ['PATCH', '{new}', { name: 'Archivist' }],
  ['PUT', '{new}/action/1'],
  ['DELETE', '{new}/action/1'],
  ['DELETE', '{new}'],
  ['POST', '{new}/restoration'],
  ['POST', '/v1/action', role],
  ['PUT', '{new}', { ...role, name: 'sort' }],
  ['PATCH', '{new}', { name: 'file' }],
  ['DELETE', '{new}'],
]

interface Written {
  readonly method: string
  readonly url: string
  readonly response: ReceivedResponse
}

/** Sends all writes through one adapter, on a database of its own. */
async function writtenBy(name: string): Promise<readonly Written[]> {
  const adapters = await openAdapters()
  onTestFinished(() => adapters.close())
  const send = adapters.senders.get(name) as Send
  const results: Written[] = []
  let created = ''
  for (const [method, path, body] of writes) {
    const url = path.replace('{new}', created)
    const text = body && JSON.stringify(body)
    const headers = { 'x-request-id': 'same', ...(body && { 'content-type': 'application/json' }) }
    const response = comparable(await send(method, url, text, headers))
    expect(response.status, `${name}: ${method} ${url} ${response.text}`).toBeLessThan(300)
    if (response.status === 201 && !path.endsWith('/restoration')) created = `${response.headers.location}`
    results.push({ method, url, response: { ...response, text: withoutVariable(response.text) } })
  }
  return results
}

/** Without times, durations and secrets, which are new in every response. */
function withoutVariable(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"durationMs":\d+/, '"durationMs":0')
    .replace(/whsec_[\w+/=]+/g, 'secret')
}

it('every write has the same response through every adapter', async () => {
  const [byNode, byFetch, byFastify] = await Promise.all(['node', 'fetch', 'Fastify'].map(writtenBy))
  expect(byFetch).toEqual(byNode)
  expect(byFastify).toEqual(byNode)
  const { operations } = directoryService({ users: 0 })
  const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`)
  const missing = operations.filter(
    ({ method, path }) =>
      method !== 'GET' && !byNode?.some((write) => write.method === method && patternOf(path).test(write.url)),
  )
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
