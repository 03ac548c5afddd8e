/** Loads that are repeated, resumed or that update records. */
import { identity, noun, resource, text } from '@nomen/core'
import { loadRecords } from '@nomen/server/admin'
import { describe, expect, it, onTestFinished } from 'vitest'
import { benchOn, type MakeDatabase, ndjson, noRecords, service, sourceOf } from '../bulk-bench.ts'
import { openService, plainApi, serviceOf } from '../test-service.ts'

export function repeatedLoadSuite(title: string, make: MakeDatabase): void {
  const bench = () => benchOn(make)

  describe(`a load that is repeated ${title}`, () => {
    const people = 'id,name,mail\n3,Ann,ann@b.c\n4,Bob,bob@b.c\n'

    it('leaves existing records unchanged, and reports those with other values', async () => {
      const { load, records } = await bench()
      await load('person', people)
      const before = await records('person')
      const { report } = await load('person', 'id,name,mail\n3,Ann,ann@b.c\n4,Robert,bob@b.c\n5,Cid,cid@b.c\n')
      expect(report).toMatchObject({ ...noRecords, loaded: 1, unchanged: 2, different: 1 })
      expect((await records('person')).slice(0, 2)).toEqual(before)
    })

    it('recognizes records without identity by all of their unique values', async () => {
      const { load, records } = await bench()
      await load('person', people)
      const { report, rejects } = await load(
        'person',
        'name,mail,nick\nAnn,ANN@b.c,ann@b.c\nBob,bob@b.c,bobby\nCid,cid@b.c,bob@b.c\nDan,ann@b.c,bob@b.c\nEve,eve@b.c,\n',
      )
      expect(report).toMatchObject({ ...noRecords, loaded: 1, unchanged: 1, different: 1, rejected: 3 })
      expect(rejects).toEqual([
        [3, 'Another person has mail "bob@b.c".'],
        [4, 'Another person has nick "bob@b.c".'],
        [5, 'Another person has nick "bob@b.c" and mail "ann@b.c".'],
      ])
      expect((await records('person')).map(({ name }) => name)).toEqual(['Ann', 'Bob', 'Eve'])
      const skills = 'team,name\n1,Go\n2,Go\n'
      expect((await load('skill', skills)).report).toMatchObject({ loaded: 2 })
      expect((await load('skill', skills)).report).toMatchObject({ loaded: 0, unchanged: 2 })
    })

    it('with --update sets the values of the file, and leaves other fields unchanged', async () => {
      const { load, records, address } = await bench()
      await load(
        'person',
        'id,name,mail,phone,changed\n3,Ann,ann@b.c,1,2020-01-01T00:00:00Z\n4,Bob,bob@b.c,2,2020-01-01T00:00:00Z\n',
      )
      const app = await openService(service, { database: address })
      const before = await app.get('/person/3')
      const update = (file: string) => load('person', file, { isUpdating: true })
      const first = await update('id,name\n3,Anna\n4,Bob\n')
      expect(first.report).toMatchObject({ ...noRecords, updated: 1, unchanged: 1 })
      const [ann, bob] = await records('person')
      expect(ann).toMatchObject({ name: 'Anna', mail: 'ann@b.c', phone: '1' })
      expect(ann.changed > '2020-01-01T00:00:00.000Z').toBe(true)
      expect(bob.changed).toBe('2020-01-01T00:00:00.000Z')
      const after = await app.get('/person/3')
      expect(after.headers.etag).not.toBe(before.headers.etag)
      const byMail = await update('mail,nick,phone,name,changed\nANN@b.c,ann@b.c,,Ann,2021-01-01T00:00:00Z\n')
      expect(byMail.report).toMatchObject({ ...noRecords, updated: 1 })
      expect((await records('person'))[0]).toMatchObject({ id: 3, phone: 'none', changed: '2021-01-01T00:00:00.000Z' })
      expect((await update('id,name\n3,Ann\n')).report).toMatchObject({ ...noRecords, unchanged: 1 })
      expect(await app.column('name', '/person?search=ann')).toEqual(['Ann'])
    })

    it('with --update rejects changes that a request could not make', async () => {
      const { load, records } = await bench()
      await load('person', 'id,name,mail,state\n3,Ann,ann@b.c,OLD\n4,Bob,bob@b.c,NEW\n')
      await load('skill', 'id,team,name\n1,1,Go\n')
      await load('tool', 'id,team\n1,1\n')
      await load('skill-tool', 'skill,tool\n1,1\n')
      const before = await records('person')
      const { rejects } = await load(
        'person',
        `{"id":3,"state":"NEW"}\n{"id":4,"mail":"ann@b.c"}\n{"id":3,"boss":3}\n{"id":4,"team":9}\n{"id":4,"boss":9}\n{"id":5,"name":"x"}\n{"phone":"1"}\n`,
        { isUpdating: true },
      )
      expect(rejects).toEqual([
        [1, 'state cannot change from "OLD" to "NEW".'],
        [2, 'Another person has mail "ann@b.c".'],
        [3, 'Person 3 cannot lead oneself any more.'],
        [4, 'team 9 does not exist.'],
        [6, '"mail" is missing.'],
        [7, '"name", "mail" are missing.'],
        [5, 'boss 9 does not exist.'],
      ])
      expect(await records('person')).toEqual(before)
      const sharing = await load('skill', 'id,team\n1,2\n', { isUpdating: true })
      expect(sharing.rejects).toEqual([
        [
          2,
          'The team cannot change: the skill is linked to 1 tool record, and linked records must have the same team.',
        ],
      ])
    })

    it('treats null as a state of a choice with transitions, as PATCH does', async () => {
      const { load, records } = await bench()
      await load('review', 'id,state\n1,\n2,ASKED\n3,DONE\n4,\n')
      const changed = await load('review', 'id,state\n1,DONE\n2,\n3,\n4,ASKED\n', { isUpdating: true })
      expect(changed.rejects).toEqual([
        [2, 'state cannot change from null to "DONE".'],
        [4, 'state cannot change from "DONE" to null.'],
      ])
      expect((await records('review')).map(({ state }) => state)).toEqual([null, null, 'DONE', 'ASKED'])
    })

    it('continues after the last loaded line if records cannot be recognized', async () => {
      const { load, records } = await bench()
      const file = 'title,team\nA,\nA,1\nB,7\n"C\nC",x\nD,2\n'
      const first = await load('note', file)
      const rejects = [
        [4, 'team 7 does not exist.'],
        [5, '"team" must be an integer, not "x".'],
      ]
      expect(first.rejects).toEqual(rejects)
      expect(first.report).toMatchObject({ ...noRecords, loaded: 3, rejected: 2 })
      expect(first.report.earlier).toBeUndefined()
      const second = await load('note', file)
      expect(second.rejects).toEqual(rejects)
      expect(second.report).toMatchObject({ ...noRecords, unchanged: 3, rejected: 2, earlier: { line: 7 } })
      expect((await load('note', `${file}E,\n`)).report).toMatchObject({ loaded: 4, rejected: 2 })
      expect(await records('note')).toHaveLength(7)
    })

    it('retries rejected lines', async () => {
      const { load, records } = await bench()
      const file = 'title,team\nA,\nB,7\nC,7\n'
      expect((await load('note', file)).report).toMatchObject({ loaded: 1, rejected: 2 })
      await load('team', 'id,name\n7,Seven\n')
      expect((await load('note', file)).report).toMatchObject({ ...noRecords, loaded: 2, unchanged: 1 })
      expect((await load('note', file)).report).toMatchObject({ ...noRecords, unchanged: 3 })
      expect((await records('note')).map(({ title: own }) => own)).toEqual(['A', 'B', 'C'])
    })

    it.each([
      ['team', 'id,name\n3,A\nx,B\n', { unchanged: 1, rejected: 1 }],
      ['team', 'id,name\nx,B\n3,A\n', { unchanged: 1, rejected: 1 }],
      ['person', 'name,mail\nAnn,ann@b.c\nBob,x\n', { unchanged: 1, rejected: 1 }],
      ['note', 'title,team\nA,x\nB,x\n', { rejected: 2 }],
    ])('reports no earlier run if it skips no record because of it: %s %j', async (name, file, counts) => {
      const { load } = await bench()
      await load(name, file)
      const { report } = await load(name, file)
      expect(report).toMatchObject({ ...noRecords, ...counts })
      expect(report.earlier).toBeUndefined()
    })

    it('retries invalid lines if the declaration has changed', async () => {
      const { address: database, remove } = await make()
      onTestFinished(async () => void (await remove()))
      const load = (maxLength: number) => {
        const memo = noun('memo', { id: identity(), title: text({ maxLength }) })
        const source = sourceOf('title\nA\nBBB\nC\nDDD\n')
        return loadRecords(serviceOf([plainApi(resource(memo))]), { database, noun: 'memo', source })
      }
      expect(await load(1)).toMatchObject({ loaded: 2, rejected: 2 })
      expect(await load(3)).toMatchObject({ loaded: 2, unchanged: 2, rejected: 0 })
      expect(await load(3)).toMatchObject({ loaded: 0, unchanged: 4, rejected: 0 })
    })

    it('distinguishes records that can be recognized from others, line by line', async () => {
      const { load, records } = await bench()
      const file = ndjson([
        { id: 11, title: 'A' },
        { title: 'B' },
        { id: 21, title: 'C' },
        { title: 'D' },
        { name: 'x' },
      ])
      expect((await load('note', file)).report).toMatchObject({ loaded: 4, rejected: 1 })
      expect((await load('note', file)).report).toMatchObject({ ...noRecords, unchanged: 4, rejected: 1 })
      const tools = ndjson([{ team: 1, name: 'hammer' }, { team: 1 }, { team: 2 }])
      expect((await load('tool', tools)).report).toMatchObject({ loaded: 3 })
      expect((await load('tool', tools)).report).toMatchObject({ loaded: 0, unchanged: 3 })
      expect(await records('note')).toHaveLength(4)
    })

    it('loads records again on request', async () => {
      const { load, records } = await bench()
      await load('note', 'title\nA\n')
      expect((await load('note', 'title\nA\n', { isFromStart: true })).report).toMatchObject({
        loaded: 1,
        unchanged: 0,
      })
      expect((await load('note', 'title\nA\n')).report).toMatchObject({ loaded: 0, unchanged: 1 })
      expect(await records('note')).toHaveLength(2)
    })

    it('reports if a second run would load records again, because the source cannot be read twice', async () => {
      const { load } = await bench()
      const isRepeating = async (name: string, file: string, isRepeatable: boolean) =>
        (await load(name, sourceOf(file, isRepeatable))).report.isRepeating
      expect(await isRepeating('note', 'title\nA\n', false)).toBe(true)
      expect(await isRepeating('note', 'title\nA\n', true)).toBe(false)
      expect(await isRepeating('note', 'id,title\n9,A\nx,\n', false)).toBe(false)
    })

    it('is rejected while another load of the same file runs, and the other loads all of it', async () => {
      const { load, records } = await bench()
      const file = `title\n${'A\n'.repeat(10_000)}`
      let second: Promise<unknown> | undefined
      const first = load('note', file, {
        onProgress: () => {
          second ??= load('note', file).catch((error: unknown) => error)
        },
      }).catch((error: unknown) => error)
      // Whichever comes second to a batch is rejected.
      const ends = [await first, await second]
      const rejected = ends.filter((end) => end instanceof Error).map(String)
      expect(rejected).toEqual([expect.stringMatching(/^BulkError: Another process is loading this file\.\n/)])
      expect(await records('note')).toHaveLength(10_000)
    })

    it('stops after a batch on request, and loads the rest the next time', async () => {
      const { load, records } = await bench()
      const file = `title,team\n${'A,1\n'.repeat(5000)}`
      const stop = new AbortController()
      const stopped = await load('note', file, {
        signal: stop.signal,
        onProgress: ({ loaded }) => loaded > 200 && stop.abort(),
      })
      expect(stopped.report.isStopped).toBe(true)
      expect(stopped.report.loaded).toBeGreaterThan(200)
      expect(stopped.report.loaded).toBeLessThan(5000)
      expect(await records('note')).toHaveLength(stopped.report.loaded)
      const rest = await load('note', file)
      expect(rest.report).toMatchObject({ unchanged: stopped.report.loaded, loaded: 5000 - stopped.report.loaded })
      expect(await records('note')).toHaveLength(5000)
    })
  })
}
