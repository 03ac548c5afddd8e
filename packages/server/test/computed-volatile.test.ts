// Computed fields whose values change while the record stays the same: their ETags tell the responses apart.
import { boolean, date, identity, noun, resource, text } from '@nomen/core'
import { compute, service } from '@nomen/server'
import { expect, it } from 'vitest'
import { openService, plainApi } from './test-service.ts'

const loan = noun(
  'loan',
  { id: identity(), title: text(), due: date() },
  { computed: { overdue: boolean(), heading: text() } },
)
const heading = compute(loan, 'heading', ['title'], ({ title }) => `Loan of ${title}`)

async function library(isVolatile: boolean) {
  let today = '2026-11-01'
  const overdue = compute(loan, 'overdue', ['due'], ({ due }) => due < today, { isVolatile })
  const app = await openService(
    service({ name: 'test', apis: [plainApi(resource(loan))], computed: [overdue, heading] }),
  )
  const created = await app.send('POST', '/loan', { title: 'Emma', due: '2026-11-10' })
  const setToday = (date: string) => {
    today = date
  }
  return { ...app, created, setToday }
}

it('gives a client a new copy when a volatile value has changed, and 304 while it has not', async () => {
  const { get, created, setToday } = await library(true)
  const first = `${created.headers.etag}`
  expect((await get('/loan/1')).headers.etag).toBe(first)
  setToday('2026-11-09')
  expect((await get('/loan/1', { 'if-none-match': first })).status).toBe(304)
  setToday('2026-11-11')
  const late = await get('/loan/1', { 'if-none-match': first })
  expect([late.status, late.body.overdue]).toEqual([200, true])
  expect(late.headers.etag).not.toBe(first)
  expect((await get('/loan/1', { 'if-none-match': `${late.headers.etag}` })).status).toBe(304)
})

it('compares If-Match of a write with the stored record only', async () => {
  const { send, get, created, setToday } = await library(true)
  const first = `${created.headers.etag}`
  setToday('2026-11-11')
  const changed = await send('PATCH', '/loan/1', { title: 'Persuasion' }, { 'if-match': first })
  expect([changed.status, changed.body.overdue]).toEqual([200, true])
  expect((await send('PATCH', '/loan/1', { title: 'Emma' }, { 'if-match': first })).status).toBe(412)
  expect((await get('/loan/1')).headers.etag).toBe(changed.headers.etag)
  expect((await send('DELETE', '/loan/1', undefined, { 'if-match': `${changed.headers.etag}` })).status).toBe(200)
})

it('keeps the ETag of fields that are not declared as volatile', async () => {
  const { get, created, setToday } = await library(false)
  setToday('2026-11-11')
  expect((await get('/loan/1', { 'if-none-match': `${created.headers.etag}` })).status).toBe(304)
})
