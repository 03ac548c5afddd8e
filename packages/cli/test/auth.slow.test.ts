// A service with authentication behind a proxy: several processes, settings from the environment.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseLine } from '@nomen/core'
import { audience, newKey, startOpenIdProvider } from '@nomen/testing/openid-provider'
import { expect, it, onTestFinished } from 'vitest'
import { serviceFolder } from './folder.ts'
import { serve, waitUntil } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const service = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  export default service({ name: 'notes', apis: [notes] })
`

it('accepts requests with a token on any address, and logs users and addresses', async () => {
  const provider = await startOpenIdProvider(['note:read', 'note:write'], newKey('ES256'))
  onTestFinished(() => provider.close())
  const folder = serviceFolder({ 'service.ts': service })
  const server = await serve(['--host', '0.0.0.0'], {
    folder,
    environment: {
      AUTH: 'jwt',
      JWT_ISSUER: provider.issuer,
      JWT_AUDIENCE: audience,
      CONSOLE_CLIENT_ID: 'notes-console',
      CONSOLE_SCOPE: 'openid note:read',
      TRUST_PROXY: 'loopback',
      PUBLIC_URL: 'https://api.example.com/notes/',
      WORKERS: '2',
    },
  })
  expect(server.stdout()).toContain(`issuer      ${provider.issuer}\n`)
  const url = `http://127.0.0.1:${server.port}`
  const token = await provider.token({ scope: 'note:read', user: 'alice' })
  const headers = { authorization: `Bearer ${token}`, host: 'api.example.com', 'x-forwarded-for': '6.6.6.6, 192.0.2.7' }
  expect((await sendRequest(`${url}/note`)).status).toBe(401)
  // Enough requests to reach each process.
  for (let count = 0; count < 4; count++) expect((await sendRequest(`${url}/note`, { headers })).status).toBe(200)
  const problem = await sendRequest(`${url}/note`, { method: 'POST', headers, body: { title: 'x' } })
  expect([problem.status, problem.json()]).toMatchObject([403, { code: 'insufficient-scope' }])
  const document = (await sendRequest(`${url}/openapi.json`)).json() as { servers: unknown; security?: unknown }
  expect(document.servers).toEqual([{ url: 'https://api.example.com/notes' }])
  expect((await sendRequest(`${url}/console/settings.json`)).json()).toMatchObject({
    issuer: provider.issuer,
    clientId: 'notes-console',
    scope: 'openid note:read',
  })
  const path = join(folder, 'data/access.log')
  const log = () => readFileSync(path, 'utf8').trim().split('\n').map(parseLine)
  await waitUntil(() => existsSync(path) && log().length >= 8, 5000, 'the log has all requests')
  const entriesOfAlice = log().filter((entry) => entry?.user === 'alice')
  expect(entriesOfAlice.map((entry) => `${entry?.address} ${entry?.status}`).sort()).toEqual([
    ...Array(4).fill('192.0.2.7 200'),
    '192.0.2.7 403',
  ])
})
