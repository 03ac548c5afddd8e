/** The behaviour that every store must have, under any names; it runs unchanged on each database. */
import {
  type AnyApi,
  api,
  boolean,
  choice,
  createdAt,
  decimal,
  email,
  identity,
  integer,
  link,
  noun,
  type Operation,
  operations,
  reference,
  resource,
  text,
  updatedAt,
  type Value,
} from '@nomen/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Model, modelOf } from '../src/store/model.ts'
import type { Outcome } from '../src/store/outcome.ts'
import type { ChangePlan, CreatePlan, ListPlan, Plan, RowFilter, Values } from '../src/store/plan.ts'
import type { Store } from '../src/store/store.ts'

const project = noun('project', { id: identity(), name: text() }, { label: 'name' })
const task = noun(
  'task',
  {
    id: identity(),
    project: reference(() => project).column('project_id'),
    title: text().column('Title, in "full"'),
    owner: email().unique().column("owner's.mail"),
    state: choice({ OPEN: ['DONE'], DONE: [] })
      .default('OPEN')
      .column('state_of'),
    urgent: boolean().default(false),
    effort: integer().nullable(),
    cost: decimal({ precision: 18, scale: 2 }).default('0.00'),
    parent: reference(() => task)
      .nullable()
      .clearedOnDelete()
      .column('parent_id'),
    created: createdAt(),
    changed: updatedAt().column('changed_at'),
  },
  { label: 'title', unique: [['project', 'title']], table: 'all.tasks' },
)
const note = noun('note', { id: identity(), task: reference(() => task), words: text() })
const label = noun('label', { id: identity().column('label_id'), project: reference(() => project), name: text() })
const taskLabel = link(task, label, { sharing: 'project', table: 'task_labels', columns: ['task_id', 'label_id'] })

const work: AnyApi = api('work', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(project),
    resource(task, {
      search: ['title'],
      by: ['owner'],
      detail: true,
      list: ['id', 'title'],
      children: [resource(note), resource(label, { via: taskLabel })],
    }),
    resource(label),
  ],
})
const table = operations(work)
const now = '2026-11-15T03:29:00.000Z'

/** What the suite needs to open, and to open again, one and the same database. */
export interface StoreUnderTest {
  /** Opens the database of this test; a second call opens what the first one left. */
  open(model: Model): Promise<Store>
  remove(): Promise<void>
}

export function storeSuite(name: string, prepare: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    const model = modelOf(table)
    let under: StoreUnderTest
    let store: Store
    const run = async (plan: Plan): Promise<Outcome> => store.run(plan)

    beforeEach(async () => {
      under = await prepare()
      store = await under.open(model)
    })
    afterEach(async () => {
      await store.close()
      await under.remove()
    })

    const created = async (id: string, values: Values, ancestors: readonly Value[] = []) =>
      recordOf(await run(createPlan(id, values, ancestors)))
    const someTask = (title: string, more: Values = {}) => created('task.create', newTask(title, more))
    const titles = async (plan: Partial<ListPlan>) => {
      const outcome = await run(listPlan('task.list', plan))
      if (outcome.kind !== 'list') throw new Error(outcome.kind)
      return {
        titles: (JSON.parse(outcome.json) as { title: string }[]).map((one) => one.title),
        total: outcome.numberOfRecords,
      }
    }

    it('is empty at first, and not after a record has come', async () => {
      expect(await store.isEmpty()).toBe(true)
      await created('project.create', { name: 'One' })
      expect(await store.isEmpty()).toBe(false)
    })

    it('gives a new record its identity, counting from 1, and version 1', async () => {
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

    it('keeps what it has acknowledged when it is opened again', async () => {
      await created('project.create', { name: 'One' })
      await store.close()
      store = await under.open(model)
      expect(recordOf(await run(readPlan('project.read', 1)))).toEqual({ id: 1, name: 'One' })
    })

    it('never gives an identity twice, not even after a delete and a reopening', async () => {
      await created('project.create', { name: 'One' })
      await run(deletePlan('project.delete', 1))
      await store.close()
      store = await under.open(model)
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

    it('changes nothing when nothing is given', async () => {
      await created('project.create', { name: 'One' })
      expect(await run(changePlan('project.update', 1, {}))).toMatchObject({ kind: 'record', version: 1 })
    })

    it('refuses a change to a record that is not at the expected version', async () => {
      await created('project.create', { name: 'One' })
      const stale: ChangePlan = {
        ...changePlan('project.update', 1, { name: 'Uno' }),
        match: (_, version) => version === 7,
      }
      expect(await run(stale)).toEqual({ kind: 'refused', refusal: { reason: 'changed' } })
      expect(recordOf(await run(readPlan('project.read', 1)))).toEqual({ id: 1, name: 'One' })
    })

    it('refuses a unique value that is taken, e-mail addresses whatever their case', async () => {
      await created('project.create', { name: 'One' })
      await someTask('a', { owner: 'a@example.com' })
      const again = createPlan('task.create', newTask('b', { owner: 'A@EXAMPLE.com' }))
      expect(await run(again)).toEqual({
        kind: 'refused',
        refusal: { reason: 'taken', taken: [{ field: 'owner', value: 'A@EXAMPLE.com' }] },
      })
      const sameTitle = createPlan('task.create', newTask('a', { owner: 'b@example.com' }))
      expect(await run(sameTitle)).toEqual({
        kind: 'refused',
        refusal: {
          reason: 'taken',
          taken: [
            { field: 'project', value: 1 },
            { field: 'title', value: 'a' },
          ],
        },
      })
    })

    it('refuses references to nothing, all of them at once', async () => {
      const outcome = await run(createPlan('task.create', newTask('a', { project: 5, parent: 6 })))
      const missing = [
        { field: 'project', value: 5 },
        { field: 'parent', value: 6 },
      ]
      expect(outcome).toEqual({ kind: 'refused', refusal: { reason: 'no-target', missing } })
    })

    it('refuses a transition that is not declared', async () => {
      await created('project.create', { name: 'One' })
      await someTask('a', { state: 'DONE' })
      const refusal = { reason: 'transition', field: 'state', from: 'DONE', to: 'OPEN' }
      expect(await run(changePlan('task.update', 1, { state: 'OPEN' }))).toEqual({ kind: 'refused', refusal })
      expect(await run(changePlan('task.update', 1, { state: 'DONE' }))).toMatchObject({ kind: 'record' })
    })

    it('sees the whole record also after a change of nothing', async () => {
      await created('project.create', { name: 'One' })
      for (const title of ['a', 'b']) await someTask(title)
      expect(await run(changePlan('task.update', 1, {}))).toMatchObject({ kind: 'record', version: 1 })
      const seen: unknown[] = []
      const check = (next: Values, previous: Values | undefined) => {
        seen.push([next.title, previous?.title, previous?.state])
        return undefined
      }
      await run({ ...changePlan('task.update', 1, { urgent: true }), check })
      expect(seen).toEqual([['a', 'a', 'OPEN']])
      expect(await run(changePlan('task.update', 1, { title: 'b' }))).toMatchObject({
        refusal: {
          taken: [
            { field: 'project', value: 1 },
            { field: 'title', value: 'b' },
          ],
        },
      })
    })

    it('shows a rule the record before and after a change, and refuses what it breaks', async () => {
      await created('project.create', { name: 'One' })
      await someTask('a', { effort: 3 })
      const seen: unknown[] = []
      const plan: ChangePlan = {
        ...changePlan('task.update', 1, { effort: 2 }),
        check: (next, previous) => {
          seen.push(previous?.effort, next.effort, next.urgent)
          return { field: 'effort', detail: 'shrinks' }
        },
      }
      const breach = { field: 'effort', detail: 'shrinks' }
      expect(await run(plan)).toEqual({ kind: 'refused', refusal: { reason: 'rule', breach } })
      expect(seen).toEqual([3, 2, false])
      expect(recordOf(await run(readPlan('task.read', 1)))).toMatchObject({ effort: 3 })
    })

    it.each([
      ['sees all records', undefined],
      ['sees some records', { task: [{ kind: 'equal', fields: ['urgent'], values: [false] }] }] satisfies [
        string,
        RowFilter,
      ],
    ])('names the same one of several refusals on every database, to a caller that %s', async (_, rowFilter) => {
      for (const name of ['One', 'Two']) await created('project.create', { name })
      for (const title of ['a', 'b']) await someTask(title, { state: 'DONE', owner: `${title}@example.com` })
      await created('label.create', { project: 1, name: 'red' })
      await run(linkPlan('task.label.link', 1, 1))
      const reasonOf = async (plan: Plan) => {
        const outcome = await run({ ...plan, ...(rowFilter && { rowFilter }) })
        return outcome.kind === 'refused' ? outcome.refusal.reason : outcome.kind
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
      expect(await reasonOf({ ...change, match: () => false })).toBe('changed')
      expect(
        await reasons(change, { state: 'DONE' }, { parent: null }, { project: 1 }, ...right, {
          owner: 'c@example.com',
        }),
      ).toEqual(['transition', 'no-target', 'not-shared', ...hidden, 'rule', 'taken', 'record'])
      const create: CreatePlan = { ...createPlan('task.create', newTask('c', wrong)), check }
      expect(await reasons(create, { parent: null }, ...right, { owner: 'd@example.com' })).toEqual([
        'no-target',
        ...hidden,
        'rule',
        'taken',
        'record',
      ])
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

    it('refuses to delete a record that others point at', async () => {
      await created('project.create', { name: 'One' })
      await someTask('a')
      const refusal = { reason: 'referenced', noun: 'task', field: 'project', count: 1 }
      expect(await run(deletePlan('project.delete', 1))).toEqual({ kind: 'refused', refusal })
    })

    it('links only records that share what the link demands, and keeps them sharing it', async () => {
      await created('project.create', { name: 'One' })
      await created('project.create', { name: 'Two' })
      await someTask('a')
      await created('label.create', { project: 2, name: 'red' })
      const refusal = { reason: 'not-shared', field: 'project', noun: 'task', count: 1 }
      expect(await run(linkPlan('task.label.link', 1, 1))).toEqual({ kind: 'refused', refusal })
      await run(changePlan('label.update', 1, { project: 1 }))
      expect(await run(linkPlan('task.label.link', 1, 1))).toMatchObject({ kind: 'record', identity: 1 })
      expect(await run(linkPlan('task.label.link', 1, 1))).toMatchObject({ kind: 'record', identity: 1 })
      expect(await run(changePlan('label.update', 1, { project: 2 }))).toMatchObject({ kind: 'refused' })
      expect(await run(linkPlan('task.label.unlink', 1, 1))).toMatchObject({ kind: 'record' })
      expect(await run(linkPlan('task.label.unlink', 1, 1))).toEqual({ kind: 'missing', level: 1 })
    })

    it('answers a repeated key with the first answer, and refuses it for another request', async () => {
      const keyed = (values: Values, fingerprint: string): CreatePlan => ({
        ...createPlan('project.create', values),
        idempotency: { key: '/project k', fingerprint },
      })
      const first = await run(keyed({ name: 'One' }, 'f1'))
      expect(await run(keyed({ name: 'One' }, 'f1'))).toEqual({ ...first, isReplay: true })
      expect(await run(keyed({ name: 'Two' }, 'f2'))).toEqual({ kind: 'refused', refusal: { reason: 'key-reused' } })
      const nextDay: CreatePlan = { ...keyed({ name: 'Two' }, 'f2'), now: '2026-11-16T03:29:00.001Z' }
      expect(await run(nextDay)).toMatchObject({ kind: 'record', identity: 2 })
    })

    it('does each of many writes at once wholly or not at all', async () => {
      await created('project.create', { name: 'One' })
      const owners = Array.from({ length: 40 }, (_, index) => `${index % 30}@example.com`)
      const outcomes = await Promise.all(
        owners.map((owner, index) => run(createPlan('task.create', newTask(`task ${index}`, { owner })))),
      )
      expect(outcomes.filter(({ kind }) => kind === 'record')).toHaveLength(30)
      expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(10)
      expect((await titles({ page: { pageNumber: 1, pageSize: 100 } })).total).toBe(30)
    })

    it('pages in the order of identities, with the exact number of records', async () => {
      await created('project.create', { name: 'One' })
      for (const title of ['c', 'a', 'b']) await someTask(title, { owner: `${title}@example.com` })
      expect(await titles({ page: { pageNumber: 1, pageSize: 2 } })).toEqual({ titles: ['c', 'a'], total: 3 })
      expect(await titles({ page: { pageNumber: 2, pageSize: 2 } })).toEqual({ titles: ['b'], total: 3 })
      const beyond = { pageNumber: Number.MAX_SAFE_INTEGER, pageSize: 1000 }
      expect(await titles({ page: beyond })).toEqual({ titles: [], total: 3 })
    })

    it('filters by any of some values, null among them, and by ranges', async () => {
      await created('project.create', { name: 'One' })
      const efforts = { a: null, b: 1, c: 2, d: 3 }
      for (const [title, effort] of Object.entries(efforts))
        await someTask(title, { effort, owner: `${title}@example.com` })
      const equal = (...values: Value[]) => titles({ conditions: [{ kind: 'equal', fields: ['effort'], values }] })
      expect((await equal(2)).titles).toEqual(['c'])
      expect((await equal(null)).titles).toEqual(['a'])
      expect((await equal(3, null, 1)).titles).toEqual(['a', 'b', 'd'])
      const range = titles({ conditions: [{ kind: 'range', fields: ['effort'], from: 1, to: 3 }] })
      expect((await range).titles).toEqual(['b', 'c'])
    })

    it('finds included records whatever the filters, at their natural place and in the total', async () => {
      await created('project.create', { name: 'One' })
      for (const title of ['a', 'b', 'c'])
        await someTask(title, { urgent: title === 'c', owner: `${title}@example.com` })
      const urgent = { kind: 'equal' as const, fields: ['urgent'], values: [true] }
      expect(await titles({ conditions: [urgent], include: [1, 99] })).toEqual({ titles: ['a', 'c'], total: 2 })
      expect(await titles({ include: [1] })).toMatchObject({ total: 3 })
    })

    it('searches without regard to case, in any script', async () => {
      await created('project.create', { name: 'One' })
      for (const title of ['Große Straße', 'ΟΔΟΣ', '100%_x'])
        await someTask(title, { owner: `${title.length}@example.com` })
      const search = (...texts: string[]) => titles({ conditions: [{ kind: 'search', fields: ['title'], texts }] })
      expect((await search('STRASSE')).titles).toEqual(['Große Straße'])
      expect((await search('οδος', '%_')).titles).toEqual(['ΟΔΟΣ', '100%_x'])
      expect((await search('')).total).toBe(3)
    })

    it('sorts text by code point, null first, and mirrors it descending; identity breaks ties', async () => {
      await created('project.create', { name: 'One' })
      const rows: [string, number | null][] = [
        ['b', 2],
        ['B', null],
        ['\u{1F600}', 2],
        ['\uFFFD', 1],
      ]
      for (const [index, [title, effort]] of rows.entries())
        await someTask(title, { effort, owner: `${index}@example.com` })
      const sorted = async (field: string, isDescending: boolean) =>
        (await titles({ order: [{ field, isDescending }] })).titles
      expect(await sorted('title', false)).toEqual(['B', 'b', '\uFFFD', '\u{1F600}'])
      expect(await sorted('effort', false)).toEqual(['B', '\uFFFD', 'b', '\u{1F600}'])
      expect(await sorted('effort', true)).toEqual(['b', '\u{1F600}', '\uFFFD', 'B'])
    })

    it('sorts and ranges decimals by their value', async () => {
      await created('project.create', { name: 'One' })
      for (const cost of ['10.00', '9.50', '-3.00']) await someTask(cost, { cost, owner: `${cost}@example.com` })
      expect((await titles({ order: [{ field: 'cost', isDescending: false }] })).titles).toEqual([
        '-3.00',
        '9.50',
        '10.00',
      ])
      const range = titles({ conditions: [{ kind: 'range', fields: ['cost'], from: '-3.00', to: '10.00' }] })
      expect((await range).titles).toEqual(['9.50', '-3.00'])
    })

    it('shows the label of a referenced record in a list', async () => {
      await created('project.create', { name: 'One' })
      await someTask('a')
      await someTask('b', { parent: 1, owner: 'b@example.com' })
      const outcome = await run(listPlan('task.detail', {}))
      expect(outcome.kind === 'list' && JSON.parse(outcome.json)).toMatchObject([
        { project: 'One', parent: null },
        { project: 'One', parent: 'a' },
      ])
    })

    it('loads into an empty database only, also when two ask at once', async () => {
      const rows = [{ id: 5, name: 'Five' }]
      const other = await under.open(model)
      const parts = () => [{ noun: 'project', rows }]
      const counts = await Promise.all([store.loadIfEmpty(parts), other.loadIfEmpty(parts)])
      await other.close()
      expect(counts.toSorted()).toEqual([0, 1])
      expect(await store.loadIfEmpty(parts)).toBe(0)
    })

    it('loads rows in bulk, all or none', async () => {
      const rows = [
        { id: 5, name: 'Five' },
        { id: 6, name: 'Six' },
      ]
      await expect(store.load([{ noun: 'project', rows: [...rows, { id: 5, name: 'again' }] }])).rejects.toThrow()
      expect(await store.isEmpty()).toBe(true)
      expect(await store.load([{ noun: 'project', rows }])).toBe(2)
      expect(await created('project.create', { name: 'Seven' })).toMatchObject({ id: 7 })
    })
  })
}

function operation(id: string): Operation {
  const found = table.find((one) => one.id === id)
  if (!found) throw new Error(`There is no operation ${id}: ${table.map((one) => one.id).join(', ')}`)
  return found
}

function newTask(title: string, more: Values = {}): Values {
  const usual = {
    owner: `${title.length}-${title.codePointAt(0)}@example.com`,
    state: 'OPEN',
    urgent: false,
    effort: null,
  }
  return { project: 1, title, ...usual, cost: '0.00', parent: null, created: now, changed: now, ...more }
}

function createPlan(id: string, values: Values, ancestors: readonly Value[] = []): CreatePlan {
  return { kind: 'create', operation: operation(id), ancestors, values, now, check: undefined }
}

function changePlan(id: string, key: Value, values: Values): ChangePlan {
  return {
    kind: 'change',
    operation: operation(id),
    ancestors: [],
    key,
    values,
    now,
    match: undefined,
    check: undefined,
  }
}

function deletePlan(id: string, key: Value): Plan {
  return { kind: 'delete', operation: operation(id), ancestors: [], key, now, match: undefined }
}

function readPlan(id: string, key: Value): Plan {
  return { kind: 'read', operation: operation(id), ancestors: [], key }
}

function linkPlan(id: string, near: Value, far: Value): Plan {
  const found = operation(id)
  const kind = found.kind === 'link' ? 'link' : 'unlink'
  return { kind, operation: found, ancestors: [near], key: far, now, match: undefined, mustBeLinked: false }
}

function listPlan(id: string, more: Partial<ListPlan>): ListPlan {
  const page = { pageNumber: 1, pageSize: 100 }
  return {
    kind: 'list',
    operation: operation(id),
    ancestors: [],
    conditions: [],
    include: [],
    order: [],
    page,
    ...more,
  }
}

function recordOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.kind !== 'record') throw new Error(JSON.stringify(outcome))
  return JSON.parse(outcome.json)
}
