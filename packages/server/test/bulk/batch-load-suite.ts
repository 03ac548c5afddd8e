/** Loads of several batches, most of whose records are new. */
import { describe, expect, it } from 'vitest'
import { benchOn, type MakeDatabase, ndjson, noRecords } from '../bulk-bench.ts'

const count = 4000

interface Person {
  readonly [field: string]: string | number | null
}

/** Records that are not plain, by line. They come long after the first batch, when a load expects only new records. */
const special: Readonly<Record<number, Person>> = {
  1: { name: 'A\tB\\N\\.\nC\r\\\\', mail: 'p1@b.c' },
  1900: { name: '\\N', mail: 'p1900@b.c' },
  2000: { id: 7, name: 'Other', mail: 'other@b.c' },
  2300: { name: 'P2300', mail: 'P3@B.C' },
  2600: { name: 'P2600', mail: 'p2600@b.c', boss: 3900 },
  2900: { name: 'P2900', mail: 'p2900@b.c', boss: 99_999 },
  3500: { name: 'P3500', mail: 'no address' },
}

const people = Array.from({ length: count }, (_, index): Person => {
  const line = index + 1
  return { id: line, ...(special[line] ?? { name: `P${line}`, mail: `p${line}@b.c`, boss: line > 100 ? 100 : null }) }
})

export function batchLoadSuite(title: string, make: MakeDatabase): void {
  describe(`a load of several batches ${title}`, () => {
    it('finds existing, rejected and waiting records among new ones', async () => {
      const { load, records } = await benchOn(make)
      const { report, rejects } = await load('person', ndjson(people))
      const expectedRejects = [
        [2300, 'Another person has mail "P3@B.C".'],
        [3500, '"mail" must be an e-mail address, not "no address".'],
        [2900, 'boss 99999 does not exist.'],
      ]
      expect(rejects).toEqual(expectedRejects)
      expect(report).toMatchObject({ ...noRecords, loaded: count - 4, unchanged: 1, different: 1, rejected: 3 })
      const missing = new Set([2000, 2300, 2900, 3500])
      const all = await records('person')
      expect(all.map(({ id, name, mail, boss }) => ({ id, name, mail, boss }))).toEqual(
        people
          .filter((_, index) => !missing.has(index + 1))
          .map(({ id, name, mail, boss = null }) => ({ id, name, mail, boss })),
      )
      const again = await load('person', ndjson(people))
      expect(again.rejects).toEqual(expectedRejects)
      expect(again.report).toMatchObject({ ...noRecords, unchanged: count - 3, different: 1, rejected: 3 })
    })

    it('gives records without IDs the next ones', async () => {
      const { load, records } = await benchOn(make)
      const unidentified = people.slice(500, 1800).map(({ name, mail }) => ({ name, mail }))
      const file = ndjson([
        ...unidentified.slice(0, 900),
        { id: 5000, name: 'Last', mail: 'last@b.c' },
        ...unidentified.slice(900),
      ])
      expect((await load('person', file)).report).toMatchObject({ ...noRecords, loaded: unidentified.length + 1 })
      const ids = (await records('person')).map(({ id }) => id)
      expect(new Set(ids).size).toBe(unidentified.length + 1)
      expect((await load('person', file)).report).toMatchObject({ ...noRecords, unchanged: unidentified.length + 1 })
    })
  })
}
