// `GET /`: links for people in a browser, and a problem that names them for programs.
import { identity, noun, resource, text } from '@nomen/core'
import { open, type Settings } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { plainApi, serviceOf } from './test-service.ts'

const notes = serviceOf([plainApi(resource(noun('note', { id: identity(), title: text() })))])
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function openNotes(settings: Partial<Settings> = {}) {
  const app = await open(notes, { database: 'sqlite::memory:', ...settings })
  onTestFinished(() => app.close())
  return app
}

/** The targets of all links of a page. */
function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'))
}

const requestsBelow = (root: string) =>
  ['?pageSize=2', '?sort=-id&pageSize=2', '?pageSise=2'].map((query) => `${root}/note${query}`)

describe('GET /', () => {
  it('has links for a browser, and all of them work', async () => {
    const { fetch } = await openNotes({ console: import.meta.dirname })
    const page = await fetch('http://desk/', { headers: browser })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const links = linksOf(await page.text())
    expect(links).toEqual(['/console/', '/docs/', '/openapi.json', ...requestsBelow('')])
    for (const link of links.slice(1, -1)) expect((await fetch(`http://desk${link}`)).status, link).toBe(200)
    const faulty = await fetch(`http://desk${links.at(-1)}`)
    expect(await faulty.json()).toMatchObject({ code: 'unknown-parameter', hint: 'Did you mean "pageSize"?' })
  })

  it('has no requests to try if they need a token', async () => {
    const auth = { issuer: 'https://login.example.com', audience: 'desk', jwks: { keys: [] } }
    const { fetch } = await openNotes({ auth })
    const page = await fetch('http://desk/', { headers: browser })
    expect(linksOf(await page.text())).toEqual(['/docs/', '/openapi.json'])
  })

  it('is a problem that names the same paths for other clients', async () => {
    const { fetch } = await openNotes()
    const response = await fetch('http://desk/')
    expect([response.status, response.headers.get('vary')]).toEqual([404, expect.stringContaining('accept')])
    expect(await response.json()).toMatchObject({
      code: 'path-not-found',
      hint: 'API documentation: /docs/. OpenAPI document: /openapi.json.',
    })
  })

  it.each([
    ['a prefix', { prefix: '/own/api' }, '/own/api', '/own/api'],
    ['a prefix and a slash', { prefix: '/own/api' }, '/own/api/', '/own/api'],
    ['a public URL with a path', { publicUrl: 'https://example.com/desk' }, '/', '/desk'],
  ])('names the paths that clients use, with %s', async (_, settings, path, root) => {
    const { fetch } = await openNotes(settings)
    const page = await fetch(`http://desk${path}`, { headers: browser })
    expect(linksOf(await page.text())).toEqual([`${root}/docs/`, `${root}/openapi.json`, ...requestsBelow(root)])
  })

  it('belongs to the application of a Fastify plugin, unless the plugin has a prefix', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    app.get('/', async () => 'mine')
    await app.register(plugin(notes, { database: 'sqlite::memory:' }))
    await app.register(plugin(notes, { database: 'sqlite::memory:' }), { prefix: '/own' })
    expect((await app.inject({ url: '/', headers: browser })).body).toBe('mine')
    for (const url of ['/own', '/own/'])
      expect(linksOf((await app.inject({ url, headers: browser })).body)).toEqual([
        '/own/docs/',
        '/own/openapi.json',
        ...requestsBelow('/own'),
      ])
    expect((await app.inject({ url: '/own/nothing' })).statusCode).toBe(404)
  })
})
