// Sample data: rows of which only what matters is given, and clear words for those that cannot be records.
import { boolean, choice, createdAt, email, identity, link, noun, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { opened, plainApi, serviceOf } from './opened.ts'

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
const sampled = (sample: Sample) => opened({ ...desk, sample })

describe('a sample', () => {
  it('has what a created record would have where its rows say nothing', async () => {
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
      'sample of noun "tiket": the service has none of that name.\n  Fix: did you mean "ticket"?',
    ],
    [
      'a reference to none',
      () => [{ noun: 'ticket', rows: [{ title: 'a' }, { title: 'b', assignee: 9 }] }],
      'row 2 of the sample of "ticket": "assignee" is person 9, which the sample does not have.',
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
      'row 2 of the sample of "person": another row has id 1 as well.',
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
      'row 2 of the sample of "person": another row has mail "A@b.c" as well.',
    ],
    [
      'a link to none',
      () => [
        { noun: 'person', rows: [{ name: 'Ada' }] },
        { link: ['person', 'ticket'], rows: [[1, 2]] },
      ],
      'row 1 of the sample of "person-ticket": "ticket" is ticket 2, which the sample does not have.',
    ],
    ['an unknown link', () => [{ link: ['ticket', 'person'], rows: [] }], 'sample of link "ticket-person"'],
  ]
  it.each(mistakes)('with %s is told at start', async (_, sample, told) => {
    await expect(sampled(sample)).rejects.toThrow(told)
  })
})
