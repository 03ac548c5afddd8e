// The declaration, the requests and the error of the README are correct.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OpenService, open, type Service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { blocksOf, fileOf } from '@nomen/testing/markdown/block'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen, root } from './nomen.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = blocksOf(readme)
const declaration = blocks.find((block) => fileOf(block)?.name === 'service.ts')?.code ?? ''

/** The requests of the table below the declaration, with their descriptions. */
const table = [...readme.matchAll(/^\| `(.+?)` \| (.+?) \|$/gm)].map(([, request = '', response = '']) => ({
  request: request.replaceAll('`', ''),
  answer: response,
}))

/** The service of the README, with seven tickets; the seventh is closed. */
async function openApp(): Promise<OpenService> {
  const folder = serviceFolder({ 'service.ts': declaration })
  const { default: service } = (await import(pathToFileURL(join(folder, 'service.ts')).href)) as { default: Service }
  const app = await open(service, { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  for (let number = 1; number <= 7; number++) {
    const payload = { title: number % 2 ? `Printer ${number}` : 'Screen' }
    await inject(app, { method: 'POST', url: '/v1/ticket', payload })
  }
  await inject(app, { method: 'PATCH', url: '/v1/ticket/7', payload: { status: 'CLOSED' } })
  return app
}

/** The requests of the README, with their checks. */
const proofs: Record<string, (app: OpenService, url: string) => Promise<void>> = {
  'GET /v1/ticket?status=OPEN&search=printer&sort=-created&pageSize=5': async (app, url) => {
    const page = (await inject(app, url)).json()
    expect(page.pageInfo).toEqual({ pageSize: 5, pageNumber: 1, numberOfPages: 1, numberOfRecords: 3 })
    expect(page.results.map((item: object) => Object.keys(item))).toEqual(Array(3).fill(['id', 'title', 'status']))
    expect(new Set(page.results.map(({ title }: { title: string }) => title))).toEqual(
      new Set(['Printer 1', 'Printer 3', 'Printer 5']),
    )
  },
  'GET /v1/ticket?status=OPEN&include=7': async (app, url) => {
    const { results } = (await inject(app, url)).json()
    expect(results.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(results[6].status).toBe('CLOSED')
  },
  'POST /v1/ticket': async (app, url) => {
    const request = {
      method: 'POST',
      url,
      payload: { title: 'New' },
      headers: { 'idempotency-key': 'once' },
    } as const
    const created = await inject(app, request)
    expect([created.statusCode, created.headers.location]).toEqual([201, '/v1/ticket/8'])
    expect(created.headers.etag).toMatch(/^".+"$/)
    expect(Object.keys(created.json())).toEqual(['id', 'title', 'status', 'created', 'lastUpdated'])
    const repeated = await inject(app, request)
    expect([repeated.statusCode, repeated.json()]).toEqual([201, created.json()])
    expect((await inject(app, '/v1/ticket')).json().pageInfo.numberOfRecords).toBe(8)
  },
  'GET /v1/ticket/7': async (app, url) => {
    const readResponse = await inject(app, url)
    expect(readResponse.json()).toMatchObject({ id: 7, title: 'Printer 7', status: 'CLOSED' })
    const repeated = await inject(app, { url, headers: { 'if-none-match': `${readResponse.headers.etag}` } })
    expect([repeated.statusCode, repeated.body]).toEqual([304, ''])
  },
  'PUT, PATCH /v1/ticket/7': async (app, url) => {
    const { headers } = await inject(app, url)
    const guarded = { 'if-match': `${headers.etag}` }
    const replaced = await inject(app, {
      method: 'PUT',
      url,
      headers: guarded,
      payload: { title: 'Put', status: 'OPEN' },
    })
    expect([replaced.statusCode, replaced.json()]).toMatchObject([200, { id: 7, title: 'Put', status: 'OPEN' }])
    const staleUpdate = await inject(app, { method: 'PATCH', url, headers: guarded, payload: { title: 'Lost' } })
    expect(staleUpdate.statusCode).toBe(412)
    const patched = await inject(app, { method: 'PATCH', url, payload: { title: 'Patched' } })
    expect([patched.statusCode, patched.json()]).toMatchObject([200, { id: 7, title: 'Patched', status: 'OPEN' }])
  },
  'DELETE /v1/ticket/7': async (app, url) => {
    const before = (await inject(app, url)).json()
    const deleted = await inject(app, { method: 'DELETE', url })
    expect([deleted.statusCode, deleted.json()]).toEqual([200, before])
    expect((await inject(app, url)).statusCode).toBe(404)
  },
  'GET /v1/ticket?stauts=OPEN': async (app, url) => {
    const problem = await inject(app, url)
    expect([problem.statusCode, problem.json()]).toMatchObject([
      400,
      { code: 'unknown-parameter', hint: 'Did you mean "status"?' },
    ])
  },
}

describe('the README', () => {
  it('has exactly the requests in its table that are tested here', () => {
    expect(table.map(({ request }) => request)).toEqual(Object.keys(proofs))
  })

  it.each(Object.keys(proofs))('%s has the documented response', async (request) => {
    await proofs[request]?.(await openApp(), request.slice(request.lastIndexOf(' ') + 1))
  })

  it('has the status, the code and the hint of the error in its table', () => {
    const expectedFor = (request: string) => table.find((row) => row.request === request)?.answer
    expect(expectedFor('POST /v1/ticket')).toMatch(/^201, `Location`, `ETag`/)
    expect(expectedFor('GET /v1/ticket/7')).toContain('304')
    expect(expectedFor('GET /v1/ticket?stauts=OPEN')).toBe('400 `unknown-parameter`, hint: Did you mean "status"?')
  })

  it('has the exact error of a wrong declaration', async () => {
    const wrongDeclaration = declaration.replace("noun('ticket'", "noun('tickets'")
    expect(wrongDeclaration).not.toBe(declaration)
    const folder = serviceFolder({ 'service.ts': wrongDeclaration })
    const { code, output, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect([code, output]).toEqual([1, ''])
    const errorBlocks = blocks.filter(({ code: text }) => text.startsWith('nomen: '))
    expect(errorBlocks.map(({ code: text }) => text)).toEqual([errors])
  })
})
