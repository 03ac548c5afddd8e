// Custom filters: declared by kind, implemented in the service file, and used like other filters.
import { api, boolean, choice, custom, date, identity, integer, noun, reference, resource, text } from '@nomen/core'
import { client } from '@nomen/core/client'
import { openapi } from '@nomen/core/openapi'
import { atLeast, before, between, type FilterDefinition, filter, referencedBy, service, visible } from '@nomen/server'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { openService } from './test-service.ts'

const project = noun('project', { id: identity(), name: text() })
const task = noun('task', {
  id: identity(),
  title: text(),
  due: date().nullable(),
  size: integer().default(1),
  status: choice('OPEN', 'DONE').default('OPEN'),
  project: reference(() => project).nullable(),
})

const overdue = custom(boolean())
const dueIn = custom(integer({ min: 1 }))
const theme = custom(choice('SMALL', 'NONE', 'ALL', 'MINE').nullable())
const dueOn = custom(date())
const declared = { filters: { overdue, dueIn, theme, dueOn } }
const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(project, { children: [resource(task, { path: 'project-task', ...declared })] }),
    resource(task, {
      rename: { name: 'title' },
      defaultFilter: { status: 'OPEN' },
      ...declared,
      offers: ['list', 'read'],
    }),
  ],
})

const today = '2026-11-15'
const implementations: readonly FilterDefinition[] = [
  filter(task, overdue, (isOverdue) => {
    expectTypeOf(isOverdue).toEqualTypeOf<boolean>()
    return isOverdue ? { due: before(today) } : [{ due: null }, { due: atLeast(today) }]
  }),
  filter(task, dueIn, (year) => ({ due: between(`${year}-01-01`, `${year + 1}-01-01`) })),
  filter(task, theme, (which, { user }) => {
    expectTypeOf(which).toEqualTypeOf<'SMALL' | 'NONE' | 'ALL' | 'MINE' | null>()
    if (which === 'SMALL') return { size: [1, 2], status: ['OPEN', 'DONE'] }
    return which === 'MINE' ? { id: user === undefined ? 2 : 1 } : which === 'ALL'
  }),
  filter(task, dueOn, (day) => ({ due: day })),
]

const rows = [
  { title: 'a', due: '2026-11-14', size: 1, status: 'OPEN', project: 1 },
  { title: 'b', due: '2026-11-15', size: 2, status: 'OPEN', project: 1 },
  { title: 'c', due: null, size: 3, status: 'OPEN', project: 2 },
  { title: 'd', due: '2025-12-31', size: 1, status: 'DONE', project: 2 },
  { title: 'e', due: '2027-01-01', size: 5, status: 'OPEN', project: null },
].map((row, at) => ({ id: at + 1, ...row }))

const sample = () => [
  { noun: 'project', rows: [1, 2].map((id) => ({ id, name: `${id}` })) },
  { noun: 'task', rows },
]

const definition = { name: 'desk', apis: [desk], sample }
const desked = (filters = implementations, more = {}) =>
  openService(service({ ...definition, filters, ...more }), { onFault: () => {} })

describe('a custom filter', () => {
  it('finds the records of its condition, with exact totals, together with other parameters', async () => {
    const { get } = await desked()
    const responses: Record<string, unknown> = {}
    for (const query of [
      'overdue=true',
      'overdue=false',
      'overdue=true&status=DONE&status=OPEN',
      'overdue=true&status=DONE&include=3',
      'overdue=false&pageSize=2&pageNumber=2',
      'overdue=false&sort=-due',
      'dueIn=2026',
      'dueIn=2026&overdue=true',
      'theme=SMALL',
      'theme=NONE',
      'theme=NONE&include=5',
      'theme=ALL',
      'theme=MINE',
      'theme=',
    ]) {
      const { body } = await get(`/task?${query}`)
      responses[query] = [body.pageInfo?.numberOfRecords, ...(body.results ?? []).map(({ id }: { id: number }) => id)]
    }
    expect(responses).toEqual({
      'overdue=true': [1, 1],
      'overdue=false': [3, 2, 3, 5],
      'overdue=true&status=DONE&status=OPEN': [2, 1, 4],
      'overdue=true&status=DONE&include=3': [2, 3, 4],
      'overdue=false&pageSize=2&pageNumber=2': [3, 5],
      'overdue=false&sort=-due': [3, 5, 2, 3],
      'dueIn=2026': [2, 1, 2],
      'dueIn=2026&overdue=true': [1, 1],
      'theme=SMALL': [2, 1, 2],
      'theme=NONE': [0],
      'theme=NONE&include=5': [1, 5],
      'theme=ALL': [4, 1, 2, 3, 5],
      'theme=MINE': [1, 2],
      'theme=': [0],
    })
  })

  it('finds records below a parent, and only those that the caller sees', async () => {
    const { column } = await desked()
    expect(await column('id', '/project/1/project-task?overdue=false')).toEqual([2])
    const narrowed = await desked(implementations, { visibility: [visible(task, () => ({ size: [1, 3] }))] })
    expect(await narrowed.column('id', '/task?overdue=false')).toEqual([3])
  })

  it('follows relations through records that the caller sees', async () => {
    const overdueBy = (condition: object) => [
      ...implementations.filter(({ customFilter }) => customFilter !== overdue),
      { noun: task, customFilter: overdue, find: () => condition },
    ]
    const inNamed = { project: { name: ['1', '2'] } }
    const all = await desked(overdueBy(inNamed))
    expect(await all.column('id', '/task?overdue=true')).toEqual([1, 2, 3])
    const besideOpen = { project: referencedBy(task, 'project', { due: null }) }
    const beside = await desked(overdueBy(besideOpen))
    expect(await beside.column('id', '/task?overdue=true')).toEqual([3])
    // The name of a project that is hidden must not be found out by a filter.
    const narrowed = await desked(overdueBy(inNamed), { visibility: [visible(project, () => ({ id: 2 }))] })
    expect(await narrowed.column('id', '/task?overdue=true')).toEqual([3])
    const few = await desked(overdueBy(besideOpen), { visibility: [visible(task, () => ({ size: [1, 2] }))] })
    expect(await few.column('id', '/task?overdue=true')).toEqual([])
  })

  it('rejects a value of another kind, and more than one', async () => {
    const { get } = await desked()
    const wrong = await get('/task?overdue=soon&dueIn=1&dueIn=2&theme=BIG')
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid-parameter'])
    expect(wrong.body.errors).toEqual([
      { parameter: 'overdue', detail: 'must be true or false, not "soon"' },
      { parameter: 'dueIn', detail: expect.stringContaining('once') },
      { parameter: 'theme', detail: expect.stringContaining('must be "SMALL"') },
    ])
    expect((await get('/task?overdu=true')).body.hint).toBe('Did you mean "overdue"?')
  })

  it('rejects an invalid value before code of the service runs', async () => {
    const { get, column } = await desked()
    expect(await column('id', '/task?dueOn=2026-11-14')).toEqual([1])
    const wrong = await get('/task?dueOn=soon&dueIn=0')
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid-parameter'])
    expect(wrong.body.errors).toEqual([
      { parameter: 'dueIn', detail: 'must be at least 1, not "0"' },
      { parameter: 'dueOn', detail: 'must be a date such as 2026-11-15, not "soon"' },
    ])
  })

  it.each<[string, () => unknown, string]>([
    ['an unknown field', () => ({ dew: today }), 'refers to the unknown field "dew"'],
    ['a value of the wrong type', () => ({ due: 7 }), 'compares due with 7, which must be a'],
    ['a range of a choice', () => ({ status: before('OPEN') }), 'has a range of "status"'],
    ['a promise', () => Promise.reject(new Error('late')), 'returned a promise'],
    [
      'an array of promises',
      () => [{ due: Promise.reject(new Error('a')) }, Promise.reject(new Error('b'))],
      'returned a promise',
    ],
    ['no field', () => ({}), 'returned an object without fields'],
    ['nothing', () => undefined, 'returned nothing'],
  ])('that returns %s is a fault of the service and finds nothing', async (_, find, text) => {
    const faults: string[] = []
    const filters = [filter(task, overdue, find as () => boolean), ...implementations.slice(1)]
    const { get } = await openService(service({ ...definition, filters }), {
      onFault: (_message, error) => faults.push((error as Error).message),
    })
    expect((await get('/task?overdue=true')).status).toBe(500)
    expect(faults).toEqual([expect.stringContaining(text)])
    expect(faults[0]).toContain('The filter "overdue" of "task"')
  })

  it('that is async is rejected at start', () => {
    expect(() => filter(task, overdue, (async () => true) as unknown as () => boolean)).toThrow(
      'noun "task": the function of filter() must not be async.',
    )
  })

  it('is in the document and in the type of the client', () => {
    const { parameters } = JSON.parse(JSON.stringify(openapi(desk))).paths['/task'].get
    const byName = (name: string) => parameters.find((parameter: { name?: string }) => parameter.name === name)
    expect(byName('overdue')).toMatchObject({ in: 'query', schema: { type: 'boolean' } })
    expect(byName('dueIn')).toMatchObject({ schema: { type: 'integer', minimum: 1 } })
    expect(byName('dueOn').schema).toEqual({ type: 'string', format: 'date' })
    const { list } = client<typeof desk>({ baseUrl: 'http://localhost' }).task
    type Query = NonNullable<Parameters<typeof list>[0]>
    expectTypeOf<Query['overdue']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<Query['theme']>().toEqualTypeOf<'SMALL' | 'NONE' | 'ALL' | 'MINE' | null | undefined>()
  })
})

describe('a service', () => {
  it.each<[string, readonly FilterDefinition[], string]>([
    [
      'a filter without an implementation',
      implementations.slice(1),
      'the filter "overdue" of /project/{projectId}/project-task has no',
    ],
    [
      'two implementations of one filter',
      [...implementations, ...implementations.slice(0, 1)],
      'has 2 implementations',
    ],
    [
      'an implementation of a filter that no list declares',
      [...implementations, filter(task, custom(boolean()), () => true)],
      'that no list declares',
    ],
    [
      'an implementation for another noun',
      [...implementations, filter(project, overdue, () => true)],
      'a filter of "project"',
    ],
  ])('is rejected with %s', (_, filters, text) => {
    expect(() => service({ ...definition, filters })).toThrow(text)
  })

  it('is rejected with a filter of a kind that is an identity, or with the name of a property', () => {
    // @ts-expect-error: a reference has no value of its own.
    expect(() => resource(task, { filters: { near: custom(reference(() => project)) } })).toThrow(
      'the custom filter "near" cannot have the field type reference.',
    )
    expect(() => resource(task, { filters: { title: custom(boolean()) } })).toThrow(
      'the filter "title" has the query parameter "title", which is a property',
    )
  })
})
