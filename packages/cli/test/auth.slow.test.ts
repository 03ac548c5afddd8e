// A service for those with a token, as it is run behind a proxy: several processes, settings from the environment.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseLine } from '@nomen/core'
import { audience, newKey, startOpenIdProvider } from '@nomen/testing/openid-provider'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { serve, until } from './nomen.ts'

const service = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  export default service({ name: 'notes', apis: [notes] })
`

it('serves those with a token, on any address, and logs their names and addresses', async () => {
  const provider = await startOpenIdProvider(['note:read', 'note:write'], newKey('ES256'))
  onTestFinished(() => provider.close())
  const folder = serviceFolder({ 'service.ts': service })
  const served = await serve(['--host', '0.0.0.0'], {
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
  expect(served.said()).toContain(`tokens of   ${provider.issuer}\n`)
  const url = `http://127.0.0.1:${served.port}`
  const token = await provider.token({ scope: 'note:read', user: 'alice' })
  const headers = { authorization: `Bearer ${token}`, host: 'api.example.com', 'x-forwarded-for': '6.6.6.6, 192.0.2.7' }
  expect((await ask(`${url}/note`)).status).toBe(401)
  // Each of the processes is asked.
  for (let count = 0; count < 4; count++) expect((await ask(`${url}/note`, { headers })).status).toBe(200)
  const refused = await ask(`${url}/note`, { method: 'POST', headers, body: { title: 'x' } })
  expect([refused.status, refused.json()]).toMatchObject([403, { code: 'insufficient-scope' }])
  const document = (await ask(`${url}/openapi.json`)).json() as { servers: unknown; security?: unknown }
  expect(document.servers).toEqual([{ url: 'https://api.example.com/notes' }])
  expect((await ask(`${url}/console/settings.json`)).json()).toMatchObject({
    issuer: provider.issuer,
    clientId: 'notes-console',
    scope: 'openid note:read',
  })
  const path = join(folder, 'data/access.log')
  const log = () => readFileSync(path, 'utf8').trim().split('\n').map(parseLine)
  await until(() => existsSync(path) && log().length >= 8, 5000, 'the log has all requests')
  const known = log().filter((entry) => entry?.user === 'alice')
  expect(known.map((entry) => `${entry?.address} ${entry?.status}`).sort()).toEqual([
    ...Array(4).fill('192.0.2.7 200'),
    '192.0.2.7 403',
  ])
})
