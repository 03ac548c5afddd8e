/** Records that a store creates, reads, changes, deletes, links and loads. */
import { expect, it } from 'vitest'
import type { CreatePlan, Values } from '../../src/store/plan.ts'
import type { StoreTest } from './store-test.ts'
import { changePlan, createPlan, deletePlan, linkPlan, newTask, now, readPlan, recordOf } from './work-plan.ts'

export function recordSuite({ created, openAgain, reopen, run, someTask, store, titles }: StoreTest): void {
  it('is empty at first, and not after a record has come', async () => {
    expect(await store().isEmpty()).toBe(true)
    await created('project.create', { name: 'One' })
    expect(await store().isEmpty()).toBe(false)
  })

  it('assigns a new record the next identity, from 1, and version 1', async () => {
    const first = await run(createPlan('project.create', { name: 'One' }))
    expect(first).toEqual({ kind: 'record', json: '{"id":1,"name":"One"}', identity: 1, version: 1 })
    expect(await run(readPlan('project.read', 1))).toEqual(first)
  })

  it('keeps every kind of value exactly', async () => {
    await created('project.create', { name: 'Ünïcode "quoted" \\ 😀\n' })
    const values = newTask('t', { urgent: true, effort: -7, cost: '-9999999999999999.99' })
    const task = await created('task.create', values)
    expect(task).toMatchObject({ urgent: true, effort: -7, cost: '-9999999999999999.99', parent: null, created: now })
    expect(recordOf(await run(readPlan('project.read', 1)))).toEqual({ id: 1, name: 'Ünïcode "quoted" \\ 😀\n' })
  })

  it('keeps acknowledged writes when it is opened again', async () => {
    await created('project.create', { name: 'One' })
    await reopen()
    expect(recordOf(await run(readPlan('project.read', 1)))).toEqual({ id: 1, name: 'One' })
  })

  it('never assigns an identity twice, not even after a delete and a restart', async () => {
    await created('project.create', { name: 'One' })
    await run(deletePlan('project.delete', 1))
    await reopen()
    expect(await created('project.create', { name: 'Two' })).toMatchObject({ id: 2 })
  })

  it('misses a record that is not there, at its level of the path', async () => {
    expect(await run(readPlan('project.read', 9))).toEqual({ kind: 'missing', level: 0 })
    expect(await run({ ...readPlan('task.note.read', 1), ancestors: [9] })).toEqual({ kind: 'missing', level: 0 })
    await created('project.create', { name: 'One' })
    await someTask('a')
    expect(await run({ ...readPlan('task.note.read', 1), ancestors: [1] })).toEqual({ kind: 'missing', level: 1 })
  })

  it('finds by a unique e-mail address without regard to ASCII case', async () => {
    await created('project.create', { name: 'One' })
    await someTask('a', { owner: 'Anna@Example.com' })
    expect(recordOf(await run(readPlan('task.lookup.owner', 'anna@example.COM')))).toMatchObject({ title: 'a' })
  })

  it('raises the version with every change and shows the record after it', async () => {
    await created('project.create', { name: 'One' })
    const outcome = await run(changePlan('project.update', 1, { name: 'Uno' }))
    expect(outcome).toEqual({ kind: 'record', json: '{"id":1,"name":"Uno"}', identity: 1, version: 2 })
  })

  it('changes nothing if no values are sent', async () => {
    await created('project.create', { name: 'One' })
    expect(await run(changePlan('project.update', 1, {}))).toMatchObject({ kind: 'record', version: 1 })
  })

  it('deletes what a record owns and its links, and clears references to it', async () => {
    await created('project.create', { name: 'One' })
    await someTask('a')
    await someTask('b', { parent: 1 })
    await created('task.note.create', { task: 1, words: 'hello' }, [1])
    await created('label.create', { project: 1, name: 'red' })
    await run(linkPlan('task.label.link', 1, 1))
    expect(await run(deletePlan('task.delete', 1))).toMatchObject({ kind: 'record', identity: 1 })
    expect(recordOf(await run(readPlan('task.read', 2)))).toMatchObject({ parent: null, changed: now })
    expect(await run(readPlan('task.read', 2))).toMatchObject({ version: 2 })
    expect(await run(deletePlan('label.delete', 1))).toMatchObject({ kind: 'record' })
  })

  it('responds to a repeated key with the first response, and rejects it for another request', async () => {
    const keyed = (values: Values, fingerprint: string): CreatePlan => ({
      ...createPlan('project.create', values),
      idempotency: { key: '/project k', fingerprint },
    })
    const first = await run(keyed({ name: 'One' }, 'f1'))
    expect(await run(keyed({ name: 'One' }, 'f1'))).toEqual({ ...first, isReplay: true })
    expect(await run(keyed({ name: 'Two' }, 'f2'))).toEqual({ kind: 'rejected', rejection: { reason: 'key-reused' } })
    const nextDay: CreatePlan = { ...keyed({ name: 'Two' }, 'f2'), now: '2026-11-16T03:29:00.001Z' }
    expect(await run(nextDay)).toMatchObject({ kind: 'record', identity: 2 })
  })

  it('applies each of many concurrent writes completely or not at all', async () => {
    await created('project.create', { name: 'One' })
    const owners = Array.from({ length: 40 }, (_, index) => `${index % 30}@example.com`)
    const outcomes = await Promise.all(
      owners.map((owner, index) => run(createPlan('task.create', newTask(`task ${index}`, { owner })))),
    )
    expect(outcomes.filter(({ kind }) => kind === 'record')).toHaveLength(30)
    expect(outcomes.filter(({ kind }) => kind === 'rejected')).toHaveLength(10)
    expect((await titles({ page: { pageNumber: 1, pageSize: 100 } })).total).toBe(30)
  })

  it('loads into an empty database only, also when two ask at once', async () => {
    const rows = [{ id: 5, name: 'Five' }]
    const other = await openAgain()
    const parts = () => [{ noun: 'project', rows }]
    const counts = await Promise.all([store().loadIfEmpty(parts), other.loadIfEmpty(parts)])
    await other.close()
    expect(counts.toSorted()).toEqual([0, 1])
    expect(await store().loadIfEmpty(parts)).toBe(0)
  })

  it('loads rows in bulk, all or none', async () => {
    const rows = [
      { id: 5, name: 'Five' },
      { id: 6, name: 'Six' },
    ]
    await expect(
      store().loadIfEmpty(() => [{ noun: 'project', rows: [...rows, { id: 5, name: 'again' }] }]),
    ).rejects.toThrow()
    expect(await store().isEmpty()).toBe(true)
    expect(await store().loadIfEmpty(() => [{ noun: 'project', rows }])).toBe(2)
    expect(await created('project.create', { name: 'Seven' })).toMatchObject({ id: 7 })
  })
}
