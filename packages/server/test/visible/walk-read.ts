/** Walks of reads: lists with their filters and pages, records and lookups. */
import type { Operation, Value } from '@nomen/core'
import { expect } from 'vitest'
import { comparableRecord, expectRecord, isMissing, type Met, pathsTo, urlOf, type Walk } from './walk-step.ts'
import type { Row } from './world.ts'

export async function walkList(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye } = walk
  let isFiltered = false
  for (const ancestors of pathsTo(walk, operation.levels.length - 1)) {
    const url = urlOf(operation, ancestors)
    if (await isMissing(walk, ancestors, { method: 'GET', url }, met)) continue
    await expectList(walk, ancestors, '', met)
    // Filters are the same below every parent.
    if (!isFiltered && fitting(walk, ancestors, () => true).length > 0) await expectFilters(walk, ancestors, met)
    isFiltered ||= fitting(walk, ancestors, () => true).length > 0
  }
  const { name } = operation.shape.noun
  if (world.rows(name).some((row) => !eye(name, row))) met.hidden++
}

function fitting(
  { world, eye, operation }: Walk,
  ancestors: readonly Value[],
  fits: (row: Row) => boolean,
): readonly Row[] {
  const { name } = operation.shape.noun
  const relations = operation.levels.at(-1)?.relations ?? []
  return world.rows(name).filter((row) => eye(name, row) && fits(row) && world.isBelow(eye, relations, row, ancestors))
}

async function expectList(
  walk: Walk,
  ancestors: readonly Value[],
  query: string,
  met: Met,
  fits?: (row: Row) => boolean,
) {
  const { operation, world, eye, client, caller } = walk
  const expected = fitting(walk, ancestors, fits ?? byDefault(operation))
  const isPaginated = operation.list?.isPaginated === true
  const url = `${urlOf(operation, ancestors)}?${isPaginated ? 'pageSize=1000&' : ''}${query}`
  const { status, body, text } = await client.send(caller, { method: 'GET', url })
  expect(status, `${url} ${text}`).toBe(200)
  const results: Record<string, Value>[] = isPaginated ? body.results : body
  const { properties } = operation.shape
  expect(
    results.map((result) => comparableRecord(result, properties)),
    url,
  ).toEqual(expected.map((row) => world.shown(eye, row, properties)))
  if (isPaginated) expect(body.pageInfo.numberOfRecords, url).toBe(expected.length)
  met.visible += expected.length
}

function byDefault({ list }: Operation, except?: string): (row: Row) => boolean {
  const defaults = (list?.parameters ?? []).flatMap((parameter) =>
    parameter.kind === 'equal' && parameter.default && parameter.name !== except
      ? [{ field: `${parameter.fields[0]}`, values: parameter.default }]
      : [],
  )
  return (row) => defaults.every(({ field, values }) => values.includes(row[field] ?? null))
}

async function expectFilters(walk: Walk, ancestors: readonly Value[], met: Met): Promise<void> {
  const { operation, world, eye } = walk
  const { noun } = operation.shape
  const rows = world.rows(noun.name)
  const isVisible = (row: Row) => eye(noun.name, row)
  const two = [...rows.filter(isVisible).slice(0, 1), ...rows.filter((row) => !isVisible(row)).slice(0, 1)]
  const include = two.map((row) => `include=${row[noun.identity]}`).join('&')
  const isIncluded = (row: Row) => two.some((included) => included[noun.identity] === row[noun.identity])
  for (const parameter of operation.list?.parameters ?? []) {
    if (parameter.kind !== 'equal' || parameter.spec.managed?.endsWith('at')) continue
    const field = `${parameter.fields[0]}`
    const isDefault = byDefault(operation, parameter.name)
    for (const includedRow of two) {
      const value = includedRow[field] ?? null
      const fits = (row: Row) => isDefault(row) && (row[field] ?? null) === value
      const query = `${parameter.name}=${encodeURIComponent(`${value ?? ''}`)}`
      await expectList(walk, ancestors, query, met, fits)
      await expectList(walk, ancestors, `${query}&${include}`, met, (row) => fits(row) || isIncluded(row))
    }
  }
  if (operation.list?.isPaginated) await expectPages(walk, ancestors)
}

async function expectPages(walk: Walk, ancestors: readonly Value[]): Promise<void> {
  const { operation, client, caller } = walk
  const { identity } = operation.shape.noun
  const expected = fitting(walk, ancestors, byDefault(operation))
    .map((row) => row[identity])
    .reverse()
  for (let page = 1; page <= Math.ceil(expected.length / 3) + 1; page++) {
    const url = `${urlOf(operation, ancestors)}?pageSize=3&pageNumber=${page}&sort=-${identity}`
    const { body } = await client.send(caller, { method: 'GET', url })
    expect(
      body.results.map((result: Row) => result[identity]),
      url,
    ).toEqual(expected.slice((page - 1) * 3, page * 3))
    expect(body.pageInfo.numberOfPages, url).toBe(Math.ceil(expected.length / 3))
  }
}

export async function walkOne(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, client, caller } = walk
  for (const keys of pathsTo(walk, operation.levels.length)) {
    const request = { method: 'GET', url: urlOf(operation, keys) }
    if (await isMissing(walk, keys, request, met)) continue
    const row = world.row(operation.shape.noun.name, keys.at(-1) as Value) as Row
    expectRecord(walk, row, await client.send(caller, request))
    met.visible++
    // The ETag of a hidden record gives no information about it.
    const everyTag = await client.send(caller, { ...request, headers: { 'if-none-match': '*' } })
    expect(everyTag.status, request.url).toBe(eye(operation.shape.noun.name, row) ? 304 : 404)
    const noTag = await client.send(caller, { ...request, headers: { 'if-match': '"x"' } })
    expect(noTag.status, request.url).toBe(eye(operation.shape.noun.name, row) ? 412 : 404)
  }
}

export async function walkLookup(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, client, caller } = walk
  const { noun } = operation.shape
  const { field = '', name = '' } = operation.lookup ?? {}
  for (const row of world.rows(noun.name)) {
    const value = `${row[field]}`
    const url = operation.path.replace(/\{[^}]*\}/, encodeURIComponent(value))
    const response = await client.send(caller, { method: 'GET', url })
    if (eye(noun.name, row)) expectRecord(walk, row, response)
    else
      expect(response, url).toMatchObject({
        status: 404,
        body: { detail: `There is no ${noun.name} whose ${name} is "${value}".` },
      })
    met[eye(noun.name, row) ? 'visible' : 'hidden']++
  }
}
