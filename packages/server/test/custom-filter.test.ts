// Custom filters: declared by their kind, given a meaning in the service file, and then filters like all others.
import { api, boolean, choice, custom, date, identity, integer, noun, reference, resource, text } from '@nomen/core'
import { client } from '@nomen/core/client'
import { openapi } from '@nomen/core/openapi'
import { atLeast, before, between, type FilterDefinition, filter, service, visible } from '@nomen/server'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { opened } from './opened.ts'

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
const meanings: readonly FilterDefinition[] = [
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

const given = { name: 'desk', apis: [desk], sample }
const desked = (filters = meanings, more = {}) => opened(service({ ...given, filters, ...more }), { onFault: () => {} })

describe('a custom filter', () => {
  it('finds what its meaning says, with exact totals, and beside other parameters', async () => {
    const { get } = await desked()
    const found: Record<string, unknown> = {}
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
      found[query] = [body.pageInfo?.numberOfRecords, ...(body.results ?? []).map(({ id }: { id: number }) => id)]
    }
    expect(found).toEqual({
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

  it('finds below a parent, and only what the caller sees', async () => {
    const { column } = await desked()
    expect(await column('id', '/project/1/project-task?overdue=false')).toEqual([2])
    const narrowed = await desked(meanings, { visibility: [visible(task, () => ({ size: [1, 3] }))] })
    expect(await narrowed.column('id', '/task?overdue=false')).toEqual([3])
  })

  it('refuses a value of another kind, and more than one', async () => {
    const { get } = await desked()
    const wrong = await get('/task?overdue=soon&dueIn=1&dueIn=2&theme=BIG')
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid-parameter'])
    expect(wrong.body.errors).toEqual([
      { parameter: 'overdue', detail: 'must be true or false, not "soon"' },
      { parameter: 'dueIn', detail: expect.stringContaining('once') },
      { parameter: 'theme', detail: expect.stringContaining('one of "SMALL"') },
    ])
    expect((await get('/task?overdu=true')).body.hint).toBe('Did you mean "overdue"?')
  })

  it('refuses a value that its kind cannot hold, before any code of the service sees it', async () => {
    const { get, column } = await desked()
    expect(await column('id', '/task?dueOn=2026-11-14')).toEqual([1])
    const wrong = await get('/task?dueOn=soon&dueIn=0')
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid-parameter'])
    expect(wrong.body.errors).toEqual([
      { parameter: 'dueIn', detail: 'must be at least 1, not "0"' },
      { parameter: 'dueOn', detail: 'must be a date such as "2026-11-15", not "soon"' },
    ])
  })

  it.each<[string, () => unknown, string]>([
    ['a field that there is not', () => ({ dew: today }), 'names "dew"'],
    ['a value of another kind', () => ({ due: 7 }), 'wants due to be 7, which must be a'],
    ['bounds of what has no order', () => ({ status: before('OPEN') }), 'gives bounds of "status"'],
    ['a promise', async () => true, 'gives a promise'],
    ['no field', () => ({}), 'names no field'],
    ['nothing', () => undefined, 'cannot be told'],
  ])('that gives %s is a fault of the service, and finds nothing', async (_, find, text) => {
    const faults: string[] = []
    const filters = [filter(task, overdue, find as () => boolean), ...meanings.slice(1)]
    const { get } = await opened(service({ ...given, filters }), {
      onFault: (_message, error) => faults.push((error as Error).message),
    })
    expect((await get('/task?overdue=true')).status).toBe(500)
    expect(faults).toEqual([expect.stringContaining(text)])
    expect(faults[0]).toContain('What "overdue" finds of "task"')
  })

  it('stands in the document and in the type of the client', () => {
    const { parameters } = JSON.parse(JSON.stringify(openapi(desk))).paths['/task'].get
    const byName = (name: string) => parameters.find((one: { name?: string }) => one.name === name)
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
      'a filter without a meaning',
      meanings.slice(1),
      'the filter "overdue" of /project/{projectId}/project-task has no',
    ],
    ['two meanings of one filter', [...meanings, ...meanings.slice(0, 1)], 'has 2 meanings'],
    [
      'a meaning of no filter',
      [...meanings, filter(task, custom(boolean()), () => true)],
      'that none of its lists has',
    ],
    ['a meaning for another noun', [...meanings, filter(project, overdue, () => true)], 'a filter of "project"'],
  ])('is refused with %s', (_, filters, text) => {
    expect(() => service({ ...given, filters })).toThrow(text)
  })

  it('is refused with a filter of a kind that is an identity, or with the name of a property', () => {
    // @ts-expect-error: a reference has no value of its own.
    expect(() => resource(task, { filters: { near: custom(reference(() => project)) } })).toThrow('the kind reference')
    expect(() => resource(task, { filters: { title: custom(boolean()) } })).toThrow('cannot be called "title"')
  })
})
