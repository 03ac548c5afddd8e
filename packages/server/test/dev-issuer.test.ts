// The development issuer: its tokens are accepted by services with the same key, and by no others.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { devIssuerSettings, devToken } from '@nomen/server/internal'
import { describe, expect, it } from 'vitest'
import { bearer, notes } from './issued.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService } from './test-service.ts'

const keyFile = () => join(dirname(temporaryPath()), 'made', 'dev-issuer.json')
const usual = { subject: 'ada', scope: '*:read', lifetimeSeconds: 60 }

describe('the development issuer', () => {
  it('creates a key once, readable by its owner only, and tokens that the service accepts', async () => {
    const path = keyFile()
    const { get } = await openService(notes, { auth: devIssuerSettings(path) })
    const key = readFileSync(path, 'utf8')
    const token = await devToken(path, usual)
    expect((await get('/note', bearer(token))).status).toBe(200)
    expect((await get('/note')).status).toBe(401)
    const other = await devToken(path, { ...usual, scope: 'user:read' })
    expect((await get('/note', bearer(other))).status).toBe(403)
    expect(readFileSync(path, 'utf8')).toBe(key)
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('is not accepted by services with another key, and its tokens expire', async () => {
    const [own, foreign] = [keyFile(), keyFile()]
    const { get } = await openService(notes, { auth: devIssuerSettings(own) })
    expect((await get('/note', bearer(await devToken(foreign, usual)))).status).toBe(401)
    const expired = await devToken(own, { ...usual, lifetimeSeconds: -60 })
    expect((await get('/note', bearer(expired))).body.detail).toContain('expired')
  })

  it('does not reveal its private key in the settings, nor send the console to sign in anywhere', async () => {
    const path = keyFile()
    const auth = devIssuerSettings(path)
    expect(JSON.stringify(auth)).not.toContain(JSON.parse(readFileSync(path, 'utf8')).d)
    const { get } = await openService(notes, { auth })
    const { body } = await get('/openapi.json')
    expect(Object.keys(body.components.securitySchemes)).toEqual(['bearer'])
    expect(body.paths['/note'].get.security).toEqual([{ bearer: ['note:read'] }])
  })

  it('allows additional claims, except those that the issuer sets', async () => {
    const path = keyFile()
    const token = await devToken(path, {
      ...usual,
      claims: { tenant: 'north', sub: 'eve', scope: '*:write', iss: 'x' },
    })
    const claims = JSON.parse(Buffer.from(`${token.split('.')[1]}`, 'base64url').toString())
    expect(claims).toMatchObject({ tenant: 'north', sub: 'ada', scope: '*:read' })
    expect(claims.iss).not.toBe('x')
  })

  it('rejects a file that is not its key', async () => {
    const path = join(dirname(temporaryPath()), 'dev-issuer.json')
    writeFileSync(path, '{}')
    await expect(devToken(path, usual)).rejects.toThrow('is not a key of the development issuer')
  })
})
