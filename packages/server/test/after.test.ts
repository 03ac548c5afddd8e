// Hooks: when they are told, what of, in which order, and what a fault in them does.
import { setTimeout as pause } from 'node:timers/promises'
import { api, boolean, createdAt, identity, link, noun, reference, resource, text } from '@nomen/core'
import { after, type Change, type Hook, rule, type Service, type Settings, service } from '@nomen/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { opened } from './opened.ts'

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

/** A service whose hooks note what they are told. */
async function noted(more: Partial<Service> = {}, settings: Partial<Settings> = {}) {
  const told: AnyChange[] = []
  const note = (change: AnyChange) => {
    told.push(change)
  }
  const hooks: readonly Hook[] = [task, step, label].map((one) => after(one, note))
  const made = service({ name: 'desk', apis: [desk], after: hooks, ...more })
  return { ...(await opened(made, settings)), told }
}

const short = ({ kind, record, previous }: AnyChange) => [
  kind,
  record.id,
  record.title,
  ...(previous ? [previous.title] : []),
]

describe('a hook', () => {
  it('is told of every change by its stored record, whatever the api shows', async () => {
    const { ask, told } = await noted()
    await ask('POST', '/task', { name: 'a' })
    await ask('PATCH', '/task/1', { name: 'b' })
    await ask('PUT', '/task/1', { name: 'c', isDone: true })
    await ask('DELETE', '/task/1')
    await expect.poll(() => told.length).toBe(4)
    expect(told.map(short)).toEqual([
      ['create', 1, 'a'],
      ['update', 1, 'b', 'a'],
      ['update', 1, 'c', 'b'],
      ['delete', 1, 'c'],
    ])
    const created = told[0]?.record.created
    expect(created).toMatch(/Z$/)
    expect(told[2]).toMatchObject({
      record: { id: 1, title: 'c', secret: 'hidden', isDone: true, created },
      previous: { id: 1, title: 'b', secret: 'hidden', isDone: false, created },
      caller: { user: undefined },
    })
    expect(told[3]?.record).toEqual(told[2]?.record)
    expect(told.map(({ record }) => Object.keys(record))).toEqual(Array(4).fill(Object.keys(task.fields)))
  })

  it('knows the identity of the request that its answer bears, brought or made', async () => {
    const { ask, told } = await noted()
    const made = await ask('POST', '/task', { name: 'a' })
    const brought = await ask('PATCH', '/task/1', { name: 'b' }, { 'x-request-id': 'mine' })
    // An encoded path takes the other way through the service.
    const encoded = await ask('PATCH', '/task/%31', { name: 'c' })
    await expect.poll(() => told.length).toBe(3)
    const ids = [made, brought, encoded].map(({ headers }) => headers['x-request-id'])
    expect(told.map(({ requestId }) => requestId)).toEqual(ids)
    expect(ids[1]).toBe('mine')
    expect(new Set(ids).size).toBe(3)
  })

  it('is told nothing of what is refused, replayed, read, or no change at all', async () => {
    const never = rule(task, ['isDone'], ({ isDone }) => (isDone ? { detail: 'Never done.' } : undefined))
    const { ask, get, told } = await noted({ rules: [never] })
    const once = { 'idempotency-key': 'once' }
    const first = await ask('POST', '/task', { name: 'a' }, once)
    const statuses = [
      (await ask('POST', '/task', { name: 'a' }, once)).status,
      (await ask('POST', '/task', { name: 'a' })).status,
      (await ask('PATCH', '/task/1', { isDone: true })).status,
      (await ask('PATCH', '/task/1', { name: 'b' }, { 'if-match': '"other"' })).status,
      (await ask('PATCH', '/task/1', {})).status,
      (await ask('PATCH', '/task/9', { name: 'b' })).status,
      (await ask('DELETE', '/task/9')).status,
      (await ask('DELETE', '/task/1', undefined, { 'if-match': '"other"' })).status,
      (await get('/task/1')).status,
    ]
    expect([first.status, ...statuses]).toEqual([201, 201, 409, 422, 412, 200, 404, 404, 412, 200])
    await ask('POST', '/task', { name: 'last' })
    await expect.poll(() => told.some(({ record }) => record.title === 'last')).toBe(true)
    expect(told.map(short)).toEqual([
      ['create', 1, 'a'],
      ['create', expect.any(Number), 'last'],
    ])
  })

  it('is told of nested records, and of the one that a request names only', async () => {
    const { ask, told } = await noted()
    await ask('POST', '/task', { name: 'a' })
    const { body } = await ask('POST', '/label', { name: 'urgent' })
    await ask('PUT', `/task/1/label/${body.id}`)
    await ask('POST', '/task/1/step', { title: 'first' })
    await ask('DELETE', '/task/1')
    await expect.poll(() => told.length).toBe(4)
    expect(told.map(({ kind, record }) => [kind, record.name ?? record.title])).toEqual([
      ['create', 'a'],
      ['create', 'urgent'],
      ['create', 'first'],
      ['delete', 'a'],
    ])
    expect(told[1]?.record).toEqual({ id: body.id, name: 'urgent' })
  })

  it('is told of one record in the order of its changes, one after the other', async () => {
    const titles: string[] = []
    let numberAtOnce = 0
    const slowly = after(task, async ({ record, previous }) => {
      if (!previous) return
      expect(++numberAtOnce).toBe(1)
      await pause(1)
      numberAtOnce--
      // Each begins where the one before has ended: no change was told early, or left out.
      expect(previous.title).toBe(titles.at(-1) ?? 'a')
      titles.push(record.title)
    })
    const faults: unknown[] = []
    const { ask } = await noted({ after: [slowly] }, { onFault: (_, error) => faults.push(error) })
    await ask('POST', '/task', { name: 'a' })
    const names = Array.from({ length: 40 }, (_, at) => `b${at}`)
    await Promise.all(names.map((name) => ask('PATCH', '/task/1', { name })))
    await expect.poll(() => titles.length).toBe(names.length)
    expect(faults).toEqual([])
    expect([...titles].sort()).toEqual([...names].sort())
  })

  it('delays no answer, and no hook of another record', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const told: unknown[] = []
    const holding = after(task, async ({ record }) => {
      if (record.id === 1) await held
      told.push(record.id)
    })
    const { ask } = await noted({ after: [holding] })
    await ask('POST', '/task', { name: 'a' })
    await ask('POST', '/task', { name: 'b' })
    expect((await ask('PATCH', '/task/1', { name: 'c' })).status).toBe(200)
    await expect.poll(() => told.length).toBe(1)
    expect(told).toEqual([2])
    release()
    await expect.poll(() => told.length).toBe(3)
    expect(told).toEqual([2, 1, 1])
  })

  it('that fails is reported; the change stands, and the other hooks are told', async () => {
    const faults: unknown[] = []
    const told: string[] = []
    const hooks = [
      after(task, () => {
        throw new Error('at once')
      }),
      after(task, () => Promise.reject(new Error('later'))),
      after(task, ({ kind }) => {
        told.push(kind)
      }),
    ]
    const onFault = (message: string, error: unknown) => faults.push(`${message} ${(error as Error).message}`)
    const { ask, get } = await noted({ after: hooks }, { onFault })
    expect((await ask('POST', '/task', { name: 'a' })).status).toBe(201)
    await expect.poll(() => told.length).toBe(1)
    expect((await get('/task/1')).status).toBe(200)
    expect(faults).toEqual([
      'A hook failed after the create of task 1, which is done. at once',
      'A hook failed after the create of task 1, which is done. later',
    ])
  })
})

describe('closing a service', () => {
  it('waits for the hooks under way, and those that wait for them', async () => {
    const told: string[] = []
    const slowly = after(task, async ({ record }) => {
      await pause(5)
      told.push(record.title)
    })
    const { ask, app } = await noted({ after: [slowly] })
    await ask('POST', '/task', { name: 'a' })
    await ask('PATCH', '/task/1', { name: 'b' })
    expect(told).not.toContain('b')
    await app.close()
    expect(told).toEqual(['a', 'b'])
  })

  it('waits no longer than 10 seconds for one that never ends, and says so', async () => {
    const faults: string[] = []
    const never = after(task, () => new Promise(() => {}))
    const { ask, app } = await noted({ after: [never] }, { onFault: (message) => faults.push(message) })
    await ask('POST', '/task', { name: 'a' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const closed = app.close()
    await expect.poll(() => vi.getTimerCount() > 0).toBe(true)
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    await closed
    expect(faults).toEqual(['The service closes while a hook was still under way after 10 seconds.'])
  })
})
