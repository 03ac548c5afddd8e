// The keys of the issuer: fetched when needed and when they change, and kept while the issuer is unreachable.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { newKey } from '@nomen/testing/openid-provider'
import { importJWK } from 'jose'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { bearer, claims, firstKey, notes, openNotes, providedOnce, signed } from './issued.ts'
import { openService } from './test-service.ts'

const provider = providedOnce()

beforeEach(() => {
  // Only the clock is fake: timers are real.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  provider().useKeys(firstKey)
})
afterEach(() => vi.useRealTimers())

const second = 1000
const minute = 60 * second

function pass(time: number): void {
  vi.advanceTimersByTime(time)
}

/** The service, its reports, and how often it fetched keys. */
async function watched(settings = {}) {
  const messages: string[] = []
  const before = provider().numberOfKeyRequests
  const service = await openNotes(provider(), settings, { onFault: (message) => messages.push(message) })
  await expect.poll(() => provider().numberOfKeyRequests).toBe(before + 1)
  const statusWith = async (token: string) => (await service.get('/note', bearer(token))).status
  return { ...service, messages, statusWith, keyRequests: () => provider().numberOfKeyRequests - before }
}

const read = { scope: 'note:read' }

describe('the keys of the issuer', () => {
  it('are fetched at start, once for all waiting requests', async () => {
    const { statusWith, keyRequests } = await watched()
    const tokens = await Promise.all(Array.from({ length: 5 }, () => provider().token(read)))
    expect(await Promise.all(tokens.map(statusWith))).toEqual([200, 200, 200, 200, 200])
    expect(keyRequests()).toBe(1)
  })

  it('are fetched from the configured URL', async () => {
    const { statusWith } = await watched({ jwksUrl: `${provider().issuer}/jwks` })
    expect(await statusWith(await provider().token(read))).toBe(200)
  })

  it('are fetched again for an unknown key, so that they can rotate at any time', async () => {
    const { statusWith, keyRequests } = await watched()
    const old = await provider().token(read)
    expect(await statusWith(old)).toBe(200)
    const next = newKey('ES256')
    provider().useKeys(next, firstKey)
    pass(11 * second)
    expect(await statusWith(await provider().token(read))).toBe(200)
    expect(await statusWith(old)).toBe(200)
    expect(keyRequests()).toBe(2)
  })

  it('may be of every accepted type', async () => {
    provider().useKeys(firstKey, newKey('PS256'), newKey('ES256'), newKey('EdDSA'))
    const { statusWith } = await watched()
    for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'])
      expect(await statusWith(await provider().token({ ...read, alg })), alg).toBe(200)
  })

  it('are not fetched for every token with an unknown key', async () => {
    const { statusWith, keyRequests } = await watched()
    const strange = (await importJWK({ ...newKey('RS256') }, 'RS256')) as never
    for (let round = 0; round < 3; round++) {
      const tokens = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          signed(claims(provider().issuer), { kid: `${round} ${index}` }, strange),
        ),
      )
      for (const token of tokens) expect(await statusWith(token)).toBe(401)
      pass(11 * second)
    }
    expect(keyRequests()).toBe(3)
  })

  it('may be several for a token without a key ID', async () => {
    provider().useKeys(newKey('RS256'), firstKey, newKey('RS256'))
    const { statusWith } = await watched()
    expect(await statusWith(await signed(claims(provider().issuer), { kid: undefined } as never))).toBe(200)
    const strange = (await importJWK({ ...newKey('RS256') }, 'RS256')) as never
    expect(await statusWith(await signed(claims(provider().issuer), { kid: undefined } as never, strange))).toBe(401)
  })

  it('that are revoked are rejected once that is known, also for tokens that were accepted before', async () => {
    const { statusWith } = await watched()
    const old = await provider().token(read)
    expect(await statusWith(old)).toBe(200)
    provider().useKeys(newKey('RS256', 'next'))
    expect(await statusWith(old)).toBe(200)
    pass(11 * second)
    expect(await statusWith(await provider().token(read))).toBe(200)
    expect(await statusWith(old)).toBe(401)
  })

  it('are fetched again when they are old', async () => {
    const { statusWith, keyRequests } = await watched()
    expect(await statusWith(await provider().token(read))).toBe(200)
    provider().useKeys(newKey('RS256', 'next'))
    pass(9 * minute)
    expect(await statusWith(await signed(claims(provider().issuer)))).toBe(200)
    pass(2 * minute)
    expect(await statusWith(await signed(claims(provider().issuer, { more: 1 })))).toBe(401)
    expect(keyRequests()).toBe(2)
  })
})

describe('while the issuer is unreachable', () => {
  it('a service without keys responds with 503, and recovers when the issuer is back', async () => {
    const token = await provider().token(read)
    await provider().stopListening()
    const messages: string[] = []
    const { get } = await openNotes(provider(), {}, { onFault: (message) => messages.push(message) })
    const away = await get('/note', bearer(token))
    await provider().resumeListening()
    expect(away).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(away.headers['retry-after']).toBe('1')
    expect(away.body.detail).toContain(provider().issuer)
    pass(2 * second)
    expect(await get('/note', bearer(token))).toMatchObject({ status: 200 })
    expect(messages).toEqual([expect.stringContaining('cannot be fetched'), expect.stringContaining('again')])
  })

  it('the start reports it with the reason, and so does /health/ready until it is back', async () => {
    await provider().stopListening()
    const reported: [string, unknown][] = []
    const { get } = await openNotes(provider(), {}, { onFault: (message, error) => reported.push([message, error]) })
    await expect.poll(() => reported.length).toBe(1)
    const ready = await get('/health/ready')
    await provider().resumeListening()
    const [[message, error] = []] = reported
    expect(message).toBe(
      `The keys of ${provider().issuer} cannot be fetched. Until they are fetched, requests with a token get 503.`,
    )
    expect((error as { cause?: unknown }).cause).toMatchObject({ code: 'ECONNREFUSED' })
    expect([ready.status, ready.body.parts.issuer]).toEqual([
      200,
      { status: 'degraded', detail: 'The keys of the token issuer cannot be fetched. Requests with a token get 503.' },
    ])
    pass(2 * second)
    await expect
      .poll(async () => {
        pass(2 * second)
        return (await get('/health/ready')).body.parts.issuer
      })
      .toEqual({ status: 'ok' })
  })

  it('requests without a token are rejected as usual', async () => {
    const { get } = await watched()
    await provider().stopListening()
    const response = await get('/note')
    await provider().resumeListening()
    expect(response).toMatchObject({ status: 401 })
  })

  it('the known keys are still used, however old, and the outage is reported once', async () => {
    const { statusWith, messages } = await watched()
    expect(await statusWith(await provider().token(read))).toBe(200)
    await provider().stopListening()
    const statuses: number[] = []
    for (const time of [second, 11 * minute, 61 * minute, 24 * 60 * minute]) {
      pass(time)
      statuses.push(await statusWith(await signed(claims(provider().issuer))))
    }
    await provider().resumeListening()
    expect(statuses).toEqual([200, 200, 200, 200])
    expect(messages).toEqual([expect.stringContaining('The service continues with the cached keys.')])
  })

  it('requests that do not need it do not wait', async () => {
    const { statusWith } = await watched()
    expect(await statusWith(await provider().token(read))).toBe(200)
    await provider().stopListening()
    pass(61 * minute)
    expect(await statusWith(await signed(claims(provider().issuer)))).toBe(200)
    // It takes connections again, and says nothing.
    const waiting = new Set<Socket>()
    const silent = createServer((socket) => waiting.add(socket))
    silent.listen(Number(new URL(provider().issuer).port), '127.0.0.1')
    await once(silent, 'listening')
    const fetching = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => fetching.mockRestore())
    pass(11 * second)
    expect(await statusWith(await signed(claims(provider().issuer)))).toBe(200)
    expect(fetching.mock.settledResults.map(({ type }) => type)).toEqual(['incomplete'])
    await expect.poll(() => waiting.size).toBe(1)
    for (const socket of waiting) socket.destroy()
    await new Promise((done) => silent.close(done))
    await provider().resumeListening()
  })

  it('an unknown key, which may be new, is not reported as wrong', async () => {
    const { get, statusWith } = await watched()
    expect(await statusWith(await provider().token(read))).toBe(200)
    provider().useKeys(newKey('RS256', 'new'))
    const token = await provider().token(read)
    pass(11 * second)
    await provider().stopListening()
    const away = await get('/note', bearer(token))
    const again = await get('/note', bearer(token))
    await provider().resumeListening()
    expect([away.status, again.status]).toEqual([503, 503])
    pass(11 * second)
    expect(await statusWith(token)).toBe(200)
  })
})

describe('a token that was accepted', () => {
  it('is not verified again until it expires', async () => {
    const { statusWith } = await watched()
    const now = Math.floor(Date.now() / 1000)
    const token = await signed(claims(provider().issuer, { exp: now + 60 }))
    const other = await provider().token(read)
    expect(await statusWith(other)).toBe(200)
    const verifying = vi.spyOn(crypto.subtle, 'verify')
    onTestFinished(() => verifying.mockRestore())
    for (let count = 0; count < 3; count++) expect(await statusWith(token)).toBe(200)
    expect(verifying).toHaveBeenCalledTimes(1)
    pass(89 * second)
    expect(await statusWith(token)).toBe(200)
    pass(2 * second)
    expect(await statusWith(token)).toBe(401)
    expect(await statusWith(other)).toBe(200)
  })

  it('is verified again after five minutes', async () => {
    const { statusWith } = await watched()
    const [first, otherToken] = [await provider().token(read), await provider().token(read)]
    for (const token of [first, otherToken, otherToken]) expect(await statusWith(token)).toBe(200)
    const verifying = vi.spyOn(crypto.subtle, 'verify')
    onTestFinished(() => verifying.mockRestore())
    pass(299 * second)
    expect([await statusWith(otherToken), verifying.mock.calls.length]).toEqual([200, 0])
    pass(2 * second)
    expect([await statusWith(otherToken), verifying.mock.calls.length]).toEqual([200, 1])
  })
})

describe('an issuer', () => {
  it('with the metadata of another issuer is rejected', async () => {
    const reported: unknown[] = []
    const issuer = provider().issuer.replace('127.0.0.1', 'localhost')
    const { get } = await openService(notes, {
      auth: { issuer, audience: 'https://directory.example.com' },
      onFault: (_, error) => reported.push(error),
    })
    expect(await get('/note', bearer(await signed(claims(issuer))))).toMatchObject({ status: 503 })
    expect(`${reported}`).toContain(`belongs to the issuer "${provider().issuer}", not to "${issuer}"`)
  })

  it.each([
    [{ issuer: 'login.example.com' }, 'issuer'],
    [{ audience: [] }, 'audience'],
    [{ audience: '' }, 'audience'],
    [{ algorithms: ['HS256'] }, '"HS256"'],
    [{ algorithms: ['none'] }, '"none"'],
    [{ algorithms: [] }, 'algorithms must not be empty'],
    [{ clockSkewSeconds: -1 }, 'skew'],
    [{ clockSkewSeconds: 3600 }, 'skew'],
    [{ jwksUrl: 'file:///etc/passwd' }, 'keys'],
  ])('is not contacted if the settings are invalid: %o', async (wrong, word) => {
    await expect(openNotes(provider(), wrong)).rejects.toThrow(word)
  })
})
