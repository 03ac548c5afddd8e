// Which tokens are accepted: those that the issuer has made, for this service, for now. All others are refused with a reason.
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
import { assembled, bearer, claims, firstKey, notes, openedNotes, providedOnce, signed } from './issued.ts'
import type { Opened } from './opened.ts'

const provider = providedOnce()
const held: { service?: Opened } = {}
beforeEach(async () => {
  held.service = await openedNotes(provider())
})

function ask(headers: Record<string, string> = {}, url = '/note') {
  return (held.service as Opened).get(url, headers)
}

/** Asks with a token of our own making. */
async function askWith(payload: Record<string, unknown>, header = {}) {
  return ask(bearer(await signed(claims(provider().issuer, payload), header)))
}

async function expectRefused(token: string, ...words: readonly (string | RegExp)[]) {
  const { status, body, headers, text } = await ask(bearer(token))
  expect({ status, code: body.code }, text).toEqual({ status: 401, code: 'invalid-token' })
  const challenge = `${headers['www-authenticate']}`
  expect(challenge).toMatch(/^Bearer realm="notes", error="invalid_token", error_description="[^"\\]+"$/)
  for (const word of words) expect(body.detail).toMatch(word)
  expect(body.hint).toMatch(/\S/)
  for (const part of token.split('.').filter((one) => one.length > 8)) {
    expect(text).not.toContain(part)
    expect(challenge).not.toContain(part)
  }
}

describe('a token', () => {
  it('of the provider is accepted', async () => {
    const token = await provider().token({ scope: 'note:read' })
    expect(await ask(bearer(token))).toMatchObject({ status: 200 })
    // The second time it is known.
    expect(await ask(bearer(token))).toMatchObject({ status: 200 })
  })

  it('is demanded, without a word of error where there is none', async () => {
    for (const headers of [
      {},
      { authorization: 'Basic dGVzdDp0ZXN0' },
      { authorization: 'Bearer' },
      { authorization: '' },
    ]) {
      const answer = await ask(headers)
      expect(answer).toMatchObject({ status: 401, body: { code: 'token-required' } })
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="notes"')
    }
  })

  it('may follow the scheme in any case, after any number of spaces', async () => {
    const token = await provider().token({ scope: 'note:read' })
    for (const scheme of ['bearer ', 'BEARER ', 'Bearer   '])
      expect(await ask({ authorization: scheme + token }), scheme).toMatchObject({ status: 200 })
  })

  it('in the address is not read', async () => {
    const token = await provider().token({ scope: 'note:read' })
    const answer = await ask({}, `/note?access_token=${token}`)
    expect(answer).toMatchObject({ status: 401, body: { code: 'token-required' } })
    expect(answer.body.detail).toContain('address')
    expect(answer.text).not.toContain(token)
  })

  it('stands in one header, not in two', async () => {
    const { app } = held.service as Opened
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

  it('is repeated in no message at length', async () => {
    const long = 'q'.repeat(1000)
    const many = Array.from({ length: 100 }, (_, index) => `https://service${index}.example.com`)
    for (const payload of [{ scope: `${long} ${long}1` }, { aud: long }, { aud: many }]) {
      const { text, status, headers } = await askWith(payload)
      expect([401, 403]).toContain(status)
      for (const shown of [text, `${headers['www-authenticate']}`]) {
        expect(shown).not.toContain('q'.repeat(101))
        expect(shown).not.toContain('service9.')
      }
    }
  })

  it('is of the issuer, for the audience', async () => {
    const { issuer } = provider()
    for (const aud of ['https://other.example.com', ['a', 'b'], '', []])
      await expectRefused(await signed(claims(issuer, { aud })), 'not for "https://directory.example.com"')
    await expectRefused(
      await provider().token({ scope: 'note:read', audience: 'https://mail.example.com' }),
      /mail\.example/,
    )
    await expectRefused(await signed(claims('https://evil.example.com')), 'issuer "https://evil.example.com"')
    await expectRefused(await signed(claims(`${issuer}/`)), /only those of/)
    expect(await askWith({ aud: ['https://other.example.com', 'https://directory.example.com'] })).toMatchObject({
      status: 200,
    })
  })

  it('has begun, and has not ended, but for a little difference of the clocks', async () => {
    const { issuer } = provider()
    const now = Math.floor(Date.now() / 1000)
    await expectRefused(await signed(claims(issuer, { exp: now - 60 })), /expired at 20\d\d-.*Z; it is 20/)
    await expectRefused(await signed(claims(issuer, { nbf: now + 60 })), /good from 20/)
    expect(await askWith({ exp: now - 10, nbf: now + 10 })).toMatchObject({ status: 200 })
    held.service = await openedNotes(provider(), { clockSkew: 0 })
    await expectRefused(await signed(claims(issuer, { exp: now - 10 })), 'expired')
  })

  it.each(['iss', 'aud', 'exp'])('has %s', async (claim) => {
    await expectRefused(await signed(claims(provider().issuer, { [claim]: undefined })), /no/)
  })

  it.each([{ exp: '9999999999' }, { nbf: '1' }, { aud: 7 }])('has claims of the right kind, not %o', async (wrong) => {
    await expectRefused(await signed(claims(provider().issuer, wrong)))
  })

  it.each([[undefined], [''], [7], [['tester']]])('identifies the user by a text in "sub", not by %j', async (sub) => {
    const token = await signed(claims(provider().issuer, { sub, preferred_username: 'tester' }))
    await expectRefused(token, 'no text in "sub", which identifies the user')
  })

  it('identifies the user by at most 255 characters', async () => {
    expect(await askWith({ sub: 'x'.repeat(255) })).toMatchObject({ status: 200 })
    const token = await signed(claims(provider().issuer, { sub: 'x'.repeat(256) }))
    await expectRefused(token, 'The "sub" of the token has 256 characters, and at most 255 are accepted.')
  })

  it('has at most 8192 characters', async () => {
    await expectRefused(await signed(claims(provider().issuer, { more: 'x'.repeat(9000) })), /at most 8192/)
  })

  it('is an access token, and nothing that it could not be without being understood', async () => {
    const good = claims(provider().issuer)
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt'])
      await expectRefused(await signed(good, { typ }), typ.slice(0, 4))
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt', 'AT+JWT'])
      expect(await askWith({}, { typ })).toMatchObject({ status: 200 })
    await expectRefused(await signed({ ...good, cnf: { jkt: 'x' } }), 'bound')
    await expectRefused(await signed(good, { b64: true, crit: ['b64'] }), 'crit')
    const unknown = (await signed(good)).split('.')
    await expectRefused(assembled({ alg: 'RS256', kid: 'first', crit: ['exp'], exp: 1 }, good, unknown[2]))
  })

  it.each(['x', 'a.b', 'a.b.c', '..', 'e30.e30.', 'not-a-jwt-at-all'])('is a JWT, not %s', (text) =>
    expectRefused(text),
  )
})

describe('an attack', () => {
  it.each(['none', 'None', 'NONE', 'nOnE', ''])('by a token that is not signed is refused: alg %s', async (alg) => {
    await expectRefused(assembled({ alg, kid: firstKey.kid }, claims(provider().issuer)))
    await expectRefused(assembled({ alg }, claims(provider().issuer), 'AAAA'))
  })

  it.each(['HS256', 'HS384', 'HS512'])('by the public key as a secret is refused: %s', async (alg) => {
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
      await expectRefused(await signed(claims(provider().issuer), { alg }, Buffer.from(secret)), 'signed')
  })

  it('by another key under the same name is refused', async () => {
    const other = await importJWK({ ...newKey('RS256', firstKey.kid) }, 'RS256')
    await expectRefused(await signed(claims(provider().issuer), {}, other as never), 'signature')
  })

  it('by a key that the token brings itself is refused, whatever brings it', async () => {
    const key = newKey('RS256', 'mine')
    const { d: _, p, q, dp, dq, qi, ...jwk } = key as Record<string, unknown>
    expect([p, q, dp, dq, qi]).not.toContain(undefined)
    const asked: string[] = []
    const evil = createServer((from, response) => {
      asked.push(`${from.url}`)
      response.end(JSON.stringify({ keys: [jwk] }))
    }).listen(0, '127.0.0.1')
    await once(evil, 'listening')
    const url = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/keys`
    const own = (await importJWK({ ...key } as never, 'RS256')) as never
    for (const kid of ['mine', firstKey.kid])
      for (const more of [{ jwk }, { jku: url }, { x5u: url }, { x5c: ['AAAA'] }, { jku: url, jwk, x5u: url }])
        await expectRefused(await signed(claims(provider().issuer), { kid, ...more } as never, own))
    expect(asked).toEqual([])
    evil.close()
  })

  it('by a signature of another kind than the key is for is refused', async () => {
    const ec = (await importJWK({ ...newKey('ES256', firstKey.kid) }, 'ES256')) as never
    await expectRefused(await signed(claims(provider().issuer), { alg: 'ES256' }, ec))
    const { alg: _, ...anyUse } = firstKey
    const rsa = (await importJWK({ ...anyUse } as never, 'PS256')) as never
    await expectRefused(await signed(claims(provider().issuer), { alg: 'PS256' }, rsa))
  })

  it('by a signature that is not on the list is refused', async () => {
    held.service = await openedNotes(provider(), { algorithms: ['ES256', 'EdDSA'] })
    await expectRefused(await provider().token({ scope: 'note:read' }), 'not signed in a way')
  })

  it('by a changed token is never let in', async () => {
    const token = await provider().token({ scope: 'note:read' })
    // The last character of each part holds bits that mean nothing; what is the same token to everyone may be let in.
    const bytes = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'))
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.integer({ min: 1, max: 127 }), async (at, flipped) => {
        const changed = String.fromCharCode(token.charCodeAt(at) ^ flipped)
        const other = token.slice(0, at) + changed + token.slice(at + 1)
        fc.pre(/^[\x21-\x7e]+$/.test(other) && `${bytes(other)}` !== `${bytes(token)}`)
        expect((await ask(bearer(other))).status, other).toBe(401)
      }),
      { numRuns: 400 },
    )
  })

  it('by parts of two good tokens is refused', async () => {
    const [one, other] = await Promise.all(['note:read', 'note:write'].map((scope) => provider().token({ scope })))
    const [a = [], b = []] = [one, other].map((token) => `${token}`.split('.'))
    await expectRefused([a[0], b[1], a[2]].join('.'), 'signature')
    await expectRefused([a[0], a[1], b[2]].join('.'), 'signature')
    await expectRefused(`${one}.${a[2]}`)
  })
})

describe('scopes', () => {
  it.each([
    ['GET', '/note', 'note:read', 'note:write', 200],
    ['HEAD', '/note', 'note:read', 'note:write', 200],
    ['POST', '/note', 'note:write note:read', 'note:read', 201],
    ['POST', '/note', 'note:write note:read', 'note:write', 201],
    ['GET', '/user', 'user:read', 'note:read', 200],
  ])('%s %s takes %s', async (method, url, scope, another, status) => {
    const { ask } = held.service as Opened
    const body = method === 'POST' ? { title: 'x', about: null } : undefined
    const ofAll = (one: string) => one.replaceAll(/[^ ]+:/g, '*:')
    for (const given of [scope, ofAll(scope), `x ${scope} y`]) {
      const token = await signed(claims(provider().issuer, { scope: given }))
      expect(await ask(method, url, body, bearer(token)), given).toMatchObject({ status })
    }
    for (const given of [another, ofAll(another), '', 'note', '*', `${scope}x`].filter((one) => one !== ofAll(scope))) {
      const answer = await ask(method, url, body, bearer(await signed(claims(provider().issuer, { scope: given }))))
      expect(answer, given).toMatchObject({ status: 403 })
      expect(answer.headers['www-authenticate']).toMatch(
        new RegExp(`^Bearer realm="notes", error="insufficient_scope", .*scope="${scope}"$`),
      )
      if (method !== 'HEAD') expect(answer.body).toMatchObject({ code: 'insufficient-scope' })
    }
  })

  it.each([{ scp: ['note:read'] }, { scp: 'user:read note:read' }, { scope: 'user:read', scp: ['note:read'] }])(
    'may stand in %o',
    async (given) => {
      expect(await askWith({ scope: undefined, ...given })).toMatchObject({ status: 200 })
    },
  )

  it.each([
    { scope: ['note:read', 7] },
    { scope: undefined, scp: { note: 'read' } },
    { scope: true },
    { scope: undefined },
  ])('of another form do no harm: %o', async (given) => {
    const { status } = await askWith(given)
    expect(status).toBe(Array.isArray(given.scope) ? 200 : 403)
  })

  it('count before the record: nobody learns without them whether it is there', async () => {
    const { ask } = held.service as Opened
    const token = bearer(await signed(claims(provider().issuer, { scope: 'user:read' })))
    const answers = await Promise.all(
      ['/note/1', '/note/x', '/note?nothing=1'].map((url) => ask('GET', url, undefined, token)),
    )
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await ask('POST', '/note', '{', token)).toMatchObject({ status: 403 })
    expect(await ask('POST', '/note', '{')).toMatchObject({ status: 401 })
  })
})

describe('what is public', () => {
  it.each([
    ['GET', '/openapi.json', 200],
    ['OPTIONS', '/note', 204],
    ['GET', '/nothing', 404],
    ['DELETE', '/note', 405],
  ])('%s %s needs no token', async (method, url, status) => {
    expect(await (held.service as Opened).ask(method, url)).toMatchObject({ status })
  })

  it('is the document, which names the issuer and the scope of every operation', async () => {
    const { body } = await ask({}, '/openapi.json')
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

describe('mounted into an application', () => {
  it('its operations take a token, and all else is the application’s', async () => {
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
