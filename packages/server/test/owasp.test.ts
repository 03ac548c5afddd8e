// Attacks of the OWASP API Security Top 10 of 2023. None may succeed.
import { describe, expect, it } from 'vitest'
import { bank, openBank } from './attacked.ts'
import { assembled, claims, firstKey, providedOnce, signed } from './issued.ts'
import { accountOf, inside } from './owasp-setup.ts'

const provider = providedOnce()

describe('API1 broken object level authorization', () => {
  it('tries the record of another caller by every path, filter, order and reference', async () => {
    const { as } = await openBank(provider())
    const [alice, mallory] = [as('alice'), as('mallory')]
    const id = await accountOf(alice, 'alice', 'A-1')
    const own = await accountOf(mallory, 'mallory', 'M-1')
    const transfer = (await alice.send('POST', `/account/${id}/transfer`, { amount: 5 })).body.id
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
      const response = await mallory.send(method, path, body)
      // the same as for a missing record
      expect([response.status, response.body.code], `${method} ${path}`).toEqual([404, missing.body.code])
      expect(response.text).not.toContain('alice')
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
    // guessing does not help either: a conflict reveals nothing of the other record, and an ETag gives no access
    const conflict = await mallory.send('POST', '/account', { number: 'A-1', owner: 'mallory' })
    expect(conflict.text).not.toContain('alice')
    const tag = (await alice.get(`/account/${id}`)).headers.etag ?? ''
    expect((await mallory.send('GET', `/account/${id}`, undefined, { 'if-none-match': tag })).status).toBe(404)
    expect((await alice.get(`/account/${id}`)).body).toMatchObject({ owner: 'alice', balance: 0 })
    expect((await alice.get(`/account/${id}/transfer/${transfer}`)).body).toMatchObject({ amount: 5 })
  })

  it('tries to give a record to another caller, or to create one in the name of another', async () => {
    const { as } = await openBank(provider())
    const [alice, mallory] = [as('alice'), as('mallory')]
    const own = await accountOf(mallory, 'mallory', 'M-1')
    for (const response of [
      await mallory.send('POST', '/account', { number: 'A-2', owner: 'alice' }),
      await mallory.send('PATCH', `/account/${own}`, { owner: 'alice' }),
    ])
      expect(response.status).toBeGreaterThanOrEqual(400)
    expect((await alice.get('/account')).body.results).toEqual([])
    expect((await mallory.get(`/account/${own}`)).body.owner).toBe('mallory')
  })
})

describe('API2 broken authentication', () => {
  it('tries every operation without a token, and with forged, expired or foreign tokens', async () => {
    const { issuer } = provider()
    const { app } = await openBank(provider())
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
    const credentials = [
      {},
      ...tokens.map((token) => ({ authorization: `Bearer ${token}` })),
      { authorization: 'Basic YWRtaW46YWRtaW4=' },
      { cookie: `token=${header}.${payload}.${signature}` },
    ]
    for (const { method, path } of bank.operations)
      for (const headers of credentials) {
        const url = path.replaceAll(/\{[^}]*\}/g, '1')
        const response = await app.send(method, url, method === 'GET' ? undefined : {}, headers)
        expect(response.status, `${method} ${url} ${JSON.stringify(headers)}`).toBe(401)
        expect(response.headers['www-authenticate']).toMatch(/^Bearer/)
        expect(response.text).not.toMatch(inside)
        if (signature !== '') expect(response.text).not.toContain(signature)
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
      expect((await alice.send(method, `/account/${id}`, body)).status, JSON.stringify(body)).toBe(400)
    expect((await alice.send('POST', '/account', { number: 'A-2', owner: 'alice', score: 850 })).status).toBe(400)
    for (const url of ['/account', `/account/${id}`, '/account/by-number/A-1', '/openapi.json'])
      expect((await alice.get(url)).text).not.toMatch(/"score"/)
  })

  it('tries to set fields that the service manages', async () => {
    const { as } = await openBank(provider())
    const alice = as('alice')
    const id = await accountOf(alice, 'alice', 'A-1')
    const { changed } = (await alice.get(`/account/${id}`)).body
    expect((await alice.send('PATCH', `/account/${id}`, { id: 999 })).status).toBe(409)
    const response = await alice.send('PATCH', `/account/${id}`, { changed: '1999-01-01T00:00:00.000Z' })
    if (response.status === 200) expect(Date.parse(response.body.changed)).toBeGreaterThanOrEqual(Date.parse(changed))
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
      const response = await alice.get(url)
      expect(statuses, `${url.slice(0, 60)} ${response.text.slice(0, 200)}`).toContain(response.status)
      expect(response.text.length).toBeLessThan(100_000)
    }
    for (const [body, status] of [
      [{ number: 'x'.repeat(2_000_000), owner: 'alice' }, 413],
      [`{"number":${nested},"owner":"alice"}`, 400],
      [`{${'"number":"1",'.repeat(50_000)}"owner":"alice"}`, undefined],
    ] as const) {
      const response = await alice.send('POST', '/account', body)
      if (status !== undefined) expect(response.status).toBe(status)
      expect(response.status).toBeLessThan(500)
    }
  })
})

describe('API5 broken function level authorization', () => {
  it('tries every operation with the scope of another one, and with an overridden method', async () => {
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
        const response = await as('alice', scope).send(method, url, body)
        expect(response.status, `${method} ${url} with "${scope}"`).toBe(403)
      }
    }
    const reader = as('alice', '*:read')
    for (const headers of [
      { 'x-http-method-override': 'DELETE' },
      { 'x-method-override': 'DELETE' },
      { 'x-http-method': 'DELETE' },
      { 'x-original-url': '/account' },
    ])
      expect((await reader.send('GET', `/account/${id}?_method=DELETE`, undefined, headers)).status).toBe(400)
    expect((await reader.send('GET', `/account/${id}`, undefined, { 'x-http-method-override': 'DELETE' })).status).toBe(
      200,
    )
    expect((await reader.get(`/account/${id}`)).status).toBe(200)
  })
})
