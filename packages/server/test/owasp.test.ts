// Attacks by the list of the OWASP API Security Top 10 of 2023, each with what it tries. None may succeed.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseLine } from '@nomen/core'
import { documentsOf } from '@nomen/server/internal'
import { audience } from '@nomen/testing/openid-provider'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { bank, openBank, type Party } from './attacked.ts'
import { assembled, claims, firstKey, providedOnce, signed } from './issued.ts'
import { opened } from './opened.ts'

const provider = providedOnce()

/** What no answer may hold, whatever was asked. */
const inside = /node_modules|\.ts:\d|\bat .*\(|SQLITE|select .* from|TypeError|secret\.ts/i

async function accountOf(party: Party, owner: string, number: string): Promise<number> {
  const made = await party.ask('POST', '/account', { number, owner })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

/** A server that nobody has a reason to call, and what it heard. */
async function canary(
  answer: RequestListener = (_, response) => response.end('{}'),
): Promise<{ url: string; heard: string[] }> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

describe('API1 broken object level authorization', () => {
  it('tries the record of another by every path, filter, order and reference', async () => {
    const { as } = await openBank(provider())
    const [alice, mallory] = [as('alice'), as('mallory')]
    const id = await accountOf(alice, 'alice', 'A-1')
    const own = await accountOf(mallory, 'mallory', 'M-1')
    const transfer = (await alice.ask('POST', `/account/${id}/transfer`, { amount: 5 })).body.id
    const missing = await mallory.get('/account/999999')
    for (const [method, path, body] of [
      ['GET', `/account/${id}`],
      ['GET', '/account/by-number/A-1'],
      ['GET', `/account/${id}/transfer`],
      ['GET', `/account/${id}/transfer/${transfer}`],
      ['GET', `/account/${own}/transfer/${transfer}`],
      ['POST', `/account/${id}/transfer`, { amount: 1 }],
      ['PATCH', `/account/${id}`, { balance: 1 }],
      ['PUT', `/account/${id}`, { number: 'A-1', owner: 'mallory', balance: 1 }],
      ['PATCH', `/account/${id}/transfer/${transfer}`, { amount: 1 }],
      ['DELETE', `/account/${id}/transfer/${transfer}`],
      ['DELETE', `/account/${id}`],
    ] as const) {
      const answer = await mallory.ask(method, path, body)
      // just as where there is nothing
      expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([404, missing.body.code])
      expect(answer.text).not.toContain('alice')
    }
    for (const query of [
      '',
      `?id=${id}`,
      `?include=${id}&id=${own}`,
      '?owner=alice',
      '?search=A-1',
      '?sort=-id',
      '?pageSize=1&pageNumber=2',
    ]) {
      const { body } = await mallory.get(`/account${query}`)
      expect(JSON.stringify(body.results)).not.toContain('alice')
      expect(body.pageInfo.numberOfRecords).toBeLessThanOrEqual(1)
    }
    // nor does it help to guess: a conflict tells nothing of the other record, a tag is no key
    const taken = await mallory.ask('POST', '/account', { number: 'A-1', owner: 'mallory' })
    expect(taken.text).not.toContain('alice')
    const tag = (await alice.get(`/account/${id}`)).headers.etag ?? ''
    expect((await mallory.ask('GET', `/account/${id}`, undefined, { 'if-none-match': tag })).status).toBe(404)
    expect((await alice.get(`/account/${id}`)).body).toMatchObject({ owner: 'alice', balance: 0 })
    expect((await alice.get(`/account/${id}/transfer/${transfer}`)).body).toMatchObject({ amount: 5 })
  })

  it('tries to hand a record to another, or to make one in the name of another', async () => {
    const { as } = await openBank(provider())
    const [alice, mallory] = [as('alice'), as('mallory')]
    const own = await accountOf(mallory, 'mallory', 'M-1')
    for (const answer of [
      await mallory.ask('POST', '/account', { number: 'A-2', owner: 'alice' }),
      await mallory.ask('PATCH', `/account/${own}`, { owner: 'alice' }),
    ])
      expect(answer.status).toBeGreaterThanOrEqual(400)
    expect((await alice.get('/account')).body.results).toEqual([])
    expect((await mallory.get(`/account/${own}`)).body.owner).toBe('mallory')
  })
})

describe('API2 broken authentication', () => {
  it('tries every operation without a token, and with tokens that are forged, old or for others', async () => {
    const { issuer } = provider()
    const { opened: app } = await openBank(provider())
    const good = claims(issuer)
    const [header = '', payload = '', signature = ''] = (await signed(good)).split('.')
    const publicKey = Buffer.from(JSON.stringify({ ...firstKey, d: undefined }))
    const tokens = [
      '',
      'x',
      'a.b.c',
      assembled({ alg: 'none' }, good),
      assembled({ alg: 'None', kid: firstKey.kid }, good, 'x'),
      await signed(good, { alg: 'HS256' }, publicKey),
      await signed(claims(issuer, { exp: 1 })),
      await signed(claims(issuer, { exp: undefined })),
      await signed(claims(issuer, { nbf: good.exp })),
      await signed(claims('http://evil.example')),
      await signed(claims(issuer, { aud: 'http://another.example' })),
      await signed(good, { kid: '../../../../dev/null' }),
      await signed(good, { kid: "' or 1=1 --" }),
      `${header}.${Buffer.from(JSON.stringify({ ...good, sub: 'admin' })).toString('base64url')}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    ]
    const given = [
      {},
      ...tokens.map((token) => ({ authorization: `Bearer ${token}` })),
      { authorization: 'Basic YWRtaW46YWRtaW4=' },
      { cookie: `token=${header}.${payload}.${signature}` },
    ]
    for (const { method, path } of bank.operations)
      for (const headers of given) {
        const url = path.replaceAll(/\{[^}]*\}/g, '1')
        const answer = await app.ask(method, url, method === 'GET' ? undefined : {}, headers)
        expect(answer.status, `${method} ${url} ${JSON.stringify(headers)}`).toBe(401)
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
        expect(answer.text).not.toMatch(inside)
        if (signature !== '') expect(answer.text).not.toContain(signature)
      }
    const query = await app.get(`/account?access_token=${header}.${payload}.${signature}`)
    expect(query.status).toBe(401)
  })
})

describe('API3 broken object property level authorization', () => {
  it('tries to see, to filter by and to set a property that is not shown', async () => {
    const { as } = await openBank(provider())
    const alice = as('alice')
    const id = await accountOf(alice, 'alice', 'A-1')
    for (const query of [
      '?score=700',
      '?sort=score',
      '?sort=-score',
      '?fields=score',
      '?include=score',
      '?score[gte]=1',
    ])
      expect((await alice.get(`/account${query}`)).status, query).toBe(400)
    for (const [method, body] of [
      ['PATCH', { score: 1 }],
      ['PUT', { number: 'A-1', owner: 'alice', balance: 0, score: 1 }],
      ['PATCH', { _version: 9 }],
      ['PATCH', { 'score ': 1 }],
      ['PATCH', '{"__proto__":{"score":1}}'],
      ['PATCH', '{"constructor":{"prototype":{"score":1}}}'],
    ] as const)
      expect((await alice.ask(method, `/account/${id}`, body)).status, JSON.stringify(body)).toBe(400)
    expect((await alice.ask('POST', '/account', { number: 'A-2', owner: 'alice', score: 850 })).status).toBe(400)
    for (const url of ['/account', `/account/${id}`, '/account/by-number/A-1', '/openapi.json'])
      expect((await alice.get(url)).text).not.toMatch(/"score"/)
  })

  it('tries to set what is the service’s own', async () => {
    const { as } = await openBank(provider())
    const alice = as('alice')
    const id = await accountOf(alice, 'alice', 'A-1')
    const { changed } = (await alice.get(`/account/${id}`)).body
    expect((await alice.ask('PATCH', `/account/${id}`, { id: 999 })).status).toBe(409)
    const answer = await alice.ask('PATCH', `/account/${id}`, { changed: '1999-01-01T00:00:00.000Z' })
    if (answer.status === 200) expect(Date.parse(answer.body.changed)).toBeGreaterThanOrEqual(Date.parse(changed))
    expect((await alice.get(`/account/${id}`)).body.changed).not.toContain('1999')
  })
})

describe('API4 unrestricted resource consumption', () => {
  it('tries to get too much at once, and to send too much', async () => {
    const { as } = await openBank(provider())
    const alice = as('alice')
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    for (const [url, statuses] of [
      ['/account?pageSize=1001', [400]],
      ['/account?pageSize=999999999999', [400]],
      ['/account?pageNumber=9007199254740991&pageSize=1000', [200, 400]],
      [`/account?${'id=1&'.repeat(5000)}`, [200, 400]],
      [`/account?${'sort=id&'.repeat(2000)}`, [200, 400]],
      [`/account?search=${'%25'.repeat(3000)}`, [200, 400]],
      [`/account/by-number/${'x'.repeat(10_000)}`, [404]],
    ] as const) {
      const answer = await alice.get(url)
      expect(statuses, `${url.slice(0, 60)} ${answer.text.slice(0, 200)}`).toContain(answer.status)
      expect(answer.text.length).toBeLessThan(100_000)
    }
    for (const [body, status] of [
      [{ number: 'x'.repeat(2_000_000), owner: 'alice' }, 413],
      [`{"number":${nested},"owner":"alice"}`, 400],
      [`{${'"number":"1",'.repeat(50_000)}"owner":"alice"}`, undefined],
    ] as const) {
      const answer = await alice.ask('POST', '/account', body)
      if (status !== undefined) expect(answer.status).toBe(status)
      expect(answer.status).toBeLessThan(500)
    }
  })
})

describe('API5 broken function level authorization', () => {
  it('tries every operation with the scope of another, and with a method in disguise', async () => {
    const { as } = await openBank(provider())
    const id = await accountOf(as('alice'), 'alice', 'A-1')
    for (const { method, path } of bank.operations) {
      const url = path.replaceAll(/\{[^}]*\}/g, `${id}`)
      const body = method === 'GET' ? undefined : {}
      const wrong = method === 'GET' ? '*:write audit' : '*:read audit'
      for (const scope of [
        wrong,
        '',
        'account',
        'admin',
        '*',
        'account:*',
        'ACCOUNT:READ ACCOUNT:WRITE TRANSFER:READ TRANSFER:WRITE',
      ]) {
        const answer = await as('alice', scope).ask(method, url, body)
        expect(answer.status, `${method} ${url} with "${scope}"`).toBe(403)
      }
    }
    const reader = as('alice', '*:read')
    for (const headers of [
      { 'x-http-method-override': 'DELETE' },
      { 'x-method-override': 'DELETE' },
      { 'x-http-method': 'DELETE' },
      { 'x-original-url': '/account' },
    ])
      expect((await reader.ask('GET', `/account/${id}?_method=DELETE`, undefined, headers)).status).toBe(400)
    expect((await reader.ask('GET', `/account/${id}`, undefined, { 'x-http-method-override': 'DELETE' })).status).toBe(
      200,
    )
    expect((await reader.get(`/account/${id}`)).status).toBe(200)
  })
})

describe('API6 unrestricted access to sensitive business flows', () => {
  it('tries to win by asking at once: the same number, the same key, the same version', async () => {
    const { as } = await openBank(provider())
    const alice = as('alice')
    const many = <Result>(ask: (at: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: 30 }, (_, at) => ask(at)))
    const count = (answers: readonly { status: number }[], status: number) =>
      answers.filter((one) => one.status === status).length

    const made = await many(() => alice.ask('POST', '/account', { number: 'A-1', owner: 'alice' }))
    expect([count(made, 201), count(made, 409)]).toEqual([1, 29])

    const id = made.find(({ status }) => status === 201)?.body.id
    const path = `/account/${id}/transfer`
    const paid = await many(() => alice.ask('POST', path, { amount: 10 }, { 'idempotency-key': 'once' }))
    expect(count(paid, 201)).toBe(30)
    expect(new Set(paid.map(({ body }) => body.id)).size).toBe(1)
    expect((await alice.ask('POST', path, { amount: 99 }, { 'idempotency-key': 'once' })).status).toBe(422)
    const listed = (await alice.get(path)).body
    expect((listed.results ?? listed).length).toBe(1)

    const tag = (await alice.get(`/account/${id}`)).headers.etag ?? ''
    const changed = await many((at) => alice.ask('PATCH', `/account/${id}`, { balance: at + 1 }, { 'if-match': tag }))
    expect([count(changed, 200), count(changed, 412)]).toEqual([1, 29])
  })
})

describe('API7 server side request forgery', () => {
  it('tries to have the service call an address: in values, headers, targets and tokens', async () => {
    const { issuer } = provider()
    const { as, opened: app } = await openBank(provider())
    const alice = as('alice')
    const { url, heard } = await canary()
    const { host } = new URL(url)
    await alice.ask('POST', '/account', { number: url, owner: 'alice' })
    const id = await accountOf(alice, 'alice', `${url}/x`)
    await alice.ask('POST', `/account/${id}/transfer`, { amount: 1, comment: `<img src="${url}"> file:///etc/passwd` })
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
      await alice.ask('GET', `/account/${id}`, undefined, { [name as string]: value as string })
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
    expect(heard).toEqual([])
  })
})

describe('API8 security misconfiguration', () => {
  it('tries to learn from errors, headers, methods and other origins', async () => {
    const { as, opened: app } = await openBank(provider())
    const alice = as('alice')
    const id = await accountOf(alice, 'alice', 'A-1')
    const failed = await alice.ask('POST', `/account/${id}/transfer`, { amount: 1, comment: 'boom' })
    expect([failed.status, failed.body.code]).toEqual([500, 'internal'])
    const answers = [
      failed,
      await alice.get('/account/%E0%A4%A'),
      await alice.ask('POST', '/account', '{"number": '),
      await alice.ask('POST', '/account', { number: 1, owner: [] }),
      await app.get('/account'),
      await app.get('/nothing/here'),
      await app.ask('TRACE', '/account', undefined, { 'x-secret': 'do-not-echo' }),
      await app.ask('OPTIONS', '/account', undefined, {
        origin: 'http://evil.example',
        'access-control-request-method': 'DELETE',
      }),
      await alice.ask('GET', `/account/${id}`, undefined, { origin: 'http://evil.example' }),
    ]
    for (const { status, headers, text } of answers) {
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
  it('tries what services forget: old versions, consoles, files and notes of their own', async () => {
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

  it('finds every operation in the document, and none there that is not served', async () => {
    const served = bank.operations.map(({ method, path }) => `${method.toLowerCase()} ${path}`).sort()
    const documented = documentsOf(bank).flatMap((document) =>
      Object.entries(document.build().paths as Record<string, object>).flatMap(([path, item]) =>
        Object.keys(item)
          .filter((name) => /^(get|put|post|delete|patch)$/.test(name))
          .map((method) => `${method} ${path}`),
      ),
    )
    expect(documented.sort()).toEqual(served)
    const { as } = await openBank(provider())
    for (const operation of served) {
      const [method = '', path = ''] = operation.split(' ')
      const answer = await as('alice').ask(
        method.toUpperCase(),
        path.replaceAll(/\{[^}]*\}/g, '1'),
        method === 'get' ? undefined : {},
      )
      expect(answer.body?.code, operation).not.toBe('path-not-found')
      expect(answer.status, operation).not.toBe(405)
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
    ['keys that are no list', (_, response) => response.end('{"keys":{"length":1e9}}')],
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
    'tries keys that are %s: nobody is let in, nothing is told, and no room is lost',
    async (_, answer) => {
      const { url } = await canary(answer)
      const app = await opened(bank, {
        auth: { issuer: url, audience, jwksUrl: `${url}/jwks` },
        onFault: () => undefined,
      })
      megabytes = 0
      const token = await signed(claims(url))
      const found = await app.get('/account', { authorization: `Bearer ${token}` })
      expect([401, 503]).toContain(found.status)
      expect(found.text).not.toMatch(inside)
      expect(megabytes).toBeLessThan(30)
      expect((await app.get('/openapi.json')).status).toBe(200)
    },
  )

  it('tries to come from elsewhere by the headers of a proxy that nobody trusts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const accessLog = join(folder, 'access.log')
    const { as, opened: app } = await openBank(provider(), { accessLog })
    const spoofed = {
      'x-forwarded-for': '8.8.8.8',
      forwarded: 'for=8.8.8.8',
      'x-real-ip': '8.8.8.8',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    }
    const made = await as('alice').ask(
      'POST',
      '/account',
      { number: 'A-1', owner: 'alice' },
      { ...spoofed, 'user-agent': 'a" 200 0 "-" "b' },
    )
    expect(made.headers.location).toMatch(/^\/account\/\d+$/)
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
