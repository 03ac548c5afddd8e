// The renewal of a token at a provider that does not respond as usual.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'

const binding = { key: 'service', bases: [] }

/** A session with an expired token, and a provider that responds to its renewal with this status and body. */
async function startSession(status: number, body: object) {
  const provider = createServer((_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  )
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const registration = { provider: { issuer, token_endpoint: `${issuer}/token` }, client: { client_id: 'console' } }
  const tokens = { service: { access: 'old', refresh: 'r', expiresAtMs: 0, registration } }
  const stored = new Map([['console.bound-tokens', JSON.stringify(tokens)]])
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('history', { state: null, replaceState: () => {} })
  vi.stubGlobal('addEventListener', () => {})
  onTestFinished(() => {
    provider.close()
    vi.unstubAllGlobals()
  })
  vi.resetModules()
  return (await import('./session.ts')).session
}

it('stays signed in while the provider is not available', async () => {
  for (const [status, body] of [
    [503, {}],
    [429, { error: 'temporarily_unavailable' }],
  ] as const) {
    const session = await startSession(status, body)
    const error = await session.token(binding).catch((caught) => caught)
    expect([error.problem?.status, session.isSignedIn(binding)]).toEqual([0, true])
  }
})

it('ends if the provider refuses the renewal', async () => {
  const session = await startSession(400, { error: 'invalid_grant' })
  expect([await session.token(binding), session.isSignedIn(binding)]).toEqual([undefined, false])
})
