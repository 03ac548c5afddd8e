/** Lists of a store: pages, filters, search, order and labels. */
import type { Value } from '@nomen/core'
import { expect, it } from 'vitest'
import type { StoreTest } from './store-test.ts'
import { listPlan } from './work-plan.ts'

export function listSuite({ created, run, someTask, titles }: StoreTest): void {
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

  it('returns included records whatever the filters, at their natural position and in the total', async () => {
    await created('project.create', { name: 'One' })
    for (const title of ['a', 'b', 'c']) await someTask(title, { urgent: title === 'c', owner: `${title}@example.com` })
    const urgent = { kind: 'equal' as const, fields: ['urgent'], values: [true] }
    expect(await titles({ conditions: [urgent], include: [1, 99] })).toEqual({ titles: ['a', 'c'], total: 2 })
    expect(await titles({ include: [1] })).toMatchObject({ total: 3 })
  })

  it('searches without regard to case, in any script', async () => {
    await created('project.create', { name: 'One' })
    for (const title of ['Große Straße', 'ΟΔΟΣ', '100%_x'])
      await someTask(title, { owner: `${title.length}@example.com` })
    const search = (...texts: string[]) => titles({ conditions: [{ kind: 'search', fields: ['title'], terms: texts }] })
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
}
