// Hooks: the changes that they receive, their order, and failures.
import { setTimeout as pause } from 'node:timers/promises'
import { api, boolean, createdAt, identity, link, noun, reference, resource, text } from '@nomen/core'
import { after, type Change, type Hook, rule, type Service, type Settings, service } from '@nomen/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openService } from './test-service.ts'

const label = noun('label', { id: identity('guid'), name: text() })
const task = noun('task', {
  id: identity(),
  title: text().unique(),
  secret: text().default('hidden'),
  isDone: boolean().default(false),
  created: createdAt(),
})
const step = noun('step', { id: identity(), task: reference(() => task), title: text() })
const labelled = link(task, label)
const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(task, {
      rename: { name: 'title' },
      complete: ['id', 'name', 'isDone'],
      children: [resource(step), resource(label, { via: labelled, offers: ['list', 'link'] })],
    }),
    resource(label),
  ],
})

// biome-ignore lint/suspicious/noExplicitAny: of any noun
type AnyChange = Change<any>

/** A service whose hooks record the changes that they receive. */
async function noted(more: Partial<Service> = {}, settings: Partial<Settings> = {}) {
  const changes: AnyChange[] = []
  const note = (change: AnyChange) => {
    changes.push(change)
  }
  const hooks: readonly Hook[] = [task, step, label].map((noun) => after(noun, note))
  const definition = service({ name: 'desk', apis: [desk], after: hooks, ...more })
  return { ...(await openService(definition, settings)), changes }
}

const short = ({ kind, record, previous }: AnyChange) => [
  kind,
  record.id,
  record.title,
  ...(previous ? [previous.title] : []),
]

describe('a hook', () => {
  it('receives every change with the stored record, whatever the api shows', async () => {
    const { send, changes } = await noted()
    await send('POST', '/task', { name: 'a' })
    await send('PATCH', '/task/1', { name: 'b' })
    await send('PUT', '/task/1', { name: 'c', isDone: true })
    await send('DELETE', '/task/1')
    await expect.poll(() => changes.length).toBe(4)
    expect(changes.map(short)).toEqual([
      ['create', 1, 'a'],
      ['update', 1, 'b', 'a'],
      ['update', 1, 'c', 'b'],
      ['delete', 1, 'c'],
    ])
    const created = changes[0]?.record.created
    expect(created).toMatch(/Z$/)
    expect(changes[2]).toMatchObject({
      record: { id: 1, title: 'c', secret: 'hidden', isDone: true, created },
      previous: { id: 1, title: 'b', secret: 'hidden', isDone: false, created },
      caller: { user: undefined },
    })
    expect(changes[3]?.record).toEqual(changes[2]?.record)
    expect(changes.map(({ record }) => Object.keys(record))).toEqual(Array(4).fill(Object.keys(task.fields)))
  })

  it('receives the request ID of the response, sent by the client or generated', async () => {
    const { send, changes } = await noted()
    const created = await send('POST', '/task', { name: 'a' })
    const updated = await send('PATCH', '/task/1', { name: 'b' }, { 'x-request-id': 'mine' })
    // An encoded path takes the other way through the service.
    const encoded = await send('PATCH', '/task/%31', { name: 'c' })
    await expect.poll(() => changes.length).toBe(3)
    const ids = [created, updated, encoded].map(({ headers }) => headers['x-request-id'])
    expect(changes.map(({ requestId }) => requestId)).toEqual(ids)
    expect(ids[1]).toBe('mine')
    expect(new Set(ids).size).toBe(3)
  })

  it('does not run for rejected requests, replays, reads, or writes that change nothing', async () => {
    const never = rule(task, ['isDone'], ({ isDone }) => (isDone ? { detail: 'Never done.' } : undefined))
    const { send, get, changes } = await noted({ rules: [never] })
    const once = { 'idempotency-key': 'once' }
    const first = await send('POST', '/task', { name: 'a' }, once)
    const statuses = [
      (await send('POST', '/task', { name: 'a' }, once)).status,
      (await send('POST', '/task', { name: 'a' })).status,
      (await send('PATCH', '/task/1', { isDone: true })).status,
      (await send('PATCH', '/task/1', { name: 'b' }, { 'if-match': '"other"' })).status,
      (await send('PATCH', '/task/1', {})).status,
      (await send('PATCH', '/task/9', { name: 'b' })).status,
      (await send('DELETE', '/task/9')).status,
      (await send('DELETE', '/task/1', undefined, { 'if-match': '"other"' })).status,
      (await get('/task/1')).status,
    ]
    expect([first.status, ...statuses]).toEqual([201, 201, 409, 422, 412, 200, 404, 404, 412, 200])
    await send('POST', '/task', { name: 'last' })
    await expect.poll(() => changes.some(({ record }) => record.title === 'last')).toBe(true)
    expect(changes.map(short)).toEqual([
      ['create', 1, 'a'],
      ['create', expect.any(Number), 'last'],
    ])
  })

  it('receives changes of nested records, and only the record that the request names', async () => {
    const { send, changes } = await noted()
    await send('POST', '/task', { name: 'a' })
    const { body } = await send('POST', '/label', { name: 'urgent' })
    await send('PUT', `/task/1/label/${body.id}`)
    await send('POST', '/task/1/step', { title: 'first' })
    await send('DELETE', '/task/1')
    await expect.poll(() => changes.length).toBe(4)
    expect(changes.map(({ kind, record }) => [kind, record.name ?? record.title])).toEqual([
      ['create', 'a'],
      ['create', 'urgent'],
      ['create', 'first'],
      ['delete', 'a'],
    ])
    expect(changes[1]?.record).toEqual({ id: body.id, name: 'urgent' })
  })

  it('receives the changes of one record in order, one at a time', async () => {
    const titles: string[] = []
    let numberAtOnce = 0
    const slowly = after(task, async ({ record, previous }) => {
      if (!previous) return
      expect(++numberAtOnce).toBe(1)
      await pause(1)
      numberAtOnce--
      // Each begins where the previous one ended: no change came early or is missing.
      expect(previous.title).toBe(titles.at(-1) ?? 'a')
      titles.push(record.title)
    })
    const faults: unknown[] = []
    const { send } = await noted({ after: [slowly] }, { onFault: (_, error) => faults.push(error) })
    await send('POST', '/task', { name: 'a' })
    const names = Array.from({ length: 40 }, (_, at) => `b${at}`)
    await Promise.all(names.map((name) => send('PATCH', '/task/1', { name })))
    await expect.poll(() => titles.length).toBe(names.length)
    expect(faults).toEqual([])
    expect([...titles].sort()).toEqual([...names].sort())
  })

  it('delays neither the response nor hooks of other records', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const recordIds: unknown[] = []
    const holding = after(task, async ({ record }) => {
      if (record.id === 1) await released
      recordIds.push(record.id)
    })
    const { send } = await noted({ after: [holding] })
    await send('POST', '/task', { name: 'a' })
    await send('POST', '/task', { name: 'b' })
    expect((await send('PATCH', '/task/1', { name: 'c' })).status).toBe(200)
    await expect.poll(() => recordIds.length).toBe(1)
    expect(recordIds).toEqual([2])
    release()
    await expect.poll(() => recordIds.length).toBe(3)
    expect(recordIds).toEqual([2, 1, 1])
  })

  it('that fails is reported; the change remains, and the other hooks run', async () => {
    const faults: unknown[] = []
    const kinds: string[] = []
    const hooks = [
      after(task, () => {
        throw new Error('at once')
      }),
      after(task, () => Promise.reject(new Error('later'))),
      after(task, ({ kind }) => {
        kinds.push(kind)
      }),
    ]
    const onFault = (message: string, error: unknown) => faults.push(`${message} ${(error as Error).message}`)
    const { send, get } = await noted({ after: hooks }, { onFault })
    expect((await send('POST', '/task', { name: 'a' })).status).toBe(201)
    await expect.poll(() => kinds.length).toBe(1)
    expect((await get('/task/1')).status).toBe(200)
    expect(faults).toEqual([
      'A hook failed after the create of task 1. The create itself is committed. at once',
      'A hook failed after the create of task 1. The create itself is committed. later',
    ])
  })
})

describe('closing a service', () => {
  it('waits for running hooks, and for hooks that wait for them', async () => {
    const titles: string[] = []
    const slowly = after(task, async ({ record }) => {
      await pause(5)
      titles.push(record.title)
    })
    const { send, app } = await noted({ after: [slowly] })
    await send('POST', '/task', { name: 'a' })
    await send('PATCH', '/task/1', { name: 'b' })
    expect(titles).not.toContain('b')
    await app.close()
    expect(titles).toEqual(['a', 'b'])
  })

  it('waits at most 10 seconds for a hook that never ends, and reports it', async () => {
    const faults: string[] = []
    const never = after(task, () => new Promise(() => {}))
    const { send, app } = await noted({ after: [never] }, { onFault: (message) => faults.push(message) })
    await send('POST', '/task', { name: 'a' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const closed = app.close()
    await expect.poll(() => vi.getTimerCount() > 0).toBe(true)
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    await closed
    expect(faults).toEqual(['The service closed while 1 hook was still running after 10 seconds.'])
  })
})
