// Accepted tokens: of the issuer, for this service, and currently valid. All others are rejected with a reason.
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { plugin } from '@nomen/server/fastify'
import { audience, newKey } from '@nomen/testing/openid-provider'
import fc from 'fast-check'
import fastify from 'fastify'
import { importJWK } from 'jose'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { assembled, bearer, claims, firstKey, notes, openNotes, providedOnce, signed } from './issued.ts'
import type { TestService } from './test-service.ts'

const provider = providedOnce()
const shared: { service?: TestService } = {}
beforeEach(async () => {
  shared.service = await openNotes(provider())
})

function getNotes(headers: Record<string, string> = {}, url = '/note') {
  return (shared.service as TestService).get(url, headers)
}

/** Gets the notes with a token that the test has signed. */
async function getNotesWith(payload: Record<string, unknown>, header = {}) {
  return getNotes(bearer(await signed(claims(provider().issuer, payload), header)))
}

async function expectRejected(token: string, ...words: readonly (string | RegExp)[]) {
  const { status, body, headers, text } = await getNotes(bearer(token))
  expect({ status, code: body.code }, text).toEqual({ status: 401, code: 'invalid-token' })
  const challenge = `${headers['www-authenticate']}`
  expect(challenge).toMatch(/^Bearer realm="notes", error="invalid_token", error_description="[^"\\]+"$/)
  for (const word of words) expect(body.detail).toMatch(word)
  expect(body.hint).toMatch(/\S/)
  for (const part of token.split('.').filter((part) => part.length > 8)) {
    expect(text).not.toContain(part)
    expect(challenge).not.toContain(part)
  }
}

describe('a token', () => {
  it('of the provider is accepted', async () => {
    const token = await provider().token({ scope: 'note:read' })
    expect(await getNotes(bearer(token))).toMatchObject({ status: 200 })
    // The second time it is known.
    expect(await getNotes(bearer(token))).toMatchObject({ status: 200 })
  })

  it('is required, and a request without one gets a challenge without an error code', async () => {
    for (const headers of [
      {},
      { authorization: 'Basic dGVzdDp0ZXN0' },
      { authorization: 'Bearer' },
      { authorization: '' },
    ]) {
      const response = await getNotes(headers)
      expect(response).toMatchObject({ status: 401, body: { code: 'token-required' } })
      expect(response.headers['www-authenticate']).toBe('Bearer realm="notes"')
    }
  })

  it('may follow the scheme in upper or lower case, after any number of spaces', async () => {
    const token = await provider().token({ scope: 'note:read' })
    for (const scheme of ['bearer ', 'BEARER ', 'Bearer   '])
      expect(await getNotes({ authorization: scheme + token }), scheme).toMatchObject({ status: 200 })
  })

  it('in the URL is ignored', async () => {
    const token = await provider().token({ scope: 'note:read' })
    const response = await getNotes({}, `/note?access_token=${token}`)
    expect(response).toMatchObject({ status: 401, body: { code: 'token-required' } })
    expect(response.body.detail).toContain('Tokens in the URL')
    expect(response.text).not.toContain(token)
  })

  it('must be in one header, not in two', async () => {
    const { app } = shared.service as TestService
    const address = await app.listen({ port: 0 })
    const token = await provider().token({ scope: 'note:read' })
    const both = [`Bearer ${token}`, 'Bearer another']
    for (const values of [both, [...both].reverse(), [both[0], both[0]]]) {
      const status = await new Promise((resolve, reject) => {
        const sent = request(`${address}/note`, (response) => resolve(response.resume().statusCode))
        for (const value of values) sent.appendHeader('authorization', `${value}`)
        sent.on('error', reject).end()
      })
      expect(status).toBe(400)
    }
  })

  it('is never repeated in full in a message', async () => {
    const long = 'q'.repeat(1000)
    const many = Array.from({ length: 100 }, (_, index) => `https://service${index}.example.com`)
    for (const payload of [{ scope: `${long} ${long}1` }, { aud: long }, { aud: many }]) {
      const { text, status, headers } = await getNotesWith(payload)
      expect([401, 403]).toContain(status)
      for (const shown of [text, `${headers['www-authenticate']}`]) {
        expect(shown).not.toContain('q'.repeat(101))
        expect(shown).not.toContain('service9.')
      }
    }
  })

  it('must have the issuer and the audience', async () => {
    const { issuer } = provider()
    for (const aud of ['https://other.example.com', ['a', 'b'], '', []])
      await expectRejected(await signed(claims(issuer, { aud })), 'not "https://directory.example.com"')
    await expectRejected(
      await provider().token({ scope: 'note:read', audience: 'https://mail.example.com' }),
      /mail\.example/,
    )
    await expectRejected(await signed(claims('https://evil.example.com')), 'issuer "https://evil.example.com"')
    await expectRejected(await signed(claims(`${issuer}/`)), /only tokens from/)
    expect(await getNotesWith({ aud: ['https://other.example.com', 'https://directory.example.com'] })).toMatchObject({
      status: 200,
    })
  })

  it('must be valid now, with a tolerance for clock skew', async () => {
    const { issuer } = provider()
    const now = Math.floor(Date.now() / 1000)
    await expectRejected(await signed(claims(issuer, { exp: now - 60 })), /expired at 20\d\d-.*Z; the time is 20/)
    await expectRejected(await signed(claims(issuer, { nbf: now + 60 })), /not valid before 20/)
    expect(await getNotesWith({ exp: now - 10, nbf: now + 10 })).toMatchObject({ status: 200 })
    shared.service = await openNotes(provider(), { clockSkewSeconds: 0 })
    await expectRejected(await signed(claims(issuer, { exp: now - 10 })), 'expired')
  })

  it.each(['iss', 'aud', 'exp'])('must have %s', async (claim) => {
    await expectRejected(await signed(claims(provider().issuer, { [claim]: undefined })), /no/)
  })

  it.each([{ exp: '9999999999' }, { nbf: '1' }, { aud: 7 }])(
    'must have claims of the right type, not %o',
    async (wrong) => {
      await expectRejected(await signed(claims(provider().issuer, wrong)))
    },
  )

  it.each([[undefined], [''], [7], [['tester']]])(
    'identifies the user by a string in "sub", not by %j',
    async (sub) => {
      const token = await signed(claims(provider().issuer, { sub, preferred_username: 'tester' }))
      await expectRejected(token, 'The claim "sub", which identifies the user, is missing or not a string.')
    },
  )

  it('identifies the user by at most 255 characters', async () => {
    expect(await getNotesWith({ sub: 'x'.repeat(255) })).toMatchObject({ status: 200 })
    const token = await signed(claims(provider().issuer, { sub: 'x'.repeat(256) }))
    await expectRejected(token, 'The claim "sub" of the token has 256 characters; the limit is 255.')
  })

  it('may have at most 8192 characters', async () => {
    await expectRejected(await signed(claims(provider().issuer, { more: 'x'.repeat(9000) })), /the limit is 8192/)
  })

  it('must be an access token without unknown critical headers', async () => {
    const good = claims(provider().issuer)
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt'])
      await expectRejected(await signed(good, { typ }), typ.slice(0, 4))
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt', 'AT+JWT'])
      expect(await getNotesWith({}, { typ })).toMatchObject({ status: 200 })
    await expectRejected(await signed({ ...good, cnf: { jkt: 'x' } }), 'Sender-constrained')
    await expectRejected(await signed(good, { b64: true, crit: ['b64'] }), 'crit')
    const unknown = (await signed(good)).split('.')
    await expectRejected(assembled({ alg: 'RS256', kid: 'first', crit: ['exp'], exp: 1 }, good, unknown[2]))
  })

  it.each(['x', 'a.b', 'a.b.c', '..', 'e30.e30.', 'not-a-jwt-at-all'])('must be a JWT, not %s', (text) =>
    expectRejected(text),
  )
})

describe('an attack', () => {
  it.each(['none', 'None', 'NONE', 'nOnE', ''])('with an unsigned token is rejected: alg %s', async (alg) => {
    await expectRejected(assembled({ alg, kid: firstKey.kid }, claims(provider().issuer)))
    await expectRejected(assembled({ alg }, claims(provider().issuer), 'AAAA'))
  })

  it.each(['HS256', 'HS384', 'HS512'])('with the public key as a secret is rejected: %s', async (alg) => {
    const { d: _, p, q, dp, dq, qi, ...jwk } = firstKey as Record<string, unknown>
    expect([p, q, dp, dq, qi]).not.toContain(undefined)
    const key = createPublicKey({ key: jwk as never, format: 'jwk' })
    const secrets = [
      key.export({ format: 'pem', type: 'spki' }),
      key.export({ format: 'der', type: 'spki' }),
      JSON.stringify(jwk),
      `${jwk.n}`,
    ]
    for (const secret of secrets)
      await expectRejected(await signed(claims(provider().issuer), { alg }, Buffer.from(secret)), 'signature algorithm')
  })

  it('with another key of the same key ID is rejected', async () => {
    const other = await importJWK({ ...newKey('RS256', firstKey.kid) }, 'RS256')
    await expectRejected(await signed(claims(provider().issuer), {}, other as never), 'signature')
  })

  it('with a key in the token itself is rejected, in every header', async () => {
    const key = newKey('RS256', 'mine')
    const { d: _, p, q, dp, dq, qi, ...jwk } = key as Record<string, unknown>
    expect([p, q, dp, dq, qi]).not.toContain(undefined)
    const requests: string[] = []
    const evil = createServer((from, response) => {
      requests.push(`${from.url}`)
      response.end(JSON.stringify({ keys: [jwk] }))
    }).listen(0, '127.0.0.1')
    await once(evil, 'listening')
    const url = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/keys`
    const own = (await importJWK({ ...key } as never, 'RS256')) as never
    for (const kid of ['mine', firstKey.kid])
      for (const more of [{ jwk }, { jku: url }, { x5u: url }, { x5c: ['AAAA'] }, { jku: url, jwk, x5u: url }])
        await expectRejected(await signed(claims(provider().issuer), { kid, ...more } as never, own))
    expect(requests).toEqual([])
    evil.close()
  })

  it('with a signature algorithm that does not match the key is rejected', async () => {
    const ec = (await importJWK({ ...newKey('ES256', firstKey.kid) }, 'ES256')) as never
    await expectRejected(await signed(claims(provider().issuer), { alg: 'ES256' }, ec))
    const { alg: _, ...anyUse } = firstKey
    const rsa = (await importJWK({ ...anyUse } as never, 'PS256')) as never
    await expectRejected(await signed(claims(provider().issuer), { alg: 'PS256' }, rsa))
  })

  it('with a signature algorithm that is not allowed is rejected', async () => {
    shared.service = await openNotes(provider(), { algorithms: ['ES256', 'EdDSA'] })
    await expectRejected(
      await provider().token({ scope: 'note:read' }),
      'signature algorithm of the token is not accepted',
    )
  })

  it('with a modified token is always rejected', async () => {
    const token = await provider().token({ scope: 'note:read' })
    // The last character of each part holds bits that mean nothing; what is the same token to everyone may be let in.
    const bytes = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'))
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.integer({ min: 1, max: 127 }), async (at, flipped) => {
        const changed = String.fromCharCode(token.charCodeAt(at) ^ flipped)
        const other = token.slice(0, at) + changed + token.slice(at + 1)
        fc.pre(/^[\x21-\x7e]+$/.test(other) && `${bytes(other)}` !== `${bytes(token)}`)
        expect((await getNotes(bearer(other))).status, other).toBe(401)
      }),
      { numRuns: 400 },
    )
  })

  it('with parts of two valid tokens is rejected', async () => {
    const [first, second] = await Promise.all(['note:read', 'note:write'].map((scope) => provider().token({ scope })))
    const [a = [], b = []] = [first, second].map((token) => `${token}`.split('.'))
    await expectRejected([a[0], b[1], a[2]].join('.'), 'signature')
    await expectRejected([a[0], a[1], b[2]].join('.'), 'signature')
    await expectRejected(`${first}.${a[2]}`)
  })
})

describe('scopes', () => {
  it.each([
    ['GET', '/note', 'note:read', 'note:write', 200],
    ['HEAD', '/note', 'note:read', 'note:write', 200],
    ['POST', '/note', 'note:write note:read', 'note:read', 201],
    ['POST', '/note', 'note:write note:read', 'note:write', 201],
    ['GET', '/user', 'user:read', 'note:read', 200],
  ])('%s %s requires %s', async (method, url, scope, another, status) => {
    const { send } = shared.service as TestService
    const body = method === 'POST' ? { title: 'x', about: null } : undefined
    const ofAll = (scopes: string) => scopes.replaceAll(/[^ ]+:/g, '*:')
    for (const granted of [scope, ofAll(scope), `x ${scope} y`]) {
      const token = await signed(claims(provider().issuer, { scope: granted }))
      expect(await send(method, url, body, bearer(token)), granted).toMatchObject({ status })
    }
    for (const granted of [another, ofAll(another), '', 'note', '*', `${scope}x`].filter(
      (scopes) => scopes !== ofAll(scope),
    )) {
      const response = await send(
        method,
        url,
        body,
        bearer(await signed(claims(provider().issuer, { scope: granted }))),
      )
      expect(response, granted).toMatchObject({ status: 403 })
      expect(response.headers['www-authenticate']).toMatch(
        new RegExp(`^Bearer realm="notes", error="insufficient_scope", .*scope="${scope}"$`),
      )
      if (method !== 'HEAD') expect(response.body).toMatchObject({ code: 'insufficient-scope' })
    }
  })

  it.each([{ scp: ['note:read'] }, { scp: 'user:read note:read' }, { scope: 'user:read', scp: ['note:read'] }])(
    'may be in %o',
    async (scopeClaims) => {
      expect(await getNotesWith({ scope: undefined, ...scopeClaims })).toMatchObject({ status: 200 })
    },
  )

  it.each([
    { scope: ['note:read', 7] },
    { scope: undefined, scp: { note: 'read' } },
    { scope: true },
    { scope: undefined },
  ])('of another form are ignored: %o', async (scopeClaims) => {
    const { status } = await getNotesWith(scopeClaims)
    expect(status).toBe(Array.isArray(scopeClaims.scope) ? 200 : 403)
  })

  it('are checked before the record, so that its existence is not revealed', async () => {
    const { send } = shared.service as TestService
    const token = bearer(await signed(claims(provider().issuer, { scope: 'user:read' })))
    const responses = await Promise.all(
      ['/note/1', '/note/x', '/note?nothing=1'].map((url) => send('GET', url, undefined, token)),
    )
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await send('POST', '/note', '{', token)).toMatchObject({ status: 403 })
    expect(await send('POST', '/note', '{')).toMatchObject({ status: 401 })
  })
})

describe('without authentication', () => {
  it.each([
    ['GET', '/openapi.json', 200],
    ['OPTIONS', '/note', 204],
    ['GET', '/nothing', 404],
    ['DELETE', '/note', 405],
  ])('%s %s needs no token', async (method, url, status) => {
    expect(await (shared.service as TestService).send(method, url)).toMatchObject({ status })
  })

  it('the document names the issuer and the scope of every operation', async () => {
    const { body } = await getNotes({}, '/openapi.json')
    expect(body.components.securitySchemes.bearer).toMatchObject({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
    })
    expect(body.components.securitySchemes.bearer.description).toContain(provider().issuer)
    expect(body.components.securitySchemes.openId).toMatchObject({
      type: 'openIdConnect',
      openIdConnectUrl: `${provider().issuer}/.well-known/openid-configuration`,
    })
    expect((await fetch(body.components.securitySchemes.openId.openIdConnectUrl)).status).toBe(200)
    expect(body.paths['/note/{id}'].patch.security).toEqual([
      { bearer: ['note:write', 'note:read'] },
      { openId: ['note:write', 'note:read'] },
    ])
  })
})

describe('mounted in an application', () => {
  it('its operations require a token, and other paths belong to the application', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    app.get('/own', () => ({ isOwn: true }))
    const auth = { issuer: provider().issuer, audience }
    const settings = { database: 'sqlite::memory:', auth, publicUrl: 'https://api.example.com/all/' }
    await app.register(plugin(notes, settings), { prefix: '/notes' })
    const statusOf = async (url: string, headers = {}) => (await app.inject({ url, headers })).statusCode
    const token = bearer(await provider().token({ scope: 'note:read' }))
    expect([await statusOf('/own'), await statusOf('/notes/openapi.json')]).toEqual([200, 200])
    expect([await statusOf('/notes/note'), await statusOf('/notes/user', token)]).toEqual([401, 403])
    expect([await statusOf('/notes/note', token), await statusOf('/notes/note', token)]).toEqual([200, 200])
    const document = (await app.inject('/notes/openapi.json')).json()
    expect(document.servers).toEqual([{ url: 'https://api.example.com/all/notes' }])
  })
})
