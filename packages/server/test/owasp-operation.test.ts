import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseLine } from '@nomen/core'
import { documentsOf } from '@nomen/server/internal'
import { audience } from '@nomen/testing/openid-provider'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { bank, openBank } from './attacked.ts'
import { claims, firstKey, providedOnce, signed } from './issued.ts'
import { accountOf, canary, inside } from './owasp-setup.ts'
import { openService } from './test-service.ts'

const provider = providedOnce()

describe('API6 unrestricted access to sensitive business flows', () => {
  it('tries concurrent requests: with the same number, the same key, the same version', async () => {
    const { as } = await openBank(provider())
    const alice = as('alice')
    const many = <Result>(send: (at: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: 30 }, (_, at) => send(at)))
    const count = (responses: readonly { status: number }[], status: number) =>
      responses.filter((response) => response.status === status).length

    const created = await many(() => alice.send('POST', '/account', { number: 'A-1', owner: 'alice' }))
    expect([count(created, 201), count(created, 409)]).toEqual([1, 29])

    const id = created.find(({ status }) => status === 201)?.body.id
    const path = `/account/${id}/transfer`
    const paid = await many(() => alice.send('POST', path, { amount: 10 }, { 'idempotency-key': 'once' }))
    expect(count(paid, 201)).toBe(30)
    expect(new Set(paid.map(({ body }) => body.id)).size).toBe(1)
    expect((await alice.send('POST', path, { amount: 99 }, { 'idempotency-key': 'once' })).status).toBe(422)
    const listed = (await alice.get(path)).body
    expect((listed.results ?? listed).length).toBe(1)

    const tag = (await alice.get(`/account/${id}`)).headers.etag ?? ''
    const changed = await many((at) => alice.send('PATCH', `/account/${id}`, { balance: at + 1 }, { 'if-match': tag }))
    expect([count(changed, 200), count(changed, 412)]).toEqual([1, 29])
  })
})

describe('API7 server side request forgery', () => {
  it('tries to make the service call a URL: in values, headers, targets and tokens', async () => {
    const { issuer } = provider()
    const { as, app } = await openBank(provider())
    const alice = as('alice')
    const { url, requests } = await canary()
    const { host } = new URL(url)
    await alice.send('POST', '/account', { number: url, owner: 'alice' })
    const id = await accountOf(alice, 'alice', `${url}/x`)
    await alice.send('POST', `/account/${id}/transfer`, { amount: 1, comment: `<img src="${url}"> file:///etc/passwd` })
    await alice.get(`/account/by-number/${encodeURIComponent(url)}`)
    await alice.get(`/account?search=${encodeURIComponent(url)}`)
    for (const [name, value] of [
      ['host', host],
      ['x-forwarded-host', host],
      ['x-forwarded-for', '169.254.169.254'],
      ['forwarded', `host=${host}`],
      ['referer', url],
      ['origin', url],
      ['x-original-url', url],
      ['x-callback-url', url],
      ['link', `<${url}>; rel="next"`],
      ['destination', url],
    ])
      await alice.send('GET', `/account/${id}`, undefined, { [name as string]: value as string })
    await alice.get(`${url}/account`)
    const jwk = { ...firstKey, d: undefined }
    for (const header of [
      { jku: `${url}/jwks` },
      { x5u: `${url}/cert` },
      { jwk },
      { jku: `${url}/jwks`, kid: 'new' },
      { kid: url },
    ])
      await app.get('/account', { authorization: `Bearer ${await signed(claims(issuer), header as object)}` })
    const other = await signed({ ...claims(url), jwks_uri: `${url}/jwks` })
    expect((await app.get('/account', { authorization: `Bearer ${other}` })).status).toBe(401)
    expect(requests).toEqual([])
  })
})

describe('API8 security misconfiguration', () => {
  it('tries to learn from errors, headers, methods and other origins', async () => {
    const { as, app } = await openBank(provider())
    const alice = as('alice')
    const id = await accountOf(alice, 'alice', 'A-1')
    const failed = await alice.send('POST', `/account/${id}/transfer`, { amount: 1, comment: 'boom' })
    expect([failed.status, failed.body.code]).toEqual([500, 'internal'])
    const responses = [
      failed,
      await alice.get('/account/%E0%A4%A'),
      await alice.send('POST', '/account', '{"number": '),
      await alice.send('POST', '/account', { number: 1, owner: [] }),
      await app.get('/account'),
      await app.get('/nothing/here'),
      await app.send('TRACE', '/account', undefined, { 'x-secret': 'do-not-echo' }),
      await app.send('OPTIONS', '/account', undefined, {
        origin: 'http://evil.example',
        'access-control-request-method': 'DELETE',
      }),
      await alice.send('GET', `/account/${id}`, undefined, { origin: 'http://evil.example' }),
    ]
    for (const { status, headers, text } of responses) {
      expect(text).not.toMatch(inside)
      expect(text).not.toContain('do-not-echo')
      for (const name of [
        'server',
        'x-powered-by',
        'x-aspnet-version',
        'access-control-allow-origin',
        'access-control-allow-credentials',
      ])
        expect(headers[name], `${name} with ${status}`).toBeUndefined()
      if (status >= 400) expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    }
  })
})

describe('API9 improper inventory management', () => {
  it('tries forgotten endpoints: old versions, consoles, internal files and documents', async () => {
    const { as } = await openBank(provider())
    const alice = as('alice')
    for (const path of [
      '/v0/account',
      '/v1/account',
      '/v2/account',
      '/api/account',
      '/internal/account',
      '/test',
      '/admin',
      '/debug',
      '/debug/pprof',
      '/actuator/env',
      '/server-status',
      '/graphql',
      '/swagger.json',
      '/swagger-ui',
      '/api-docs',
      '/openapi.yaml',
      '/.env',
      '/.git/config',
      '/package.json',
      '/service.ts',
      '/data/bank.db',
      '/account.json',
      '/account/1.json',
      '/_schema',
      '/_tally_account',
      '/_idempotency',
      '/score',
      '/transfer',
    ])
      expect((await alice.get(path)).status, path).toBe(404)
  })

  it('finds every operation in the document, and only served operations', async () => {
    const operations = bank.operations.map(({ method, path }) => `${method.toLowerCase()} ${path}`).sort()
    const documented = documentsOf(bank).flatMap((document) =>
      Object.entries(document.build().paths as Record<string, object>).flatMap(([path, item]) =>
        Object.keys(item)
          .filter((name) => /^(get|put|post|delete|patch)$/.test(name))
          .map((method) => `${method} ${path}`),
      ),
    )
    expect(documented.sort()).toEqual(operations)
    const { as } = await openBank(provider())
    for (const operation of operations) {
      const [method = '', path = ''] = operation.split(' ')
      const response = await as('alice').send(
        method.toUpperCase(),
        path.replaceAll(/\{[^}]*\}/g, '1'),
        method === 'get' ? undefined : {},
      )
      expect(response.body?.code, operation).not.toBe('path-not-found')
      expect(response.status, operation).not.toBe(405)
    }
  })
})

describe('API10 unsafe consumption of APIs', () => {
  const timers: NodeJS.Timeout[] = []
  /** How many the last of them could send. */
  let megabytes = 0
  afterEach(() => {
    for (const timer of timers.splice(0)) clearInterval(timer)
  })

  const hostile: readonly (readonly [what: string, answer: RequestListener])[] = [
    ['no JSON', (_, response) => response.end('<html>')],
    ['no keys', (_, response) => response.end('{"keys":[]}')],
    ['keys that are not a list', (_, response) => response.end('{"keys":{"length":1e9}}')],
    ['null', (_, response) => response.end('null')],
    [
      'keys with a secret in place of a pair',
      (_, response) =>
        response.end(JSON.stringify({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: firstKey.kid, alg: 'HS256' }] })),
    ],
    [
      'a thousand keys of no kind',
      (_, response) => response.end(JSON.stringify({ keys: Array(1000).fill({ kty: 'x', kid: firstKey.kid }) })),
    ],
    ['another place', (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['an error', (_, response) => response.writeHead(500).end('SQLITE at /srv/issuer.ts:1')],
    [
      'an end in the middle',
      (_, response) => void response.writeHead(200, { 'content-length': 1000 }).write('{', () => response.destroy()),
    ],
    [
      'more than anyone can hold',
      (_, response) => {
        const part = `"${'x'.repeat(65_536)}",`
        response.write('{"keys":[')
        timers.push(
          setInterval(() => {
            if (response.destroyed) return
            response.write(part.repeat(16))
            megabytes++
          }, 1),
        )
      },
    ],
  ]

  it.each(hostile)(
    'tries keys that are %s: requests are rejected without details, and resources are released',
    async (_, listener) => {
      const { url } = await canary(listener)
      const app = await openService(bank, {
        auth: { issuer: url, audience, jwksUrl: `${url}/jwks` },
        onFault: () => undefined,
      })
      megabytes = 0
      const token = await signed(claims(url))
      const response = await app.get('/account', { authorization: `Bearer ${token}` })
      expect([401, 503]).toContain(response.status)
      expect(response.text).not.toMatch(inside)
      expect(megabytes).toBeLessThan(30)
      expect((await app.get('/openapi.json')).status).toBe(200)
    },
  )

  it('tries to fake a client address with headers of an untrusted proxy', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const accessLog = join(folder, 'access.log')
    const { as, app } = await openBank(provider(), { accessLog })
    const spoofed = {
      'x-forwarded-for': '8.8.8.8',
      forwarded: 'for=8.8.8.8',
      'x-real-ip': '8.8.8.8',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    }
    const created = await as('alice').send(
      'POST',
      '/account',
      { number: 'A-1', owner: 'alice' },
      { ...spoofed, 'user-agent': 'a" 200 0 "-" "b' },
    )
    expect(created.headers.location).toMatch(/^\/account\/\d+$/)
    await app.app.close()
    const lines = readFileSync(accessLog, 'utf8').split('\n').slice(0, -1)
    expect(lines).toHaveLength(1)
    expect(parseLine(`${lines[0]}`)).toMatchObject({
      address: '127.0.0.1',
      user: 'alice',
      status: 201,
      userAgent: 'a" 200 0 "-" "b',
    })
    expect(lines[0]).not.toContain('8.8.8.8')
  })
})
