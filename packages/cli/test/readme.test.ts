// What the README shows is so: its declaration is served, its requests are answered as it says, its error is that error.

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

/** The requests of the table below the declaration, and what it says of each. */
const table = [...readme.matchAll(/^\| `(.+?)` \| (.+?) \|$/gm)].map(([, request = '', answer = '']) => ({
  request: request.replaceAll('`', ''),
  answer,
}))

/** The service of the README, with seven tickets; the seventh is closed. */
async function opened(): Promise<OpenService> {
  const folder = serviceFolder({ 'service.ts': declaration })
  const { default: service } = (await import(pathToFileURL(join(folder, 'service.ts')).href)) as { default: Service }
  const app = await open(service, { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  for (let at = 1; at <= 7; at++) {
    const payload = { title: at % 2 ? `Printer ${at}` : 'Screen' }
    await inject(app, { method: 'POST', url: '/v1/ticket', payload })
  }
  await inject(app, { method: 'PATCH', url: '/v1/ticket/7', payload: { status: 'CLOSED' } })
  return app
}

/** What the README says of each request, proven. */
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
    const made = await inject(app, request)
    expect([made.statusCode, made.headers.location]).toEqual([201, '/v1/ticket/8'])
    expect(made.headers.etag).toMatch(/^".+"$/)
    expect(Object.keys(made.json())).toEqual(['id', 'title', 'status', 'created', 'lastUpdated'])
    const again = await inject(app, request)
    expect([again.statusCode, again.json()]).toEqual([201, made.json()])
    expect((await inject(app, '/v1/ticket')).json().pageInfo.numberOfRecords).toBe(8)
  },
  'GET /v1/ticket/7': async (app, url) => {
    const read = await inject(app, url)
    expect(read.json()).toMatchObject({ id: 7, title: 'Printer 7', status: 'CLOSED' })
    const again = await inject(app, { url, headers: { 'if-none-match': `${read.headers.etag}` } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  },
  'PUT, PATCH /v1/ticket/7': async (app, url) => {
    const { headers } = await inject(app, url)
    const guarded = { 'if-match': `${headers.etag}` }
    const put = await inject(app, {
      method: 'PUT',
      url,
      headers: guarded,
      payload: { title: 'Put', status: 'OPEN' },
    })
    expect([put.statusCode, put.json()]).toMatchObject([200, { id: 7, title: 'Put', status: 'OPEN' }])
    const lost = await inject(app, { method: 'PATCH', url, headers: guarded, payload: { title: 'Lost' } })
    expect(lost.statusCode).toBe(412)
    const patched = await inject(app, { method: 'PATCH', url, payload: { title: 'Patched' } })
    expect([patched.statusCode, patched.json()]).toMatchObject([200, { id: 7, title: 'Patched', status: 'OPEN' }])
  },
  'DELETE /v1/ticket/7': async (app, url) => {
    const before = (await inject(app, url)).json()
    const gone = await inject(app, { method: 'DELETE', url })
    expect([gone.statusCode, gone.json()]).toEqual([200, before])
    expect((await inject(app, url)).statusCode).toBe(404)
  },
  'GET /v1/ticket?stauts=OPEN': async (app, url) => {
    const refused = await inject(app, url)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { code: 'unknown-parameter', hint: 'Did you mean "status"?' },
    ])
  },
}

describe('the README', () => {
  it('has a request in its table for every proof here, and no other', () => {
    expect(table.map(({ request }) => request)).toEqual(Object.keys(proofs))
  })

  it.each(Object.keys(proofs))('%s gives what it says', async (request) => {
    await proofs[request]?.(await opened(), request.slice(request.lastIndexOf(' ') + 1))
  })

  it('names the status, the code and the hint that the table names', () => {
    const answerTo = (request: string) => table.find((row) => row.request === request)?.answer
    expect(answerTo('POST /v1/ticket')).toMatch(/^201, `Location`, `ETag`/)
    expect(answerTo('GET /v1/ticket/7')).toContain('304')
    expect(answerTo('GET /v1/ticket?stauts=OPEN')).toBe('400 `unknown-parameter`, hint: Did you mean "status"?')
  })

  it('quotes the error of a wrong declaration word by word', async () => {
    const wrong = declaration.replace("noun('ticket'", "noun('tickets'")
    expect(wrong).not.toBe(declaration)
    const folder = serviceFolder({ 'service.ts': wrong })
    const { code, output, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect([code, output]).toEqual([1, ''])
    const quoted = blocks.filter(({ code: text }) => text.startsWith('nomen: '))
    expect(quoted.map(({ code: text }) => text)).toEqual([errors])
  })
})
