// A service below a path of your own server: fetch and the listener know the prefix.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { identity, noun, resource, text } from '@nomen/core'
import { open, type Settings } from '@nomen/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])
const json = { 'content-type': 'application/json' }

async function openNotes(settings: Partial<Settings> = {}) {
  const app = await open(notes, { database: 'sqlite::memory:', ...settings })
  onTestFinished(() => app.close())
  return app
}

/** Starts an HTTP server around the service and returns its base URL. */
async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a service with a prefix', () => {
  it('serves its operations, documents and problems below it, by fetch and by its listener', async () => {
    const app = await openNotes({ prefix: '/own/api' })
    const base = await listen(createServer(app.listener))
    for (const send of [
      (path: string, options?: RequestInit) => app.fetch(`http://desk${path}`, options),
      (path: string, options?: RequestInit) => fetch(`${base}${path}`, options),
    ]) {
      const created = await send('/own/api/note', { method: 'POST', headers: json, body: '{"title":"a"}' })
      expect(created.status).toBe(201)
      const location = `${created.headers.get('location')}`
      expect(location).toMatch(/^\/own\/api\/note\/\d$/)
      expect(await (await send(location)).json()).toMatchObject({ title: 'a' })
      const document = (await (await send('/own/api/openapi.json')).json()) as { servers: unknown }
      expect(document.servers).toEqual([{ url: '/own/api' }])
      expect(await (await send('/own/api/nite')).json()).toMatchObject({ hint: 'Did you mean /own/api/note?' })
    }
  })

  it('responds with 404 at other paths', async () => {
    const { fetch } = await openNotes({ prefix: '/own/api' })
    for (const path of ['/note', '/own/note', '/own/api', '/own/apis/note', '/a/b/note', '/own/api/', '/']) {
      const response = await fetch(`http://desk${path}`)
      expect([response.status, ((await response.json()) as { code: string }).code], path).toEqual([
        404,
        'path-not-found',
      ])
    }
  })

  it.each(['api', '/api/', '/', '/a//b', '/:api', '/a b'])('rejects to start with the prefix %s', async (prefix) => {
    await expect(open(notes, { database: 'sqlite::memory:', prefix })).rejects.toThrow('is not a valid path')
  })
})

it('a body that was read before the service gets it is an error, not an endless wait', async () => {
  const faults: unknown[] = []
  const app = await openNotes({ onFault: (_, error) => void faults.push(error) })
  const base = await listen(
    createServer(async (request, response) => {
      await textOf(request)
      app.listener(request, response)
    }),
  )
  const response = await fetch(`${base}/note`, { method: 'POST', headers: json, body: '{"title":"a"}' })
  expect(response.status).toBe(500)
  expect(`${faults[0]}`).toContain('Mount the service before body parsers')
  expect((await fetch(`${base}/note`)).status).toBe(200)
})
