// Lint, check, nomen new --from and the console read the same lists and records from every document of the corpus.
import { readOpenApi } from '@nomen/core/openapi'
import { expect, it } from 'vitest'
import { serviceOf } from '../../apps/console/src/model/service/service.ts'
import { collectionsOf } from '../../packages/cli/src/new/from/document/collection.ts'
import { nounName } from '../../packages/cli/src/new/from/names.ts'
import { surfaceOf } from '../../packages/conventions/src/check/surface.ts'
import { listsOf, propertiesOf, viewOf } from '../../packages/conventions/src/lint/view.ts'
import { corpus } from './corpus.ts'

/** The properties of a record; undefined if the document does not describe them. */
type Names = readonly string[] | undefined

const names = (properties: Iterable<string> | undefined): Names => {
  const names = [...(properties ?? [])]
  return names.length === 0 ? undefined : names
}

it.each(Object.keys(corpus))('%s has the same lists and records for all readers', async (name) => {
  const document = await (corpus[name] as (typeof corpus)[string])()
  const table = readOpenApi(document)
  const lists = new Map<string, Names>()
  const records = new Map<string, Names>()
  for (const collection of table.collections) {
    records.set(collection.key, names(collection.record?.properties.keys()))
    for (const { operation, items } of collection.lists) lists.set(operation.path, names(items?.properties.keys()))
  }

  const checked = surfaceOf(document).collections
  expect(new Map(checked.map(({ path, item }) => [path, names(item?.properties.keys())]))).toEqual(lists)
  for (const { path, variantOf, detail, list } of checked)
    expect([path, names(detail?.properties.keys())]).toEqual([
      path,
      records.get(
        variantOf ? (table.collections.find((collection) => collection.path === variantOf.path)?.key ?? '') : list.key,
      ),
    ])

  const consoleCollections = serviceOf(undefined, [{ document, base: 'http://localhost' }]).collections
  const variants = consoleCollections.flatMap((collection) => collection.variants)
  // The console leaves out the changes of all records of a noun: /user/change.
  const isOfAll = (path: string) => /^(\/v\d+)?\/(?!v\d+\/)[^/{]+\/change$/.test(path)
  const shown = <Value>(all: ReadonlyMap<string, Value>) => new Map([...all].filter(([path]) => !isOfAll(path)))
  expect(new Set(variants.map(({ path }) => path))).toEqual(new Set(shown(lists).keys()))
  for (const { path, columns } of variants)
    if (lists.get(path)) expect([path, columns.map((column) => column.name)]).toEqual([path, lists.get(path)])
  expect(new Map(consoleCollections.map(({ key, fields }) => [key, names(fields.map((field) => field.name))]))).toEqual(
    shown(records),
  )

  // Lint skips lists and records that the document does not describe completely.
  const view = viewOf(table, () => undefined)
  for (const operation of listsOf(view)) {
    expect(lists.has(operation.path)).toBe(true)
    const properties = propertiesOf(operation)
    if (properties)
      expect([operation.path, [...properties.keys()]]).toEqual([operation.path, lists.get(operation.path)])
  }
  const describedRecord = table.operations.filter(({ list }) => list && list.form !== 'unknown')
  expect(listsOf(view)).toEqual(describedRecord)

  // A noun comes from all collections of its name; the one nearest to the root counts.
  const notes: string[] = []
  const nouns = collectionsOf(table, ({ source }) => notes.push(source))
  for (const { noun, record, list } of nouns) {
    const own = table.collections.filter(({ segment }) => nounName(segment) === noun)
    expect(own.map(({ key }) => records.get(key))).toContainEqual([...record.properties.keys()])
    if (list) expect(lists.has(list.path)).toBe(true)
  }
  for (const { segment, lists: variants } of table.collections)
    for (const { operation } of variants)
      expect(nouns.some(({ noun }) => noun === nounName(segment)) || notes.includes(`GET ${operation.path}`)).toBe(true)
})
