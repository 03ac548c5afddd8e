/** Writes that a store rejects, and the record that a rule sees. */
import { expect, it } from 'vitest'
import type { ChangePlan, CreatePlan, Plan, RowFilter, Values } from '../../src/store/plan.ts'
import type { StoreTest } from './store-test.ts'
import { changePlan, createPlan, deletePlan, linkPlan, newTask, readPlan, recordOf } from './work-plan.ts'

export function rejectedWriteSuite({ created, run, someTask }: StoreTest): void {
  it('rejects a change to a record that is not at the expected version', async () => {
    await created('project.create', { name: 'One' })
    const stale: ChangePlan = {
      ...changePlan('project.update', 1, { name: 'Uno' }),
      meetsPreconditions: (_, version) => version === 7,
    }
    expect(await run(stale)).toEqual({ kind: 'rejected', rejection: { reason: 'precondition' } })
    expect(recordOf(await run(readPlan('project.read', 1)))).toEqual({ id: 1, name: 'One' })
  })

  it('rejects a unique value that is taken, e-mail addresses whatever their case', async () => {
    await created('project.create', { name: 'One' })
    await someTask('a', { owner: 'a@example.com' })
    const again = createPlan('task.create', newTask('b', { owner: 'A@EXAMPLE.com' }))
    expect(await run(again)).toEqual({
      kind: 'rejected',
      rejection: { reason: 'taken', taken: [{ field: 'owner', value: 'A@EXAMPLE.com' }] },
    })
    const sameTitle = createPlan('task.create', newTask('a', { owner: 'b@example.com' }))
    expect(await run(sameTitle)).toEqual({
      kind: 'rejected',
      rejection: {
        reason: 'taken',
        taken: [
          { field: 'project', value: 1 },
          { field: 'title', value: 'a' },
        ],
      },
    })
  })

  it('rejects references to missing records, and reports all of them', async () => {
    const outcome = await run(createPlan('task.create', newTask('a', { project: 5, parent: 6 })))
    const missing = [
      { field: 'project', value: 5 },
      { field: 'parent', value: 6 },
    ]
    expect(outcome).toEqual({ kind: 'rejected', rejection: { reason: 'no-target', missing } })
  })

  it('rejects a transition that is not declared', async () => {
    await created('project.create', { name: 'One' })
    await someTask('a', { state: 'DONE' })
    const rejection = { reason: 'transition', field: 'state', from: 'DONE', to: 'OPEN' }
    expect(await run(changePlan('task.update', 1, { state: 'OPEN' }))).toEqual({ kind: 'rejected', rejection })
    expect(await run(changePlan('task.update', 1, { state: 'DONE' }))).toMatchObject({ kind: 'record' })
  })

  it('sees the whole record also after a change of nothing', async () => {
    await created('project.create', { name: 'One' })
    for (const title of ['a', 'b']) await someTask(title)
    expect(await run(changePlan('task.update', 1, {}))).toMatchObject({ kind: 'record', version: 1 })
    const calls: unknown[] = []
    const check = (next: Values, previous: Values | undefined) => {
      calls.push([next.title, previous?.title, previous?.state])
      return undefined
    }
    await run({ ...changePlan('task.update', 1, { urgent: true }), check })
    expect(calls).toEqual([['a', 'a', 'OPEN']])
    expect(await run(changePlan('task.update', 1, { title: 'b' }))).toMatchObject({
      rejection: {
        taken: [
          { field: 'project', value: 1 },
          { field: 'title', value: 'b' },
        ],
      },
    })
  })

  it('shows a rule the record before and after a change, and rejects what it breaks', async () => {
    await created('project.create', { name: 'One' })
    await someTask('a', { effort: 3 })
    const values: unknown[] = []
    const plan: ChangePlan = {
      ...changePlan('task.update', 1, { effort: 2 }),
      check: (next, previous) => {
        values.push(previous?.effort, next.effort, next.urgent)
        return { field: 'effort', detail: 'shrinks' }
      },
    }
    const breach = { field: 'effort', detail: 'shrinks' }
    expect(await run(plan)).toEqual({ kind: 'rejected', rejection: { reason: 'rule', breach } })
    expect(values).toEqual([3, 2, false])
    expect(recordOf(await run(readPlan('task.read', 1)))).toMatchObject({ effort: 3 })
  })

  it.each([
    ['sees all records', undefined],
    ['sees some records', { task: [{ kind: 'equal', fields: ['urgent'], values: [false] }] }] satisfies [
      string,
      RowFilter,
    ],
  ])('names the same one of several rejections on every database, to a caller that %s', async (_, rowFilter) => {
    for (const name of ['One', 'Two']) await created('project.create', { name })
    for (const title of ['a', 'b']) await someTask(title, { state: 'DONE', owner: `${title}@example.com` })
    await created('label.create', { project: 1, name: 'red' })
    await run(linkPlan('task.label.link', 1, 1))
    const reasonOf = async (plan: Plan) => {
      const outcome = await run({ ...plan, ...(rowFilter && { rowFilter }) })
      return outcome.kind === 'rejected' ? outcome.rejection.reason : outcome.kind
    }
    const check = ({ effort }: Values) => (effort === 0 ? { detail: 'no effort' } : undefined)
    const wrong = { parent: 9, urgent: true, effort: 0, owner: 'b@example.com' }
    const right = [{ urgent: false }, { effort: 1 }]
    // Each time, the fault that was named is corrected.
    const reasons = async (plan: CreatePlan | ChangePlan, ...corrections: Values[]) => {
      const named = [await reasonOf(plan)]
      let { values } = plan
      for (const correction of corrections) {
        values = { ...values, ...correction }
        named.push(await reasonOf({ ...plan, values }))
      }
      return named.filter((reason, index) => reason !== named[index - 1])
    }
    const hidden = rowFilter ? ['out-of-sight'] : []
    const change = { ...changePlan('task.update', 1, { ...wrong, state: 'OPEN', project: 2 }), check }
    expect(await reasonOf({ ...change, meetsPreconditions: () => false })).toBe('precondition')
    expect(
      await reasons(change, { state: 'DONE' }, { parent: null }, { project: 1 }, ...right, {
        owner: 'c@example.com',
      }),
    ).toEqual(['transition', 'no-target', 'shared-value', ...hidden, 'rule', 'taken', 'record'])
    const create: CreatePlan = { ...createPlan('task.create', newTask('c', wrong)), check }
    expect(await reasons(create, { parent: null }, ...right, { owner: 'd@example.com' })).toEqual([
      'no-target',
      ...hidden,
      'rule',
      'taken',
      'record',
    ])
  })

  it('rejects to delete a record that others reference', async () => {
    await created('project.create', { name: 'One' })
    await someTask('a')
    const rejection = { reason: 'referenced', noun: 'task', field: 'project', count: 1 }
    expect(await run(deletePlan('project.delete', 1))).toEqual({ kind: 'rejected', rejection })
  })

  it('links only records that share the required reference, and rejects to change it', async () => {
    await created('project.create', { name: 'One' })
    await created('project.create', { name: 'Two' })
    await someTask('a')
    await created('label.create', { project: 2, name: 'red' })
    const rejection = { reason: 'shared-value', field: 'project', noun: 'task', count: 1 }
    expect(await run(linkPlan('task.label.link', 1, 1))).toEqual({ kind: 'rejected', rejection })
    await run(changePlan('label.update', 1, { project: 1 }))
    expect(await run(linkPlan('task.label.link', 1, 1))).toMatchObject({ kind: 'record', identity: 1 })
    expect(await run(linkPlan('task.label.link', 1, 1))).toMatchObject({ kind: 'record', identity: 1 })
    expect(await run(changePlan('label.update', 1, { project: 2 }))).toMatchObject({ kind: 'rejected' })
    expect(await run(linkPlan('task.label.unlink', 1, 1))).toMatchObject({ kind: 'record' })
    expect(await run(linkPlan('task.label.unlink', 1, 1))).toEqual({ kind: 'missing', level: 1 })
  })
}
