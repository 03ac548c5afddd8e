// Requests that a page of another site sends from the browser of a user who may call the service.
import { identity, integer, noun, operation, resource, text } from '@nomen/core'
import { handle, type Settings, service } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import { audience } from '@nomen/testing/openid-provider'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bearer, claims, providedOnce, signed } from './issued.ts'
import { openService, plainApi } from './test-service.ts'

const task = noun('task', { id: identity(), title: text().default(''), weight: integer().default(0) })
const poke = operation({ method: 'POST', on: 'record' })
const api = plainApi(resource(task, { operations: { poke } }))

async function started(settings: Partial<Settings> = {}) {
  let pokes = 0
  const handlers = [
    handle(task, poke, () => {
      pokes++
    }),
  ]
  const definition = service({ name: 'tasks', apis: [api], handlers })
  return { definition, numberOfPokes: () => pokes, ...(await openService(definition, settings)) }
}

const foreign = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another origin that claims to be none', { origin: 'https://evil.example', 'sec-fetch-site': 'none' }],
  ['another port', { origin: 'http://localhost:81' }],
  ['a name that begins alike', { origin: 'http://localhost.evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['an origin that is not one', { origin: 'localhost' }],
  ['another site, without an origin', { 'sec-fetch-site': 'cross-site' }],
] as const

const own = [
  ['no page', {}],
  ['its own page', { origin: 'http://localhost' }],
  ['its own page, with the port named', { origin: 'http://localhost', host: 'localhost:80' }],
  ['its own page, behind a proxy with https', { origin: 'https://desk.example', host: 'desk.example' }],
  ['its own page, with the port of https named', { origin: 'https://desk.example', host: 'desk.example:443' }],
  ['its own page, in other letters', { origin: 'http://localhost', host: 'LOCALHOST' }],
  [
    'its own page, behind a proxy that names another host',
    { origin: 'https://desk.example', 'sec-fetch-site': 'same-origin' },
  ],
  ['the user', { 'sec-fetch-site': 'none' }],
] as const

describe('without authentication, an unsafe request', () => {
  it.each(foreign)('of %s is rejected and changes nothing', async (_, sentHeaders) => {
    const { send, numberOfPokes } = await started()
    const headers = { host: 'localhost', ...sentHeaders }
    await send('POST', '/task', {})
    for (const [method, url, body] of [
      ['POST', '/task/1/poke'],
      ['POST', '/task/%31/poke'],
      ['POST', '/task', {}],
      ['PUT', '/task/1', { title: 'a', weight: 1 }],
      ['PATCH', '/task/1', { weight: 1 }],
      ['DELETE', '/task/1'],
    ] as const) {
      const response = await send(method, url, body, headers)
      expect([method, url, response.status, response.body.code]).toEqual([method, url, 403, 'cross-site-request'])
      expect(response.body.hint).toMatch(/CORS_ORIGIN.*--cors-origin/)
    }
    expect(numberOfPokes()).toBe(0)
    expect((await send('GET', '/task/1', undefined, headers)).body).toEqual({ id: 1, title: '', weight: 0 })
    for (const method of ['HEAD', 'OPTIONS'])
      expect((await send(method, '/task', undefined, headers)).status).toBeLessThan(300)
  })

  it.each(own)('of %s is served', async (_, headers) => {
    const { send, numberOfPokes } = await started()
    await send('POST', '/task', {})
    for (const url of ['/task/1/poke', '/task/%31/poke'])
      expect((await send('POST', url, undefined, { host: 'localhost', ...headers })).status).toBeLessThan(300)
    expect(numberOfPokes()).toBe(2)
  })

  it.each([[['https://app.example.com']], [['*']]])(
    'of an origin that CORS allows is served: %j',
    async (corsOrigins) => {
      const { send } = await started({ corsOrigins })
      await send('POST', '/task', {})
      const from = { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' }
      expect((await send('POST', '/task/1/poke', undefined, from)).status).toBe(204)
      const other = await send('POST', '/task/1/poke', undefined, { origin: 'https://evil.example' })
      expect(other.status).toBe(corsOrigins[0] === '*' ? 204 : 403)
    },
  )

  it('of the public URL of the service is served', async () => {
    const { send } = await started({ publicUrl: 'https://desk.example/api' })
    await send('POST', '/task', {})
    const headers = { host: 'localhost', origin: 'https://desk.example' }
    expect((await send('POST', '/task/1/poke', undefined, headers)).status).toBe(204)
  })

  it('may be rejected, as the document says for operations that write', async () => {
    const { get } = await started()
    const { paths, components } = (await get('/openapi.json')).body
    const { $ref } = paths['/task'].post.responses[403]
    const { content } = components.responses[$ref.split('/').at(-1)]
    expect(content['application/problem+json'].example.code).toBe('cross-site-request')
    expect(paths['/task'].get.responses[403]).toBeUndefined()
  })

  it('of another origin is also rejected by a plugin', async () => {
    const { definition } = await started()
    const app = fastify()
    onTestFinished(() => app.close())
    await app.register(plugin(definition, { database: 'sqlite::memory:' }), { prefix: '/desk' })
    const headers = { origin: 'https://evil.example' }
    const response = await app.inject({ method: 'POST', url: '/desk/task/1/poke', headers })
    expect([response.statusCode, response.json().code]).toEqual([403, 'cross-site-request'])
  })
})

describe('with authentication', () => {
  const provider = providedOnce()

  it('a request with a token is served from any origin', async () => {
    const { issuer } = provider()
    const { send } = await started({ auth: { issuer, audience } })
    const headers = {
      ...bearer(await signed(claims(issuer))),
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    }
    expect((await send('POST', '/task', {}, headers)).status).toBe(201)
  })
})
