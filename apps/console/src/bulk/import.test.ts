// Files that are brought in while answers get lost, services are busy and people stop it: every row is created once.

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { open } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { expect, it, onTestFinished } from 'vitest'
import { deskService } from '../../test/desk.ts'
import { readBulk } from '../model/list/bulk-text.ts'
import type { Json } from '../model/service/openapi.ts'
import { serviceOf } from '../model/service/service.ts'
import { Wire } from '../wire/wire.ts'
import { Import } from './import.ts'
import { rejectFile } from './reject-file.ts'

/** What becomes of the so-many-th request on its way. */
type Fate = (number: number) => 'answered' | 'lost' | 'busy'

/** The desk behind something that loses answers, and is busy at times. */
async function desk(fate: Fate = () => 'answered', isKeyed = true) {
  const service = await open(deskService, { database: 'sqlite::memory:' })
  const target = new URL(await service.listen({ port: 0 }))
  let number = 0
  const keys: string[] = []
  const between = createServer((asked, answer) => {
    const what = fate(++number)
    keys.push(`${asked.headers['idempotency-key']}`)
    if (what === 'busy') return void answer.writeHead(503, { 'retry-after': '0' }).end('{"detail":"Busy."}')
    const { method, url: path, headers } = asked
    const sent = request({ host: target.hostname, port: target.port, method, path, headers }, (came) => {
      if (what === 'lost') return void came.resume().on('end', () => answer.destroy())
      answer.writeHead(came.statusCode ?? 500, came.headers)
      came.pipe(answer)
    })
    asked.pipe(sent)
  })
  between.listen(0, '127.0.0.1')
  await once(between, 'listening')
  onTestFinished(async () => {
    between.closeAllConnections()
    between.close()
    await service.close()
  })
  const document = (await inject(service, { url: '/openapi.json' })).json() as { paths: { [path: string]: Json } }
  const { post } = document.paths['/ticket'] as { post: { parameters: { $ref?: string }[] } }
  if (!isKeyed) post.parameters = post.parameters.filter(({ $ref }) => !$ref?.endsWith('IdempotencyKey'))
  const base = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
  const writer = serviceOf('desk', [{ document: document as unknown as Json, base }]).collections[0]
  if (!writer) throw new Error('There are tickets.')
  const begin = (text: string, key = 'k') =>
    new Import(new Wire(), { writer, path: '/ticket', rows: readBulk('csv', text, writer.fields), key })
  const titles = async () => {
    const { results } = (await inject(service, { url: '/ticket?pageSize=1000' })).json()
    return results.map(({ title }: { title: string }) => title).slice(2)
  }
  return { begin, titles, keys }
}

const names = Array.from({ length: 24 }, (_, index) => `Row ${index}`)
const csv = ['title', ...names].join('\n')

it('sends again what was lost on the way or came to a busy service, with the same key, and creates it once', async () => {
  const { begin, titles, keys } = await desk((number) =>
    number % 4 === 0 ? 'lost' : number % 5 === 0 ? 'busy' : 'answered',
  )
  const work = begin(csv)
  await work.run()
  expect(work.progress()).toMatchObject({ created: 24, refused: [], done: 24, all: 24, isWaiting: false })
  expect((await titles()).toSorted()).toEqual(names.toSorted())
  expect(keys.length).toBeGreaterThan(24)
  expect(new Set(keys)).toEqual(new Set(names.map((_, index) => `k-${index + 2}`)))
})

it('stops where the service stays away, and goes on with the rest when it is told to', async () => {
  let isAway = false
  const { begin, titles } = await desk((number) => (number > 8 && !isAway ? 'lost' : 'answered'))
  const work = begin(csv)
  await expect(work.run()).rejects.toThrow(/does not answer/)
  expect(work.isDone).toBe(false)
  isAway = true
  await work.run()
  expect([work.isDone, work.progress().created]).toEqual([true, 24])
  expect((await titles()).toSorted()).toEqual(names.toSorted())
})

it('stops when someone says so: what is under way is finished, the rest waits', async () => {
  const { begin, titles } = await desk()
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
  const { begin, titles, keys } = await desk((number) => (number === 3 ? 'lost' : 'answered'), false)
  const work = begin(csv)
  await work.run()
  expect(work.progress()).toMatchObject({ created: 23, done: 24 })
  expect(work.progress().refused[0]?.reason).toMatch(/may have been created all the same/)
  expect((await titles()).length).toBe(24)
  expect(keys).toEqual(names.map(() => 'undefined'))
})

it('gives back the refused rows with line and reason, which can be imported again when they are fixed', async () => {
  const { begin, titles } = await desk()
  const work = begin('title,status\nGood,OPEN\nBad,AJAR\nWorse,OPEN,3\n')
  await work.run()
  const { refused } = work.progress()
  expect(refused.map(({ row }) => row.line)).toEqual([3, 4])
  const lines = rejectFile('csv', refused).trim().split('\r\n')
  expect(lines[0]).toBe("'_line,_reason,title,status,_text")
  expect(lines[1]).toMatch(/^3,.*AJAR.*,Bad,AJAR,$/)
  expect(lines[2]).toBe('4,"It has 3 cells, and the head 2.",,,"Worse,OPEN,3"')
  const fixed = begin([lines[0], lines[1]?.replaceAll('AJAR', 'OPEN')].join('\n'), 'other')
  await fixed.run()
  expect(await titles()).toEqual(['Good', 'Bad'])
  expect(rejectFile('ndjson', refused).split('\n')[1]).toBe(
    '{"_line":4,"_reason":"It has 3 cells, and the head 2.","_text":"Worse,OPEN,3"}',
  )
})
