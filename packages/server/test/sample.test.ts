// Sample data: partial rows get defaults, and invalid rows get a clear message.
import {
  boolean,
  choice,
  createdAt,
  email,
  identity,
  integer,
  link,
  noun,
  reference,
  resource,
  tenant,
  text,
} from '@nomen/core'
import { assign, service } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const person = noun('person', {
  id: identity(),
  name: text(),
  mail: email().unique().nullable(),
  left: boolean().default(false),
})
const ticket = noun('ticket', {
  id: identity(),
  title: text(),
  short: text().defaultFrom('title'),
  status: choice('OPEN', 'CLOSED').default('OPEN'),
  assignee: reference(() => person).nullable(),
  created: createdAt(),
})
const watcher = link(person, ticket)
const desk = serviceOf([
  plainApi(resource(person), resource(ticket, { children: [resource(person, { via: watcher })] })),
])

type Sample = NonNullable<(typeof desk)['sample']>
const sampled = (sample: Sample) => openService({ ...desk, sample })

describe('a sample', () => {
  it('has the defaults of a created record for missing values', async () => {
    const { get } = await sampled(() => [
      { noun: 'ticket', rows: [{ title: 'Printer', assignee: 7 }, { id: 5, title: 'Screen' }, { title: 'Light' }] },
      { noun: 'person', rows: [{ id: 7, name: 'Ada' }] },
      { link: ['person', 'ticket'], rows: [[7, 6]] },
    ])
    const { body } = await get('/ticket')
    expect(body.results).toEqual([
      { id: 1, title: 'Printer', short: 'Printer', status: 'OPEN', assignee: 7, created: expect.any(String) },
      { id: 5, title: 'Screen', short: 'Screen', status: 'OPEN', assignee: null, created: expect.any(String) },
      { id: 6, title: 'Light', short: 'Light', status: 'OPEN', assignee: null, created: expect.any(String) },
    ])
    expect((await get('/ticket/6/person')).body.results).toEqual([{ id: 7, name: 'Ada', mail: null, left: false }])
  })

  const item = noun('item', { id: identity(), name: text(), slug: text().managed(), rank: integer().managed() })
  const items = serviceOf([{ ...plainApi(resource(item, { offers: ['list'] })) }])
  const slug = assign(item, ['slug'], ({ name }) => ({ slug: name.toLowerCase() }))
  const ranked = assign(item, ['rank'], async (_next, _previous, { read }) => ({ rank: await read(item).count() }))

  it('has the fields that assignments set, unless a row has them', async () => {
    const rows = [
      { name: 'Lamp', rank: 1 },
      { name: 'Desk', rank: 2, slug: 'table' },
    ]
    const sample = () => [{ noun: 'item', rows }]
    const { get } = await openService({ ...items, assignments: [slug, ranked], sample })
    expect((await get('/item')).body.results).toEqual([
      { id: 1, name: 'Lamp', slug: 'lamp', rank: 1 },
      { id: 2, name: 'Desk', slug: 'table', rank: 2 },
    ])
  })

  it('must have the fields of async assignments', async () => {
    const sample = () => [{ noun: 'item', rows: [{ name: 'Lamp' }] }]
    await expect(openService({ ...items, assignments: [slug, ranked], sample })).rejects.toThrow(
      'row 1 of the sample of "item": "rank" is missing.\n  Fix: use values that POST accepts, and set the fields of async assignments.',
    )
  })

  const mistakes: [string, Sample, string][] = [
    [
      'a wrong value',
      () => [{ noun: 'person', rows: [{ name: 'Ada' }, { name: 'Ben', left: 1 }] }],
      'row 2 of the sample of "person": "left"',
    ],
    ['a missing value', () => [{ noun: 'ticket', rows: [{}] }], 'row 1 of the sample of "ticket": "title" is missing.'],
    ['an unknown field', () => [{ noun: 'ticket', rows: [{ titel: 'a' }] }], '(did you mean "title"?)'],
    [
      'an unknown noun',
      () => [{ noun: 'tiket', rows: [] }],
      'sample: the service has no noun "tiket".\n  Fix: did you mean "ticket"?',
    ],
    [
      'a reference to none',
      () => [{ noun: 'ticket', rows: [{ title: 'a' }, { title: 'b', assignee: 9 }] }],
      'row 2 of the sample of "ticket": "assignee" is person 9, which is not in the sample.',
    ],
    [
      'an identity that another row has',
      () => [
        {
          noun: 'person',
          rows: [
            { id: 1, name: 'Ada' },
            { id: 1, name: 'Ben' },
          ],
        },
      ],
      'row 2 of the sample of "person": another row also has id 1.',
    ],
    [
      'values that another row has',
      () => [
        {
          noun: 'person',
          rows: [
            { name: 'Ada', mail: 'a@b.c' },
            { name: 'Ben', mail: 'A@b.c' },
          ],
        },
      ],
      'row 2 of the sample of "person": another row also has mail "A@b.c".',
    ],
    [
      'a link to none',
      () => [
        { noun: 'person', rows: [{ name: 'Ada' }] },
        { link: ['person', 'ticket'], rows: [[1, 2]] },
      ],
      'row 1 of the sample of "person-ticket": "ticket" is ticket 2, which is not in the sample.',
    ],
    [
      'an unknown link',
      () => [{ link: ['ticket', 'person'], rows: [] }],
      'sample: the service has no link "ticket-person".',
    ],
    // Code that the compiler does not check, such as JavaScript.
    ['a list instead of a function', [] as unknown as Sample, 'sample: it must be a function that returns a list'],
    ['a part that is null', (() => [null]) as unknown as Sample, 'sample: each part must have the name of a noun'],
    ['no list', (() => undefined) as unknown as Sample, 'sample: it must be a function that returns a list'],
    [
      'a noun instead of its name',
      (() => [{ noun: {}, rows: [] }]) as unknown as Sample,
      'sample: each part must have',
    ],
    ['no rows', () => [{ noun: 'ticket' } as never], 'sample: each part must have'],
  ]
  it.each(mistakes)('with %s is rejected at start', async (_, sample, message) => {
    await expect(sampled(sample)).rejects.toThrow(message)
  })
})

describe('a sample of several tenants', () => {
  const team = noun('team', { id: identity(), tenant: tenant(), lead: reference(() => member).nullable() })
  const member = noun('member', { id: identity(), tenant: tenant(), team: reference(() => team) })
  const knows = link(member, team)
  const company = service({
    name: 'company',
    apis: [
      plainApi(resource(team, { children: [resource(member, { path: 'friend', via: knows })] }), resource(member)),
    ],
    tenant: { claim: 'tenant' },
  })
  const rows =
    (lead: number, ownTeam: number, friend: number): Sample =>
    () => [
      { link: ['member', 'team'], rows: [[3, friend]] },
      {
        noun: 'team',
        rows: [
          { id: 1, tenant: 'north', lead },
          { id: 2, tenant: 'south', lead: null },
        ],
      },
      {
        noun: 'member',
        rows: [
          { id: 3, tenant: 'north', team: ownTeam },
          { id: 4, tenant: 'south', team: 2 },
        ],
      },
    ]
  const opened = (sample: Sample) => openService({ ...company, sample })

  it('is loaded if each row refers to rows of its tenant', async () => {
    await expect(opened(rows(3, 1, 1))).resolves.toBeDefined()
  })

  it.each([
    [
      rows(4, 1, 1),
      'row 1 of the sample of "team": team 1 belongs to the tenant "north", but member 4 belongs to "south".',
    ],
    [rows(3, 2, 1), 'row 1 of the sample of "member": member 3 belongs to the tenant "north", but team 2'],
    [rows(3, 1, 2), 'row 1 of the sample of "member-team": member 3 belongs to the tenant "north", but team 2'],
  ])('is rejected if a row refers to a row of another tenant (%#)', async (sample, message) => {
    await expect(opened(sample)).rejects.toThrow(message)
  })
})
