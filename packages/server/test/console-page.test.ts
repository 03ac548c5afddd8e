// The console of a service: static files, compressed in advance and cached by browsers until they change.

import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { api, identity, noun, resource, text } from '@nomen/core'
import { open, service } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import { inject } from '@nomen/testing/inject'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'

const note = noun('note', { id: identity(), line: text() })
const first = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
const second = api('notes', { version: 2, versioning: 'whole', writes: 'flat', resources: [resource(note)] })
const notes = service({ name: 'notes', apis: [first, second] })

/** A folder as a build leaves it. */
function consoleFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'assets/main-a1.js'), 'export {}')
  writeFileSync(join(folder, 'assets/main-a1.js.gz'), gzipSync('export {}'))
  return folder
}

async function openNotes() {
  const app = await open(notes, { database: 'sqlite::memory:', console: consoleFolder() })
  onTestFinished(() => app.close())
  return app
}

describe('the console', () => {
  it('is a page that runs only its own scripts and is always revalidated', async () => {
    const app = await openNotes()
    const response = await inject(app, { url: '/console/' })
    expect([response.statusCode, response.body]).toEqual([200, '<!doctype html>'])
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("script-src 'self';"),
    })
    const moved = await inject(app, { url: '/console' })
    expect([moved.statusCode, moved.headers.location]).toEqual([308, '/console/'])
  })

  it('has immutable files, compressed for clients that accept it', async () => {
    const app = await openNotes()
    const plain = await inject(app, { url: '/console/assets/main-a1.js' })
    expect([plain.body, plain.headers['cache-control']]).toEqual(['export {}', 'public, max-age=31536000, immutable'])
    expect(plain.headers['content-encoding']).toBeUndefined()
    const encoded = await inject(app, { url: '/console/assets/main-a1.js', headers: { 'accept-encoding': 'gzip' } })
    expect(encoded.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(`${gunzipSync(encoded.rawPayload)}`).toBe('export {}')
    // Where a form is not there, the plain one is.
    const other = await inject(app, { url: '/console/assets/main-a1.js', headers: { 'accept-encoding': 'br' } })
    expect([other.body, other.headers['content-encoding']]).toEqual(['export {}', undefined])
    const head = await inject(app, { method: 'HEAD', url: '/console/assets/main-a1.js' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })

  it('has an icon, also for pages that do not name one', async () => {
    const app = await openNotes()
    const icons = await Promise.all(['/console/icon.svg', '/favicon.ico'].map((url) => inject(app, { url })))
    expect(icons.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual([
      [200, 'image/svg+xml'],
      [200, 'image/svg+xml'],
    ])
  })

  it('knows the documents of the service, wherever it is mounted', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    await app.register(plugin(notes, { database: 'sqlite::memory:', console: consoleFolder() }), { prefix: '/desk' })
    const settings = (await app.inject({ url: '/desk/console/settings.json' })).json()
    expect(settings).toEqual({ title: 'notes', documents: ['../openapi.json', '../v2/openapi.json'], docs: '../docs' })
    const { headers } = await app.inject({ url: '/desk/console/' })
    expect(headers.link).toBe(
      '<../openapi.json>; rel=preload; as=fetch; crossorigin=anonymous, <../v2/openapi.json>; rel=preload; as=fetch; crossorigin=anonymous',
    )
    expect((await app.inject({ url: '/desk/console' })).headers.location).toBe('/desk/console/')
  })

  it('has the title, color, logo and environment of the settings', async () => {
    const folder = consoleFolder()
    const logo = join(folder, 'brand.svg')
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const consoleBranding = { title: 'Our notes', accent: '#0b7285', logo, environment: 'staging' }
    const app = await open(notes, { database: 'sqlite::memory:', console: folder, consoleBranding })
    onTestFinished(() => app.close())
    const settings = (await inject(app, { url: '/console/settings.json' })).json()
    expect(settings).toMatchObject({ ...consoleBranding, logo: './logo.svg' })
    const image = await inject(app, { url: '/console/logo.svg' })
    expect([image.body, image.headers['content-type']]).toEqual([
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'image/svg+xml',
    ])
    // A script in the file does not run.
    expect(image.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it.each([
    [{ accent: 'teal' }, 'The accent color of the console is "teal". Write it as #rrggbb, such as #0b7285.'],
    [{ logo: 'logo.bmp' }, 'The logo of the console is "logo.bmp". Use a file that ends in .svg, .png'],
  ])('does not start with the branding %o', async (consoleBranding, message) => {
    const settings = { database: 'sqlite::memory:', consoleBranding }
    await expect(open(notes, { ...settings, console: consoleFolder() })).rejects.toThrow(message)
    await expect(open(notes, settings)).rejects.toThrow(message)
  })

  it.each(['/console/nothing.js', '/console/../package.json', '/console/%2e%2e/%2e%2e/etc/passwd', '/console/assets'])(
    'responds with 404 at %s',
    async (url) => {
      const app = await openNotes()
      expect((await inject(app, { url })).statusCode).toBe(404)
    },
  )

  it('may connect to the issuer and its token endpoint to sign in', async () => {
    const issuerServer = createServer((_, response) => {
      const issuer = `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}`
      response.end(JSON.stringify({ issuer, token_endpoint: 'https://tokens.example.com/token', jwks_uri: issuer }))
    })
    issuerServer.listen(0, '127.0.0.1')
    await once(issuerServer, 'listening')
    onTestFinished(() => void issuerServer.close())
    const issuer = `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}`
    const connectSources = async (of: string) => {
      const auth = { issuer: of, audience: 'notes' }
      const app = await open(notes, { database: 'sqlite::memory:', console: consoleFolder(), auth })
      onTestFinished(() => app.close())
      const { headers } = await inject(app, { url: '/console/' })
      return /connect-src ([^;]*)/.exec(`${headers['content-security-policy']}`)?.[1]
    }
    expect(await connectSources(issuer)).toBe(`'self' ${issuer} https://tokens.example.com`)
    // This issuer does not respond, so nobody can sign in.
    expect(await connectSources('http://127.0.0.1:1')).toBe("'self' http://127.0.0.1:1")
  })

  it('is served only if its folder is set', async () => {
    const app = await open(notes, { database: 'sqlite::memory:' })
    onTestFinished(() => app.close())
    expect((await inject(app, { url: '/console/' })).statusCode).toBe(404)
  })
})
