// Files that are brought in while answers get lost, services are busy and people stop it: every row is created once.

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { open } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { expect, it, onTestFinished } from 'vitest'
import { ticketService } from '../../../test/ticket-service.ts'
import { HttpClient } from '../../http/http-client.ts'
import { readBulk } from '../../model/list/bulk-text.ts'
import { initialMapping, mappedRows } from '../../model/list/column-mapping.ts'
import { formOf } from '../../model/record/form.ts'
import type { Json } from '../../model/service/openapi.ts'
import { serviceOf } from '../../model/service/service.ts'
import { Import } from './import.ts'
import { rejectFile } from './reject-file.ts'

/** The fate of each request, by its number. */
type Fate = (number: number) => 'forward' | 'lose' | 'reject'

/** A service behind a proxy that loses some responses, and rejects some requests with 503. */
async function startImports(fate: Fate = () => 'forward', isKeyed = true) {
  const service = await open(ticketService, { database: 'sqlite::memory:' })
  const target = new URL(await service.listen({ port: 0 }))
  let number = 0
  const keys: string[] = []
  const proxy = createServer((incoming, outgoing) => {
    const what = fate(++number)
    keys.push(`${incoming.headers['idempotency-key']}`)
    if (what === 'reject') return void outgoing.writeHead(503, { 'retry-after': '0' }).end('{"detail":"Busy."}')
    const { method, url: path, headers } = incoming
    const sent = request({ host: target.hostname, port: target.port, method, path, headers }, (response) => {
      if (what === 'lose') return void response.resume().on('end', () => outgoing.destroy())
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(sent)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(async () => {
    proxy.closeAllConnections()
    proxy.close()
    await service.close()
  })
  const document = (await inject(service, { url: '/openapi.json' })).json() as { paths: { [path: string]: Json } }
  const { post } = document.paths['/ticket'] as { post: { parameters: { $ref?: string }[] } }
  if (!isKeyed) post.parameters = post.parameters.filter(({ $ref }) => !$ref?.endsWith('IdempotencyKey'))
  const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const writeCollection = serviceOf('desk', [{ document: document as unknown as Json, base }]).collections[0]
  if (!writeCollection) throw new Error('There are tickets.')
  const { fields } = formOf(writeCollection, 'create')
  const rowsOf = (text: string) => {
    const file = readBulk('csv', text)
    return mappedRows(file, initialMapping(file.columns, fields), fields)
  }
  const begin = (text: string, key = 'k') =>
    new Import(new HttpClient(), {
      writeCollection,
      path: '/ticket',
      rows: rowsOf(text),
      key,
    })
  const titles = async () => {
    const { results } = (await inject(service, { url: '/ticket?pageSize=1000' })).json()
    return results.map(({ title }: { title: string }) => title).slice(2)
  }
  return { begin, titles, keys }
}

const names = Array.from({ length: 24 }, (_, index) => `Row ${index}`)
const csv = ['title', ...names].join('\n')

it('sends again what was lost on the way or came to a busy service, with the same key, and creates it once', async () => {
  const { begin, titles, keys } = await startImports((number) =>
    number % 4 === 0 ? 'lose' : number % 5 === 0 ? 'reject' : 'forward',
  )
  const work = begin(csv)
  await work.run()
  expect(work.progress()).toMatchObject({ created: 24, refused: [], done: 24, all: 24, isWaiting: false })
  expect((await titles()).toSorted()).toEqual(names.toSorted())
  expect(keys.length).toBeGreaterThan(24)
  expect(new Set(keys)).toEqual(new Set(names.map((_, index) => `k-${index + 2}`)))
})

it('stops when the service does not respond, and resumes with the remaining rows', async () => {
  let isAway = false
  const { begin, titles } = await startImports((number) => (number > 8 && !isAway ? 'lose' : 'forward'))
  const work = begin(csv)
  await expect(work.run()).rejects.toThrow(/does not respond/)
  expect(work.isDone).toBe(false)
  isAway = true
  await work.run()
  expect([work.isDone, work.progress().created]).toEqual([true, 24])
  expect((await titles()).toSorted()).toEqual(names.toSorted())
})

it('stops on request: finishes the requests under way and keeps the remaining rows', async () => {
  const { begin, titles } = await startImports()
  const work = begin(csv)
  const run = work.run()
  work.stop()
  await run
  const { created, done } = work.progress()
  expect([created, done]).toEqual([6, 6])
  await work.run()
  expect((await titles()).toSorted()).toEqual(names.toSorted())
})

it('sends nothing twice to a service that keeps no keys, and says what may be there', async () => {
  const { begin, titles, keys } = await startImports((number) => (number === 3 ? 'lose' : 'forward'), false)
  const work = begin(csv)
  await work.run()
  expect(work.progress()).toMatchObject({ created: 23, done: 24 })
  expect(work.progress().refused[0]?.reason).toMatch(/The record may have been created/)
  expect((await titles()).length).toBe(24)
  expect(keys).toEqual(names.map(() => 'undefined'))
})

it('returns rejected rows with line and reason, which can be fixed and imported again', async () => {
  const { begin, titles } = await startImports()
  const work = begin('title,status\nGood,OPEN\nBad,AJAR\nWorse,OPEN,3\n')
  await work.run()
  const { refused } = work.progress()
  expect(refused.map(({ row }) => row.line)).toEqual([3, 4])
  const lines = rejectFile('csv', refused).trim().split('\r\n')
  expect(lines[0]).toBe("'_line,_reason,title,status,_text")
  expect(lines[1]).toMatch(/^3,.*AJAR.*,Bad,AJAR,$/)
  expect(lines[2]).toBe('4,"The row has 3 cells, but the header has 2.",,,"Worse,OPEN,3"')
  const fixed = begin([lines[0], lines[1]?.replaceAll('AJAR', 'OPEN')].join('\n'), 'other')
  await fixed.run()
  expect(await titles()).toEqual(['Good', 'Bad'])
  expect(rejectFile('ndjson', refused).split('\n')[1]).toBe(
    '{"_line":4,"_reason":"The row has 3 cells, but the header has 2.","_text":"Worse,OPEN,3"}',
  )
})
