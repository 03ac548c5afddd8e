// The plans of PostgreSQL for totals and far pages of long histories.
import { change, identity, integer, noun, resource } from '@nomen/core'
import { service } from '@nomen/server'
import { explainList } from '@nomen/server/admin'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { expect, it, onTestFinished } from 'vitest'
import { execute, select } from './persistent-database.ts'
import { openService, plainApi } from './test-service.ts'

const item = noun('item', { id: identity(), size: integer() }, { history: true })
const definition = service({
  name: 'items',
  apis: [plainApi(resource(item, { children: [resource(change)] }), resource(change))],
})

const entries = 80_000
const blockSize = 4096

/** The most entries that one scan of a plan returns. */
function mostEntriesRead(steps: readonly string[]): number {
  const scans = steps.filter((step) => /Scan.* on change\b/.test(step))
  expect(scans).not.toEqual([])
  return Math.max(...scans.map((step) => Number(/actual rows=([\d.]+)/.exec(step)?.[1] ?? 0)))
}

it('read at most the entries of one block and a page, whatever the length of the history', async () => {
  const { url: database, remove } = await temporaryPostgres()
  onTestFinished(remove)
  await openService(definition, { database })
  await execute(
    database,
    `insert into "change" ("time", "noun", "record", "kind") select now(), 'item', 'item/' || "number" % 100, 'CHANGED' from generate_series(1, ${entries}) as "numbers" ("number")`,
  )
  const countedBlocks = async () =>
    Number((await select(database, 'select max("block") + 1 from "_change_count" where "level" = 0'))[0]?.[0])
  await expect.poll(countedBlocks).toBe(Math.floor(entries / blockSize))
  for (const target of ['/change?', '/change?noun=item&', '/item/change?'])
    for (const page of ['pageNumber=1', 'pageNumber=3000', 'pageNumber=3000&sort=id', 'pageNumber=9000']) {
      const { numberOfRecords, steps } = await explainList(definition, { database, target: `${target}${page}` })
      // The history begins with an entry about each noun.
      expect(numberOfRecords).toBe(entries + 1)
      expect(mostEntriesRead(steps)).toBeLessThan(blockSize + 20)
    }
})

it('of one record are counted in the index alone, and a page reads its own entries', async () => {
  const { url: database, remove } = await temporaryPostgres()
  onTestFinished(remove)
  await openService(definition, { database })
  const entriesOfRecord = 5000
  await execute(
    database,
    `insert into "change" ("time", "noun", "record", "linked", "kind") select now(), 'item', 'item/' || "number" % 4, case when "number" % 8 = 4 then 'item/1' end, 'CHANGED' from generate_series(1, ${4 * entriesOfRecord}) as "numbers" ("number")`,
  )
  await execute(database, 'insert into "item" ("id", "size") values (1, 0)')
  await execute(database, 'vacuum analyze "change"')
  for (const page of ['pageNumber=1', 'pageNumber=2&sort=id']) {
    const { numberOfRecords, steps } = await explainList(definition, { database, target: `/item/1/change?${page}` })
    expect(numberOfRecords).toBe(entriesOfRecord * 1.5 + 1)
    const tableScans = steps.filter((step) => /Scan.* on change\b/.test(step) && !step.includes('Index Only Scan'))
    expect(mostEntriesRead(tableScans)).toBeLessThan(50)
  }
})
