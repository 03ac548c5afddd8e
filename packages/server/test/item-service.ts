import {
  boolean,
  choice,
  date,
  decimal,
  guid,
  identity,
  integer,
  noun,
  number,
  range,
  resource,
  timestamp,
  url,
} from '@nomen/core'
import { expect } from 'vitest'
import { plainApi, serviceOf, type TestService } from './test-service.ts'

const item = noun('item', {
  id: identity(),
  price: decimal({ scale: 2 }).default('0.00'),
  share: decimal({ precision: 18, scale: 17 }).nullable(),
  whole: decimal({ precision: 18, scale: 0 }).nullable(),
  ratio: number().default(0),
  count: integer().default(0),
  home: url().nullable(),
  due: date().nullable(),
  at: timestamp().nullable(),
  state: choice('NEW', 'DONE', 'ÜBER').nullable(),
  isOpen: boolean().nullable(),
  key: guid().nullable(),
})
const filters = {
  priced: range('price'),
  rated: range('ratio'),
  counted: range('count'),
  dueDay: range('due'),
  moment: range('at'),
} as const
export const items = serviceOf([plainApi(resource(item, { filters }))])

/** Posts one record for each value of a property. */
export async function posted(app: TestService, property: string, values: readonly unknown[]): Promise<unknown[]> {
  const shown: unknown[] = []
  for (const value of values) {
    const created = await app.send('POST', '/item', { [property]: value })
    expect([created.status, value], created.text).toEqual([201, value])
    const read = await app.get(`/item/${created.body.id}`)
    expect(read.body).toEqual(created.body)
    shown.push(read.body[property])
  }
  return shown
}

export const query = (name: string, ...values: unknown[]) =>
  values.map((value) => `${name}=${encodeURIComponent(`${value}`)}`).join('&')

/** Each value alone, and with another, finds the records that have it and no others. */
export async function expectFiltered(app: TestService, property: string, values: readonly unknown[]): Promise<void> {
  const other = values[0]
  for (const value of values) {
    expect(await app.column(property, `/item?${query(property, value)}`), `${value}`).toEqual([value])
    const both = await app.column(property, `/item?${query(property, value, other)}`)
    expect(new Set(both), `${value} or ${other}`).toEqual(new Set([value, other]))
  }
}
