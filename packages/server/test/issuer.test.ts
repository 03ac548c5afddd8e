// The keys of the issuer: fetched when they are needed, again when they change, and kept while it is away.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { newKey } from '@nomen/testing/openid-provider'
import { importJWK } from 'jose'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { bearer, claims, firstKey, notes, openedNotes, providedOnce, signed } from './issued.ts'
import { opened } from './opened.ts'

const provider = providedOnce()

beforeEach(() => {
  // Clocks only: whatever waits, waits for real.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  provider().useKeys(firstKey)
})
afterEach(() => vi.useRealTimers())

const second = 1000
const minute = 60 * second

function pass(time: number): void {
  vi.advanceTimersByTime(time)
}

/** The service, what was told of it, and how often it asked for keys. */
async function watched(settings = {}) {
  const told: string[] = []
  const service = await openedNotes(provider(), settings, { onFault: (message) => told.push(message) })
  const before = provider().numberOfKeyRequests
  const statusWith = async (token: string) => (await service.get('/note', bearer(token))).status
  return { ...service, told, statusWith, asked: () => provider().numberOfKeyRequests - before }
}

const read = { scope: 'note:read' }

describe('the keys of the issuer', () => {
  it('are fetched with the first token, once for all who wait, and not at the start', async () => {
    const { statusWith, asked } = await watched()
    expect(asked()).toBe(0)
    const tokens = await Promise.all(Array.from({ length: 5 }, () => provider().token(read)))
    expect(await Promise.all(tokens.map(statusWith))).toEqual([200, 200, 200, 200, 200])
    expect(asked()).toBe(1)
  })

  it('are found at an address of their own, where one is given', async () => {
    const { statusWith } = await watched({ jwksUrl: `${provider().issuer}/jwks` })
    expect(await statusWith(await provider().token(read))).toBe(200)
  })

  it('are fetched again for a key that nobody knows, so that they may change at any time', async () => {
    const { statusWith, asked } = await watched()
    const old = await provider().token(read)
    expect(await statusWith(old)).toBe(200)
    const next = newKey('ES256')
    provider().useKeys(next, firstKey)
    pass(11 * second)
    expect(await statusWith(await provider().token(read))).toBe(200)
    expect(await statusWith(old)).toBe(200)
    expect(asked()).toBe(2)
  })

  it('are of every kind that is accepted', async () => {
    provider().useKeys(firstKey, newKey('PS256'), newKey('ES256'), newKey('EdDSA'))
    const { statusWith } = await watched()
    for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'])
      expect(await statusWith(await provider().token({ ...read, alg })), alg).toBe(200)
  })

  it('are not fetched for every token of a key that nobody knows', async () => {
    const { statusWith, asked } = await watched()
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
    expect(asked()).toBe(3)
  })

  it('may be several for a token that names none', async () => {
    provider().useKeys(newKey('RS256'), firstKey, newKey('RS256'))
    const { statusWith } = await watched()
    expect(await statusWith(await signed(claims(provider().issuer), { kid: undefined } as never))).toBe(200)
    const strange = (await importJWK({ ...newKey('RS256') }, 'RS256')) as never
    expect(await statusWith(await signed(claims(provider().issuer), { kid: undefined } as never, strange))).toBe(401)
  })

  it('that are taken back open nothing any more once that is known, not even for tokens that were let in', async () => {
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
    const { statusWith, asked } = await watched()
    expect(await statusWith(await provider().token(read))).toBe(200)
    provider().useKeys(newKey('RS256', 'next'))
    pass(9 * minute)
    expect(await statusWith(await signed(claims(provider().issuer)))).toBe(200)
    pass(2 * minute)
    expect(await statusWith(await signed(claims(provider().issuer, { more: 1 })))).toBe(401)
    expect(asked()).toBe(2)
  })
})

describe('while the issuer is away', () => {
  it('a service that has no keys yet answers 503, and goes on once it is back', async () => {
    const token = await provider().token(read)
    const { get, told } = await watched()
    await provider().goAway()
    const away = await get('/note', bearer(token))
    await provider().comeBack()
    expect(away).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(away.headers['retry-after']).toBe('1')
    expect(away.body.detail).toContain(provider().issuer)
    pass(2 * second)
    expect(await get('/note', bearer(token))).toMatchObject({ status: 200 })
    expect(told).toEqual([expect.stringContaining('cannot be fetched'), expect.stringContaining('again')])
  })

  it('nobody without a token is let in or told more', async () => {
    const { get } = await watched()
    await provider().goAway()
    const answer = await get('/note')
    await provider().comeBack()
    expect(answer).toMatchObject({ status: 401 })
  })

  it('the known keys go on being used, however old, and it is told once', async () => {
    const { statusWith, told } = await watched()
    expect(await statusWith(await provider().token(read))).toBe(200)
    await provider().goAway()
    const statuses: number[] = []
    for (const time of [second, 11 * minute, 61 * minute, 24 * 60 * minute]) {
      pass(time)
      statuses.push(await statusWith(await signed(claims(provider().issuer))))
    }
    await provider().comeBack()
    expect(statuses).toEqual([200, 200, 200, 200])
    expect(told).toEqual([expect.stringContaining('Those that are known go on being used.')])
  })

  it('nobody waits for it who need not', async () => {
    const { statusWith } = await watched()
    expect(await statusWith(await provider().token(read))).toBe(200)
    await provider().goAway()
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
    await provider().comeBack()
  })

  it('nobody says that a key is wrong which may be new', async () => {
    const { get, statusWith } = await watched()
    expect(await statusWith(await provider().token(read))).toBe(200)
    provider().useKeys(newKey('RS256', 'new'))
    const token = await provider().token(read)
    pass(11 * second)
    await provider().goAway()
    const away = await get('/note', bearer(token))
    const again = await get('/note', bearer(token))
    await provider().comeBack()
    expect([away.status, again.status]).toEqual([503, 503])
    pass(11 * second)
    expect(await statusWith(token)).toBe(200)
  })
})

describe('a token that was let in', () => {
  it('is not verified again, until it ends', async () => {
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
    const [one, other] = [await provider().token(read), await provider().token(read)]
    for (const token of [one, other, other]) expect(await statusWith(token)).toBe(200)
    const verifying = vi.spyOn(crypto.subtle, 'verify')
    onTestFinished(() => verifying.mockRestore())
    pass(299 * second)
    expect([await statusWith(other), verifying.mock.calls.length]).toEqual([200, 0])
    pass(2 * second)
    expect([await statusWith(other), verifying.mock.calls.length]).toEqual([200, 1])
  })
})

describe('an issuer', () => {
  it('that speaks for another is not believed', async () => {
    const told: unknown[] = []
    const issuer = provider().issuer.replace('127.0.0.1', 'localhost')
    const { get } = await opened(notes, {
      auth: { issuer, audience: 'https://directory.example.com' },
      onFault: (_, error) => told.push(error),
    })
    expect(await get('/note', bearer(await signed(claims(issuer))))).toMatchObject({ status: 503 })
    expect(`${told}`).toContain(`is of the issuer "${provider().issuer}", not of "${issuer}"`)
  })

  it.each([
    [{ issuer: 'login.example.com' }, 'issuer'],
    [{ audience: [] }, 'audience'],
    [{ audience: '' }, 'audience'],
    [{ algorithms: ['HS256'] }, '"HS256"'],
    [{ algorithms: ['none'] }, '"none"'],
    [{ algorithms: [] }, 'No algorithm'],
    [{ clockSkew: -1 }, 'skew'],
    [{ clockSkew: 3600 }, 'skew'],
    [{ jwksUrl: 'file:///etc/passwd' }, 'keys'],
  ])('is not asked where the settings are wrong: %o', async (wrong, word) => {
    await expect(openedNotes(provider(), wrong)).rejects.toThrow(word)
  })
})
