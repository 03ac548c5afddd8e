// Assignments: fields that the service sets itself, whichever way a record is written.
import { choice, DeclarationError, identity, integer, noun, resource, text, timestamp } from '@nomen/core'
import { after, assign, rule, type ServiceOptions, service, visible } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { lending } from './lending-service.ts'
import { openService, plainApi } from './test-service.ts'

const ticket = noun('ticket', {
  id: identity(),
  title: text(),
  status: choice('OPEN', 'CLOSED').default('OPEN'),
  closedAt: timestamp().nullable().managed(),
  changes: integer().default(0).managed(),
  slug: text().managed(),
})
const desk = plainApi(resource(ticket))

const slug = assign(ticket, ['slug'], ({ title }) => ({ slug: title.toLowerCase().replace(/\W+/g, '-') }))
const counted = assign(ticket, ['changes', 'closedAt'], (next, previous, { now }) => ({
  changes: previous ? previous.changes + 1 : 0,
  ...(next.status !== previous?.status && { closedAt: next.status === 'CLOSED' ? now : null }),
}))

const serviceWith = (more: Partial<ServiceOptions>) => service({ name: 'desk', apis: [desk], ...more })

describe('an assignment', () => {
  it('sets fields at POST, PATCH and PUT, from the record as it was and as it will be', async () => {
    const { send, get } = await openService(serviceWith({ assignments: [slug, counted] }))
    const created = await send('POST', '/ticket', { title: 'No Paper' })
    expect(created.body).toMatchObject({ slug: 'no-paper', changes: 0, closedAt: null })
    const closed = await send('PATCH', '/ticket/1', { status: 'CLOSED' })
    expect(closed.body).toMatchObject({ slug: 'no-paper', changes: 1, closedAt: expect.stringMatching(/Z$/) })
    const renamed = await send('PUT', '/ticket/1', { title: 'Paper jam', status: 'CLOSED' })
    expect(renamed.body).toMatchObject({ slug: 'paper-jam', changes: 2, closedAt: closed.body.closedAt })
    expect((await get('/ticket/1')).body).toEqual(renamed.body)
  })

  it('does not run for a PATCH without values', async () => {
    const { send } = await openService(serviceWith({ assignments: [slug, counted] }))
    const created = await send('POST', '/ticket', { title: 'a' })
    expect((await send('PATCH', '/ticket/1', {})).body).toEqual(created.body)
  })

  it('ignores what a caller sends for its fields', async () => {
    const { send } = await openService(serviceWith({ assignments: [slug, counted] }))
    await send('POST', '/ticket', { title: 'a' })
    const patched = await send('PATCH', '/ticket/1', { title: 'b', changes: 7, slug: 'mine' })
    expect(patched.body).toMatchObject({ changes: 1, slug: 'b' })
  })

  it('comes before rules and hooks, which see its values', async () => {
    const calls: [string, ...unknown[]][] = []
    const rules = [rule(ticket, (next, previous) => void calls.push(['rule', previous?.slug, next.slug]))]
    const hooks = [after(ticket, ({ kind, record }) => void calls.push([kind, record.slug]))]
    const { send, app } = await openService(serviceWith({ assignments: [slug, counted], rules, after: hooks }))
    await send('POST', '/ticket', { title: 'A b' })
    await send('PATCH', '/ticket/1', { title: 'C' })
    await app.close()
    expect(calls.filter(([what]) => what === 'rule')).toEqual([
      ['rule', undefined, 'a-b'],
      ['rule', 'a-b', 'c'],
    ])
    expect(calls.filter(([what]) => what !== 'rule')).toEqual([
      ['create', 'a-b'],
      ['update', 'c'],
    ])
  })

  it('makes rules on its fields run, whatever a request writes', async () => {
    const rules = [rule(ticket, ['slug'], ({ slug }) => (slug === 'bad' ? { detail: 'Not bad.' } : undefined))]
    const { send } = await openService(serviceWith({ assignments: [slug, counted], rules }))
    await send('POST', '/ticket', { title: 'good' })
    expect((await send('PATCH', '/ticket/1', { title: 'Bad' })).status).toBe(422)
    expect((await send('PATCH', '/ticket/1', { title: 'Better' })).status).toBe(200)
  })

  it('comes before visibility, also if a rule is async', async () => {
    const rules = [rule(ticket, ['title'], async (_next, _previous, { read }) => void (await read(ticket).count()))]
    const visibility = [visible(ticket, () => ({ slug: 'no-paper' }))]
    const { send } = await openService(serviceWith({ assignments: [slug, counted], rules, visibility }))
    const created = await send('POST', '/ticket', { title: 'No Paper' })
    expect([created.status, created.body]).toMatchObject([201, { slug: 'no-paper', changes: 0 }])
    const changed = await send('PATCH', '/ticket/1', { title: 'no paper' })
    expect([changed.status, changed.body]).toMatchObject([200, { slug: 'no-paper', changes: 1 }])
    expect((await send('PATCH', '/ticket/1', { title: 'Paper jam' })).body.code).toBe('out-of-sight')
  })

  it('may be async, and numbers records without gaps', async () => {
    const hooked: unknown[] = []
    const loan = lending.assignments?.[0]?.noun as Parameters<typeof after>[0]
    const hooks = [after(loan, ({ record }) => void hooked.push((record as { number: string }).number))]
    const { send, app } = await openService({ ...lending, after: hooks })
    await send('POST', '/member', { name: 'Ada' })
    for (let count = 0; count < 7; count++) await send('POST', '/loan', { member: 1, title: 'Emma' })
    const returned = await send('PATCH', '/loan/2', { status: 'RETURNED' })
    expect(returned.body).toMatchObject({ number: 'L-2', returnedAt: expect.any(String) })
    expect((await send('PATCH', '/loan/2', { status: 'OPEN' })).body).toMatchObject({ number: 'L-2', returnedAt: null })
    const created = (await send('GET', '/loan')).body.results.map(({ number }: { number: string }) => number)
    expect(created).toEqual(['L-1', 'L-2', 'L-3', 'L-4', 'L-5'])
    await app.close()
    expect([...new Set(hooked)]).toEqual(created)
  })

  it.each<[string, () => unknown, string]>([
    ['a field that it does not declare', () => ({ changes: 1 }), 'sets "changes", but declares only slug.'],
    ['a value of the wrong type', () => ({ slug: 7 }), 'sets "slug" to 7, which is not valid: it must be a string.'],
    ['nothing for a field without a value', () => undefined, 'leaves "slug" without a value'],
    ['a promise', () => Promise.resolve({ slug: 'a' }), 'returned a promise. Declare its function with async.'],
    ['a text', () => 'a', 'returned "a". Return fields and their values.'],
  ])('that returns %s is a fault: 500, logged, and nothing is written', async (_, run, message) => {
    const faults: string[] = []
    const { send, get } = await openService(
      serviceWith({ assignments: [assign(ticket, ['slug'], run as () => { slug: string }), counted] }),
      { onFault: (_message, error) => faults.push((error as Error).message) },
    )
    expect((await send('POST', '/ticket', { title: 'a' })).status).toBe(500)
    expect(faults).toEqual([expect.stringContaining(message)])
    expect((await get('/ticket')).body.pageInfo.numberOfRecords).toBe(0)
  })

  it.each<[string, () => unknown, string]>([
    ['of a field that callers write', () => assign(ticket, ['title'], () => ({})), 'declare it with .managed().'],
    ['of an unknown field', () => assign(ticket, ['titel' as 'slug'], () => ({})), 'sets the unknown field "titel"'],
    [
      'of one field twice',
      () => serviceWith({ assignments: [slug, slug, counted] }),
      'two assignments set "slug" of "ticket"',
    ],
    ['that is missing', () => serviceWith({ assignments: [counted] }), 'nothing sets the managed field "slug"'],
  ])('%s is rejected at start', (_, declare, message) => {
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(message)
  })
})
