/** References between records of the same file. */
import { describe, expect, it } from 'vitest'
import { asyncRuleService, benchOn, emptyBench, type MakeDatabase, ndjson, noRecords, service } from '../bulk-bench.ts'

export function referenceLoadSuite(title: string, make: MakeDatabase): void {
  const bench = () => benchOn(make)

  describe(`references within a file ${title}`, () => {
    it('may reference records further down, in any order', async () => {
      const { load, records } = await bench()
      const count = 700
      const rows = Array.from(
        { length: count },
        (_, at) => `${at + 1},N${at + 1},n${at + 1}@b.c,${at + 2 > count ? '' : at + 2}`,
      )
      const file = `id,name,mail,boss\n${rows.join('\n')}\n`
      const { report, rejects } = await load('person', file)
      expect(rejects).toEqual([])
      expect(report).toMatchObject({ ...noRecords, loaded: count })
      const all = await records('person')
      expect(all.map(({ id, boss }) => boss ?? id + 1)).toEqual(all.map(({ id }) => id + 1))
      expect((await load('person', file)).report).toMatchObject({ ...noRecords, unchanged: count, different: 0 })
    })

    it('to missing records reject the record, and those that wait for it', async () => {
      const { load, records } = await bench()
      const { rejects, all, report } = await load(
        'person',
        'id,name,mail,boss\n1,A,a@b.c,2\n2,B,b@b.c,99\n3,C,c@b.c,4\n4,D,nonsense,\n5,E,e@b.c,6\n6,F,f@b.c,\n',
      )
      expect(new Map(rejects)).toEqual(
        new Map([
          [2, 'boss 2 does not exist.'],
          [3, 'boss 99 does not exist.'],
          [4, 'boss 4 does not exist.'],
          [5, '"mail" must be an e-mail address, not "nonsense".'],
        ]),
      )
      expect(all.map(({ text }) => text)).toContain('2,B,b@b.c,99')
      expect(report).toMatchObject({ ...noRecords, loaded: 2, rejected: 4 })
      expect((await records('person')).map(({ id, boss }) => [id, boss])).toEqual([
        [5, 6],
        [6, null],
      ])
    })

    it('may form a cycle', async () => {
      const { load, records } = await bench()
      const { report, rejects } = await load(
        'person',
        'id,name,mail,boss,creator\n1,A,a@b.c,2,3\n2,B,b@b.c,3,\n3,C,c@b.c,1,4\n4,D,d@b.c,2,1\n',
      )
      expect(rejects).toEqual([])
      expect(report).toMatchObject({ ...noRecords, loaded: 4 })
      expect((await records('person')).map(({ boss, creator }) => [boss, creator])).toEqual([
        [2, 3],
        [3, null],
        [1, 4],
        [2, 1],
      ])
    })

    it.each([
      ['', service],
      [', with rules that read records', asyncRuleService],
    ])('may reference the record itself, but not form a cycle in which none is nullable%s', async (_, loaded) => {
      const { load, records } = await emptyBench(make, loaded)
      const { rejects } = await load('node', 'id,root\n2,1\n1,1\n3,4\n4,3\n5,6\n6,5\n')
      expect(rejects.map(([line]) => line).toSorted()).toEqual([4, 5, 6, 7])
      expect(new Map(rejects).get(4)).toBe('root 4 depends on this record itself, and root cannot be null.')
      expect(await records('node')).toEqual([
        { id: 1, root: 1 },
        { id: 2, root: 1 },
      ])
    })

    it('in cycles are all set, also if the load is stopped among them', async () => {
      const { load, records } = await bench()
      const rows = Array.from({ length: 40 }, (_, at) => `${at + 1},N${at + 1},n${at + 1}@b.c,${(at ^ 1) + 1}`)
      const file = `id,name,mail,boss\n${rows.join('\n')}\n`
      const controller = new AbortController()
      const onProgress = ({ loaded }: { readonly loaded: number }) => loaded > 0 && controller.abort()
      expect((await load('person', file, { signal: controller.signal, onProgress })).rejects).toEqual([])
      expect((await load('person', file)).report.different).toBe(0)
      expect((await records('person')).map(({ boss }) => boss)).toEqual(rows.map((_, at) => (at ^ 1) + 1))
    })

    it('may be guids', async () => {
      const { load, records } = await bench()
      const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
      const file = `key,name,under\n${second},B,${first.toUpperCase()}\n${first},A,\n`
      expect((await load('badge', file)).report).toMatchObject({ ...noRecords, loaded: 2 })
      expect(await records('badge')).toEqual([
        { key: first, name: 'A', under: null },
        { key: second, name: 'B', under: first },
      ])
    })

    it('of an update may be to records further down', async () => {
      const { load, records } = await bench()
      await load('person', 'id,name,mail\n1,A,a@b.c\n')
      const { report } = await load('person', 'id,name,mail,boss\n1,A,a@b.c,2\n2,B,b@b.c,\n', { isUpdating: true })
      expect(report).toMatchObject({ ...noRecords, updated: 1, loaded: 1 })
      expect((await records('person'))[0].boss).toBe(2)
    })

    it('of records that cannot be recognized wait once, and are not loaded twice', async () => {
      const { load, records } = await bench()
      const file = ndjson([
        { title: 'A', after: 5 },
        { title: 'B', after: 600 },
        { id: 5, title: 'C' },
      ])
      const rejects = [[2, 'after 600 does not exist.']]
      const first = await load('note', file)
      expect([first.report, first.rejects]).toMatchObject([{ loaded: 2, rejected: 1 }, rejects])
      const second = await load('note', file)
      expect([second.report, second.rejects]).toMatchObject([{ loaded: 0, unchanged: 2, rejected: 1 }, rejects])
      await load('note', ndjson([{ id: 600, title: 'D' }]))
      expect((await load('note', file)).report).toMatchObject({ loaded: 1, unchanged: 2, rejected: 0 })
      expect(await records('note')).toHaveLength(4)
    })
  })
}
