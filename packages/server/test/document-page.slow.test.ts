// The documents of a service over HTTP, and the page that shows them in a real browser without the internet.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { api, identity, noun, resource, text } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { open, service } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import { startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'

const note = noun('note', { id: identity(), line: text() })
const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
const second = api('notes', { version: 2, versioning: 'whole', writes: 'flat', resources: [resource(note)] })

async function openPage(apis: (typeof notes | typeof second)[], more: { accessLog?: string; console?: string } = {}) {
  const settings = { database: 'sqlite::memory:', ...more }
  const app = await open(service({ name: 'notes', apis }), settings)
  onTestFinished(() => app.close())
  return app
}

describe('documents', () => {
  it('are served for each version', async () => {
    const app = await openPage([notes, second])
    const response = await inject(app, { url: '/openapi.json' })
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual(
      openapi(notes, { title: 'notes', servers: ['/'], isOpen: true, hasIntroduction: true }),
    )
    const versioned = (await inject(app, { url: '/v2/openapi.json' })).json()
    expect(versioned).toEqual(
      openapi(second, { title: 'notes v2', servers: ['/'], isOpen: true, hasIntroduction: true }),
    )
  })

  it('are found without a version if all apis have one', async () => {
    const app = await openPage([second])
    expect((await inject(app, { url: '/openapi.json' })).json()).toEqual(
      (await inject(app, { url: '/v2/openapi.json' })).json(),
    )
  })

  it('know the prefix that the service is mounted under', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    const mounted = plugin(service({ name: 'notes', apis: [notes] }), { database: 'sqlite::memory:' })
    await app.register(mounted, { prefix: '/desk' })
    const { servers } = (await app.inject({ url: '/desk/openapi.json' })).json()
    expect(servers).toEqual([{ url: '/desk' }])
    expect((await app.inject({ url: '/desk/docs/' })).body).toContain('/desk/openapi.json')
  })

  it('are in the access log, and so is the page that shows them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const accessLog = join(folder, 'access.log')
    const app = await openPage([notes], { accessLog })
    const urls = ['/openapi.json', '/docs', '/docs/', '/docs/js/scalar.js', '/note']
    for (const url of urls) expect((await inject(app, { url })).statusCode, url).toBeLessThan(400)
    await expect.poll(() => readFileSync(accessLog, 'utf8').match(/(?<="GET )[^ ]*/g)).toEqual(urls)
  })
})

describe('the docs page', () => {
  it('is one page and one script, compressed as the browser accepts, and cached', async () => {
    const app = await openPage([notes])
    expect((await inject(app, '/docs')).headers).toMatchObject({ location: 'docs/' })
    const page = await inject(app, '/docs/')
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/script-src 'self' 'sha256-[^']+';/),
    })
    const script = '/docs/js/scalar.js'
    const [plain, small, smallest] = await Promise.all([
      inject(app, { url: script }),
      inject(app, { url: script, headers: { 'accept-encoding': 'gzip' } }),
      inject(app, { url: script, headers: { 'accept-encoding': 'gzip, deflate, br' } }),
    ])
    expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(small.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(smallest.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(smallest.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const again = await inject(app, { url: script, headers: { 'if-none-match': `${small.headers.etag}` } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await inject(app, '/docs/other')).json()).toMatchObject({ status: 404, code: 'path-not-found' })
  })

  it('shows the operations of all versions, and sends no requests to other hosts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>')
    writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const app = await openPage([notes, second], { console: folder })
    const address = await app.listen({ port: 0 })
    const browser = await startChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const requests: string[] = []
    const errors: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) errors.push(message.text())
    })
    await page.goto(`${address}/docs`)
    await page.getByText('Get a note').first().waitFor({ timeout: 30_000 })
    // Only an API with versions shows one.
    expect(await page.getByText('v1', { exact: true }).count()).toBe(0)
    await page.getByText('notes', { exact: true }).first().click()
    await page.getByText('notes v2').first().click()
    await page.getByText('/v2/note').first().waitFor()
    await page.getByText('v2', { exact: true }).first().waitFor()
    // Every operation links to its list in the console, and the console links to an operation by its path.
    await page.goto(`${address}/docs/#notes/tag/note/GET/note/{id}`)
    await page.reload()
    await page.getByRole('heading', { name: 'Get a note' }).waitFor()
    // The introduction says once that filters can be repeated.
    await page.getByText('Records with this value.').first().waitFor()
    expect(await page.getByText('Repeat it to match').count()).toBe(0)
    await page.getByRole('link', { name: 'Open in the console' }).first().click()
    await page.waitForURL(`${address}/console/#/note`)
    await page.goBack()
    await page.getByRole('link', { name: '← Console' }).click()
    await page.waitForURL(`${address}/console/`)
    const foreign = requests.filter((url) => !url.startsWith(address) && !/^(data|blob):/.test(url))
    expect([foreign, errors]).toEqual([[], []])
  })
})
