// Rules and assignments also apply to a bulk load, and during concurrent requests.
import { type LoadOptions, loadRecords, type Reject } from '@nomen/server/admin'
import { isOnPostgres, testDatabase } from '@nomen/testing/test-database'
import { expect, it, onTestFinished } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { lending } from './lending-service.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService } from './test-service.ts'

async function library() {
  const own = await testDatabase()
  onTestFinished(own.remove)
  const database = isOnPostgres ? own.address : `sqlite:${temporaryPath()}`
  const app = await openService(lending, { database })
  for (const name of ['Ada', 'Bea']) await app.send('POST', '/member', { name })
  const load = async (text: string, options: Partial<LoadOptions> = {}) => {
    const rejects: Reject[] = []
    const onReject = (reject: Reject) => rejects.push(reject)
    const report = await loadRecords(lending, { database, noun: 'loan', source: sourceOf(text), onReject, ...options })
    return { report, reasons: rejects.map(({ line, reason }) => `${line}: ${reason}`) }
  }
  const open = async (member: number) =>
    (await app.get(`/loan?member=${member}&status=OPEN`)).body.pageInfo.numberOfRecords as number
  return { ...app, load, open }
}

const loansOf = (member: number, count: number) =>
  Array.from({ length: count }, (_, at) => `${member},Book ${at}`).join('\n')

it('rejects each record that breaks a rule, and sets managed fields of the others', async () => {
  const { load, get, open } = await library()
  const { report, reasons } = await load(`member,title\n${loansOf(1, 8)}\n${loansOf(2, 1)}\n9,Lost\n`)
  expect(report).toMatchObject({ loaded: 6, rejected: 4 })
  expect(reasons.slice(0, 3)).toEqual([7, 8, 9].map((line) => `${line}: ${'Member 1 already has 5 open loans.'}`))
  expect([await open(1), await open(2)]).toEqual([5, 1])
  const { results } = (await get('/loan')).body
  expect(results.map(({ number }: { number: string }) => number)).toEqual(['L-1', 'L-2', 'L-3', 'L-4', 'L-5', 'L-6'])
})

it('keeps the values that a file has', async () => {
  const { load, get } = await library()
  await load('number,member,title\nL-40,1,Emma\n,1,Persuasion\n')
  const { results } = (await get('/loan')).body
  expect(results.map(({ number }: { number: string }) => number)).toEqual(['L-40', 'L-41'])
})

it('checks and sets fields of records that it updates', async () => {
  const { load, get, open } = await library()
  await load(`member,title\n${loansOf(1, 5)}\n${loansOf(2, 1)}\n`)
  const moved = await load('id,member\n6,1\n', { isUpdating: true })
  expect(moved.reasons).toEqual(['2: Member 1 already has 5 open loans.'])
  const returned = await load('id,status\n1,RETURNED\n', { isUpdating: true })
  expect(returned.report).toMatchObject({ updated: 1, rejected: 0 })
  expect((await get('/loan/1')).body).toMatchObject({ status: 'RETURNED', returnedAt: expect.any(String) })
  expect((await load('id,member\n6,1\n', { isUpdating: true, isFromStart: true })).report).toMatchObject({ updated: 1 })
  expect(await open(1)).toBe(5)
})

it('applies rules during concurrent requests', async () => {
  const { load, send, open } = await library()
  const requests = Array.from({ length: 30 }, (_, at) => send('POST', '/loan', { member: 1 + (at % 2), title: 'Emma' }))
  const lines = Array.from({ length: 10 }, () => `${loansOf(1, 1)}\n${loansOf(2, 1)}`).join('\n')
  await Promise.all([load(`member,title\n${lines}\n`), ...requests])
  expect([await open(1), await open(2)]).toEqual([5, 5])
})
