/** What a load does, the same on every database. */
import { identity, noun, resource, text } from '@nomen/core'
import { loadRecords } from '@nomen/server/admin'
import { describe, expect, it, onTestFinished } from 'vitest'
import { benchOn, type MakeDatabase, ndjson, service, sourceOf } from './bulk-bench.ts'
import { opened, plainApi, serviceOf } from './opened.ts'

const none = { loaded: 0, updated: 0, there: 0, different: 0, rejected: 0 }

export function bulkSuite(title: string, make: MakeDatabase): void {
  const bench = () => benchOn(make)

  describe(`a load ${title}`, () => {
    it('takes every kind of value as a request would, from either format', async () => {
      const { load, records } = await bench()
      const { rejects } = await load(
        'everything',
        `text,textOrNull,textOrDefault,mail,home,key,count,ratio,price,whole,isOpen,isMaybe,state,day,moment
a,b,c,A@b.c,https://x.y/,0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10,-7,1.5e3,12.5,007,true,false,ü,2026-02-28,2026-11-15T05:29:00+02:00
,,,,,,0,,,,false,,,,
"","","","","","",1,"","","",false,"","","",""
"b,""c""",,,,,,9007199254740991,-0,-0,0,true,true,"b,""c""",,
`,
      )
      expect(rejects).toEqual([])
      const made = await records('everything')
      const names = 'mail home key countOrNull ratio price whole isMaybe state day moment badge'
      const empty = Object.fromEntries(names.split(' ').map((name) => [name, null]))
      const [key, moment] = ['0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10', '2026-11-15T03:29:00.000Z']
      expect(made).toEqual([
        // biome-ignore format: one record, one line
        { ...empty, id: 1, text: 'a', textOrNull: 'b', textOrDefault: 'c', mail: 'A@b.c', home: 'https://x.y/', key, count: -7, ratio: 1500, price: '12.5000', whole: '7', isOpen: true, isMaybe: false, state: 'ü', day: '2026-02-28', moment },
        { ...empty, id: 2, text: '', textOrNull: null, textOrDefault: 'usual', count: 0, isOpen: false },
        { ...empty, id: 3, text: '', textOrNull: '', textOrDefault: '', count: 1, isOpen: false },
        // biome-ignore format: one record, one line
        { ...empty, id: 4, text: 'b,"c"', textOrNull: null, textOrDefault: 'usual', count: 9007199254740991, ratio: 0, price: '0.0000', whole: '0', isOpen: true, isMaybe: true, state: 'b,"c"' },
      ])
      const other = await bench()
      await other.load('everything', ndjson(made))
      expect(await other.records('everything')).toEqual(made)
    })

    it('fills in defaults and what the service notes, unless they are given', async () => {
      const { load, records } = await bench()
      const before = new Date().toISOString()
      await load(
        'person',
        'id,name,mail,created,changed,creator\n5,Ann,ann@b.c,,,\n9,Bob,bob@b.c,2020-01-01T00:00:00Z,2021-01-01T00:00:00Z,5\n',
      )
      const after = new Date().toISOString()
      const [ann, bob] = await records('person')
      const usual = { phone: 'none', state: 'NEW', team: null, boss: null, changer: null }
      expect(ann).toMatchObject({ ...usual, id: 5, nick: 'ann@b.c', creator: null })
      for (const moment of [ann.created, ann.changed]) expect(moment >= before && moment <= after).toBe(true)
      const [created, changed] = ['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z']
      expect(bob).toEqual({
        ...usual,
        id: 9,
        name: 'Bob',
        nick: 'bob@b.c',
        mail: 'bob@b.c',
        created,
        changed,
        creator: 5,
      })
    })

    it('makes records that the service finds, changes and counts on from', async () => {
      const { load, address } = await bench()
      await load('person', 'id,name,mail,team\n70,STRASSE,a@b.c,2\n7,Bob,b@b.c,\n')
      await load('badge', 'name\nfirst\n')
      const app = await opened(service, { database: address })
      expect(await app.column('id', '/person?search=straße')).toEqual([70])
      expect(await app.column('id', '/person?team=2&mail=a@b.c')).toEqual([70])
      const made = await app.ask('POST', '/person', { name: 'Next', mail: 'c@b.c' })
      expect([made.status, made.body.id]).toEqual([201, 71])
      const { headers } = await app.get('/person/70')
      const changed = await app.ask('PATCH', '/person/70', { state: 'OLD' }, { 'if-match': `${headers.etag}` })
      expect([changed.status, changed.body.state]).toEqual([200, 'OLD'])
      expect(await app.column('key', '/badge')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
    })

    it('rejects what cannot be a record by line and reason, in order, and loads the others', async () => {
      const { load, records } = await bench()
      const { report, rejects, all } = await load(
        'person',
        `id,name,mail,team,state,boss
77,Ann,ann@b.c,1,,
x,Bob,bob@b.c,,,
2,"Two
lines",nonsense,1,LATE,
4,Dan,dan@b.c,77,,
3,Cid,ANN@b.c,,,
5,Eve,eve@b.c,,,5
6,Fay,fay@b.c
7,Gil,gil@b.c,2,,77
0,Hal,hal@b.c,,,
`,
      )
      expect(rejects).toEqual([
        [3, '"id" must be an integer, not "x".'],
        [4, '"mail" must be an e-mail address, not "nonsense"; "state" must be one of "NEW", "OLD", not "LATE".'],
        [6, 'team 77 does not exist.'],
        [7, 'Another person has mail "ANN@b.c".'],
        [8, 'Person 5 cannot lead oneself.'],
        [9, 'The line has 3 values, and the header names 6.'],
        [11, '"id" must be at least 1, not "0".'],
      ])
      expect(all[1]?.text).toBe('2,"Two\nlines",nonsense,1,LATE,')
      expect(report).toMatchObject({ ...none, loaded: 2, rejected: 7, isStopped: false })
      expect((await records('person')).map(({ id, boss }) => [id, boss])).toEqual([
        [7, 77],
        [77, null],
      ])
    })

    it('rejects lines of NDJSON that are no object, or have other fields', async () => {
      const { load } = await bench()
      const { report, rejects } = await load(
        'team',
        `{"id":3,"name":"Three"}\r\n\n{"name":}\n[1]\n"x"\n{"nmae":"x"}\n{"name":null,"lead":""}\n{"id":9007199254740993,"name":"x"}\n{"name":"x","__proto__":{}}`,
      )
      expect(rejects).toEqual([
        [3, expect.stringMatching(/^The line is no JSON: Unexpected token .*\.$/)],
        [4, 'The line is an array, not an object.'],
        [5, 'The line is "x", not an object.'],
        [6, '"nmae" is no field here (did you mean "name"?).'],
        [7, '"name" must not be null, not null; "lead" must have at least 1 character, not "".'],
        [8, '"id" must lie within ±9007199254740991, not 9007199254740992.'],
        [9, '"__proto__" is no field here.'],
      ])
      expect(report).toMatchObject({ loaded: 1, rejected: 7 })
    })

    it('takes a JSON array, and rejects its records by their number', async () => {
      const { load, records } = await bench()
      const file = `[\n  { "id": 3,\n    "name": "Three" },\n  { "name": 7 }, 5, {"name":"\xff"}, { "id": 4, "name": "Four" }\n]\n`
      const { report, rejects, all } = await load('team', Buffer.from(file, 'latin1'))
      expect(rejects).toEqual([
        [2, '"name" must be a string, not 7.'],
        [3, 'The record is 5, not an object.'],
        [4, 'The record holds bytes that are not UTF-8.'],
      ])
      expect(all[0]).toMatchObject({ unit: 'record', text: '{ "name": 7 }' })
      expect(report).toMatchObject({ loaded: 2, rejected: 3, unit: 'record' })
      expect((await records('team')).map(({ id }) => id)).toEqual([1, 2, 3, 4])
      const held = { team: [{ id: 5, name: 'Five' }] }
      expect((await load('team', JSON.stringify(held), { format: 'json' })).report).toMatchObject({ loaded: 1 })
      const others = JSON.stringify({ squads: [{ id: 6, name: 'Six' }] })
      await expect(load('team', others, { format: 'json' })).rejects.toThrow('--member squads')
      expect((await load('team', others, { format: 'json', member: 'squads' })).report).toMatchObject({ loaded: 1 })
    })

    it('goes on in a JSON array after the record where an earlier run ended', async () => {
      const { load, records } = await bench()
      const file = JSON.stringify([{ title: 'a' }, { title: 7 }, { title: 'b' }])
      expect((await load('note', file)).report).toMatchObject({ loaded: 2, rejected: 1 })
      const again = await load('note', file)
      expect(again.report).toMatchObject({ loaded: 0, there: 2, rejected: 1, earlier: { line: 3 } })
      expect(await records('note')).toHaveLength(2)
    })

    it('rejects bytes that are not UTF-8, and characters that no database holds', async () => {
      const { load, records } = await bench()
      const rest = '"}\n{"title":"\\u0000"}\n{"title":"\\ud800"}\n{"title":"ü"}\n'
      const { rejects } = await load(
        'note',
        Buffer.concat([Buffer.from('{"title":"a'), Buffer.from([0xc3, 0x28]), Buffer.from(rest)]),
      )
      const unfit = '"title" must hold neither U+0000 nor half of a surrogate pair, not'
      expect(rejects).toEqual([
        [1, 'The line holds bytes that are not UTF-8.'],
        [2, `${unfit} "\\u0000".`],
        [3, `${unfit} "\\ud800".`],
      ])
      expect((await records('note')).map(({ title: own }) => own)).toEqual(['ü'])
    })

    it.each([
      [
        'person',
        'id,nmae,mail\n',
        'The column "nmae" is no field here (did you mean "name"?).\n  The first line names',
      ],
      ['person', 'id;name\n1;a\n', 'The column "id;name" is no field here.\n  Separate the columns by commas.'],
      ['person', 'name,name\n', 'The column "name" stands twice in the header.\n  Leave one of them out.'],
      [
        'person',
        'id,name\n1,a\n',
        'The file has no column "mail", and no record can be without.\n  The header names id, name.',
      ],
      ['person', 'a"b,c\n', 'The header cannot be read: it has a quote inside a value'],
      ['person', '', 'The file is empty.\n  Its first line names the columns.'],
      ['person', '\uFEFF\n\n', 'The file is empty.'],
      ['persom', 'id\n', 'There is no noun "persom". Did you mean "person"?\n  The service has team, person,'],
      ['skill-person', 'id\n', 'There is no noun "skill-person". Did you mean "person-skill"?'],
    ])('of %s refuses the file %j as a whole', async (name, file, message) => {
      const { load } = await bench()
      await expect(load(name, file)).rejects.toThrow(message)
    })

    it('refuses UTF-16, spreadsheets, and a JSON array where lines are wanted', async () => {
      const { load } = await bench()
      await expect(load('team', 'PK\u0003\u0004\u0014')).rejects.toThrow('The file is a ZIP archive, as spreadsheets')
      await expect(load('team', Buffer.from('\uFEFFid,name\n', 'utf16le'))).rejects.toThrow('The file is in UTF-16.')
      await expect(load('team', '[\n{"name":"x"}\n]', { format: 'ndjson' })).rejects.toThrow(
        'one array of JSON, not NDJSON.\n  Call it .json, or give --format json.',
      )
    })
  })

  describe(`a load that is repeated ${title}`, () => {
    const people = 'id,name,mail\n3,Ann,ann@b.c\n4,Bob,bob@b.c\n'

    it('leaves records whose identity is there as they are, and says which have other values', async () => {
      const { load, records } = await bench()
      await load('person', people)
      const before = await records('person')
      const { report } = await load('person', 'id,name,mail\n3,Ann,ann@b.c\n4,Robert,bob@b.c\n5,Cid,cid@b.c\n')
      expect(report).toMatchObject({ ...none, loaded: 1, there: 2, different: 1 })
      expect((await records('person')).slice(0, 2)).toEqual(before)
    })

    it('knows records without identity by all of their unique values', async () => {
      const { load, records } = await bench()
      await load('person', people)
      const { report, rejects } = await load(
        'person',
        'name,mail,nick\nAnn,ANN@b.c,ann@b.c\nBob,bob@b.c,bobby\nCid,cid@b.c,bob@b.c\nDan,ann@b.c,bob@b.c\nEve,eve@b.c,\n',
      )
      expect(report).toMatchObject({ ...none, loaded: 1, there: 1, different: 1, rejected: 3 })
      expect(rejects).toEqual([
        [3, 'Another person has mail "bob@b.c".'],
        [4, 'Another person has nick "bob@b.c".'],
        [5, 'Another person has nick "bob@b.c" and mail "ann@b.c".'],
      ])
      expect((await records('person')).map(({ name }) => name)).toEqual(['Ann', 'Bob', 'Eve'])
      const skills = 'team,name\n1,Go\n2,Go\n'
      expect((await load('skill', skills)).report).toMatchObject({ loaded: 2 })
      expect((await load('skill', skills)).report).toMatchObject({ loaded: 0, there: 2 })
    })

    it('with --update gives records the values of the file, and leaves the rest of them', async () => {
      const { load, records, address } = await bench()
      await load(
        'person',
        'id,name,mail,phone,changed\n3,Ann,ann@b.c,1,2020-01-01T00:00:00Z\n4,Bob,bob@b.c,2,2020-01-01T00:00:00Z\n',
      )
      const app = await opened(service, { database: address })
      const before = await app.get('/person/3')
      const update = (file: string) => load('person', file, { isUpdating: true })
      const first = await update('id,name\n3,Anna\n4,Bob\n')
      expect(first.report).toMatchObject({ ...none, updated: 1, there: 1 })
      const [ann, bob] = await records('person')
      expect(ann).toMatchObject({ name: 'Anna', mail: 'ann@b.c', phone: '1' })
      expect(ann.changed > '2020-01-01T00:00:00.000Z').toBe(true)
      expect(bob.changed).toBe('2020-01-01T00:00:00.000Z')
      const after = await app.get('/person/3')
      expect(after.headers.etag).not.toBe(before.headers.etag)
      const byMail = await update('mail,nick,phone,name,changed\nANN@b.c,ann@b.c,,Ann,2021-01-01T00:00:00Z\n')
      expect(byMail.report).toMatchObject({ ...none, updated: 1 })
      expect((await records('person'))[0]).toMatchObject({ id: 3, phone: 'none', changed: '2021-01-01T00:00:00.000Z' })
      expect((await update('id,name\n3,Ann\n')).report).toMatchObject({ ...none, there: 1 })
      expect(await app.column('name', '/person?search=ann')).toEqual(['Ann'])
    })

    it('with --update rejects what a change by request would be refused', async () => {
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
        [1, 'state cannot become "NEW" from "OLD".'],
        [2, 'Another person has mail "ann@b.c".'],
        [3, 'Person 3 cannot lead oneself any more.'],
        [4, 'team 9 does not exist.'],
        [6, '"mail" is missing.'],
        [7, '"name", "mail" are missing.'],
        [5, 'boss 9 does not exist.'],
      ])
      expect(await records('person')).toEqual(before)
      const sharing = await load('skill', 'id,team\n1,2\n', { isUpdating: true })
      expect(sharing.rejects).toEqual([[2, 'The skill is linked with 1 tool that has its present team.']])
    })

    it('takes null for a state of a choice with transitions, as PATCH does', async () => {
      const { load, records } = await bench()
      await load('review', 'id,state\n1,\n2,ASKED\n3,DONE\n4,\n')
      const changed = await load('review', 'id,state\n1,DONE\n2,\n3,\n4,ASKED\n', { isUpdating: true })
      expect(changed.rejects).toEqual([
        [2, 'state cannot become "DONE" from null.'],
        [4, 'state cannot become null from "DONE".'],
      ])
      expect((await records('review')).map(({ state }) => state)).toEqual([null, null, 'DONE', 'ASKED'])
    })

    it('goes on after the last line that was loaded, where nothing tells records from new ones', async () => {
      const { load, records } = await bench()
      const file = 'title,team\nA,\nA,1\nB,7\n"C\nC",x\nD,2\n'
      const first = await load('note', file)
      const rejects = [
        [4, 'team 7 does not exist.'],
        [5, '"team" must be an integer, not "x".'],
      ]
      expect(first.rejects).toEqual(rejects)
      expect(first.report).toMatchObject({ ...none, loaded: 3, rejected: 2 })
      expect(first.report.earlier).toBeUndefined()
      const second = await load('note', file)
      expect(second.rejects).toEqual(rejects)
      expect(second.report).toMatchObject({ ...none, there: 3, rejected: 2, earlier: { line: 7 } })
      expect((await load('note', `${file}E,\n`)).report).toMatchObject({ loaded: 4, rejected: 2 })
      expect(await records('note')).toHaveLength(7)
    })

    it('tries rejected lines again', async () => {
      const { load, records } = await bench()
      const file = 'title,team\nA,\nB,7\nC,7\n'
      expect((await load('note', file)).report).toMatchObject({ loaded: 1, rejected: 2 })
      await load('team', 'id,name\n7,Seven\n')
      expect((await load('note', file)).report).toMatchObject({ ...none, loaded: 2, there: 1 })
      expect((await load('note', file)).report).toMatchObject({ ...none, there: 3 })
      expect((await records('note')).map(({ title: own }) => own)).toEqual(['A', 'B', 'C'])
    })

    it('tries lines again that were wrong in themselves, where the declaration has changed', async () => {
      const { address: database, remove } = await make()
      onTestFinished(async () => void (await remove()))
      const load = (maxLength: number) => {
        const memo = noun('memo', { id: identity(), title: text({ maxLength }) })
        const source = sourceOf('title\nA\nBBB\nC\nDDD\n')
        return loadRecords(serviceOf([plainApi(resource(memo))]), { database, noun: 'memo', source })
      }
      expect(await load(1)).toMatchObject({ loaded: 2, rejected: 2 })
      expect(await load(3)).toMatchObject({ loaded: 2, there: 2, rejected: 0 })
      expect(await load(3)).toMatchObject({ loaded: 0, there: 4, rejected: 0 })
    })

    it('keeps records that can be told and records that cannot apart, line by line', async () => {
      const { load, records } = await bench()
      const file = ndjson([
        { id: 11, title: 'A' },
        { title: 'B' },
        { id: 21, title: 'C' },
        { title: 'D' },
        { name: 'x' },
      ])
      expect((await load('note', file)).report).toMatchObject({ loaded: 4, rejected: 1 })
      expect((await load('note', file)).report).toMatchObject({ ...none, there: 4, rejected: 1 })
      const tools = ndjson([{ team: 1, name: 'hammer' }, { team: 1 }, { team: 2 }])
      expect((await load('tool', tools)).report).toMatchObject({ loaded: 3 })
      expect((await load('tool', tools)).report).toMatchObject({ loaded: 0, there: 3 })
      expect(await records('note')).toHaveLength(4)
    })

    it('loads records once more where that is asked for', async () => {
      const { load, records } = await bench()
      await load('note', 'title\nA\n')
      expect((await load('note', 'title\nA\n', { isAnew: true })).report).toMatchObject({ loaded: 1, there: 0 })
      expect((await load('note', 'title\nA\n')).report).toMatchObject({ loaded: 0, there: 1 })
      expect(await records('note')).toHaveLength(2)
    })

    it('says where a second run would load records again, because the source cannot be read twice', async () => {
      const { load } = await bench()
      const isRepeating = async (name: string, file: string, isRepeatable: boolean) =>
        (await load(name, sourceOf(file, isRepeatable))).report.isRepeating
      expect(await isRepeating('note', 'title\nA\n', false)).toBe(true)
      expect(await isRepeating('note', 'title\nA\n', true)).toBe(false)
      expect(await isRepeating('note', 'id,title\n9,A\nx,\n', false)).toBe(false)
    })

    it('is refused while another load of the same file goes on, and the other loads all of it', async () => {
      const { load, records } = await bench()
      const file = `title\n${'A\n'.repeat(10_000)}`
      let second: Promise<unknown> | undefined
      const first = load('note', file, {
        onProgress: () => {
          second ??= load('note', file).catch((error: unknown) => error)
        },
      }).catch((error: unknown) => error)
      // Whichever comes second to a batch is refused.
      const ends = [await first, await second]
      const refused = ends.filter((end) => end instanceof Error).map(String)
      expect(refused).toEqual([expect.stringMatching(/^BulkError: Another process is loading this file\.\n/)])
      expect(await records('note')).toHaveLength(10_000)
    })

    it('ends after a batch when it is told to, and loads the rest the next time', async () => {
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
      expect(rest.report).toMatchObject({ there: stopped.report.loaded, loaded: 5000 - stopped.report.loaded })
      expect(await records('note')).toHaveLength(5000)
    })
  })

  describe(`references within a file ${title}`, () => {
    it('may point further down, in any order', async () => {
      const { load, records } = await bench()
      const count = 700
      const rows = Array.from(
        { length: count },
        (_, at) => `${at + 1},N${at + 1},n${at + 1}@b.c,${at + 2 > count ? '' : at + 2}`,
      )
      const file = `id,name,mail,boss\n${rows.join('\n')}\n`
      const { report, rejects } = await load('person', file)
      expect(rejects).toEqual([])
      expect(report).toMatchObject({ ...none, loaded: count })
      const all = await records('person')
      expect(all.map(({ id, boss }) => boss ?? id + 1)).toEqual(all.map(({ id }) => id + 1))
      expect((await load('person', file)).report).toMatchObject({ ...none, there: count, different: 0 })
    })

    it('that lead nowhere reject the record, and those that wait for it', async () => {
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
      expect(report).toMatchObject({ ...none, loaded: 2, rejected: 4 })
      expect((await records('person')).map(({ id, boss }) => [id, boss])).toEqual([
        [5, 6],
        [6, null],
      ])
    })

    it('may go round in a circle', async () => {
      const { load, records } = await bench()
      const { report, rejects } = await load(
        'person',
        'id,name,mail,boss,creator\n1,A,a@b.c,2,3\n2,B,b@b.c,3,\n3,C,c@b.c,1,4\n4,D,d@b.c,2,1\n',
      )
      expect(rejects).toEqual([])
      expect(report).toMatchObject({ ...none, loaded: 4 })
      expect((await records('person')).map(({ boss, creator }) => [boss, creator])).toEqual([
        [2, 3],
        [3, null],
        [1, 4],
        [2, 1],
      ])
    })

    it('may point at the record itself, but not in a circle where none of them may be null', async () => {
      const { load, records } = await bench()
      const { rejects } = await load('node', 'id,root\n2,1\n1,1\n3,4\n4,3\n5,6\n6,5\n')
      expect(rejects.map(([line]) => line).toSorted()).toEqual([4, 5, 6, 7])
      expect(new Map(rejects).get(4)).toBe('root 4 waits for this record itself, and cannot be null.')
      expect(await records('node')).toEqual([
        { id: 1, root: 1 },
        { id: 2, root: 1 },
      ])
    })

    it('are of guids too', async () => {
      const { load, records } = await bench()
      const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
      const file = `key,name,under\n${two},B,${one.toUpperCase()}\n${one},A,\n`
      expect((await load('badge', file)).report).toMatchObject({ ...none, loaded: 2 })
      expect(await records('badge')).toEqual([
        { key: one, name: 'A', under: null },
        { key: two, name: 'B', under: one },
      ])
    })

    it('of an update may point further down', async () => {
      const { load, records } = await bench()
      await load('person', 'id,name,mail\n1,A,a@b.c\n')
      const { report } = await load('person', 'id,name,mail,boss\n1,A,a@b.c,2\n2,B,b@b.c,\n', { isUpdating: true })
      expect(report).toMatchObject({ ...none, updated: 1, loaded: 1 })
      expect((await records('person'))[0].boss).toBe(2)
    })

    it('of records that nothing tells apart wait once, and are not loaded twice', async () => {
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
      expect([second.report, second.rejects]).toMatchObject([{ loaded: 0, there: 2, rejected: 1 }, rejects])
      await load('note', ndjson([{ id: 600, title: 'D' }]))
      expect((await load('note', file)).report).toMatchObject({ loaded: 1, there: 2, rejected: 0 })
      expect(await records('note')).toHaveLength(4)
    })
  })

  describe(`a load of a link ${title}`, () => {
    it('takes pairs, once each, and rejects those of records that are not there', async () => {
      const { load, records } = await bench()
      await load('person', 'id,name,mail\n1,A,a@b.c\n2,B,b@b.c\n')
      await load('skill', 'id,team,name\n1,1,Go\n2,1,Chess\n')
      const file = 'skill,person\n1,2\n2,1\n1,1\n1,2\n1,9\n9,9\n,1\n'
      const { report, rejects } = await load('person-skill', file)
      expect(report).toMatchObject({ ...none, loaded: 3, there: 1, rejected: 3 })
      expect(rejects).toEqual([
        [6, 'person 9 does not exist.'],
        [7, 'person 9 does not exist. skill 9 does not exist.'],
        [8, '"skill" must be an integer, not "".'],
      ])
      expect(await records('person-skill')).toEqual([
        { person: 1, skill: 1 },
        { person: 1, skill: 2 },
        { person: 2, skill: 1 },
      ])
      expect((await load('person-skill', file)).report).toMatchObject({ loaded: 0, there: 4 })
    })

    it('rejects records that do not share what they must', async () => {
      const { load, records } = await bench()
      await load('skill', 'id,team,name\n1,1,Go\n2,2,Go\n')
      await load('tool', 'id,team\n1,1\n2,2\n')
      const { rejects } = await load(
        'skill-tool',
        ndjson([{ skill: 1, tool: 1 }, { skill: 1, tool: 2 }, { skill: 3, tool: 2 }, { skill: 1 }]),
      )
      expect(rejects).toEqual([
        [2, 'skill 1 and tool 2 do not have the same team.'],
        [3, 'skill 3 does not exist.'],
        [4, '"tool" is missing.'],
      ])
      expect(await records('skill-tool')).toEqual([{ skill: 1, tool: 1 }])
    })
  })

  describe(`beside a load ${title}`, () => {
    it('another load of the same records takes turns with it, and loads none of them twice', async () => {
      const { load, records } = await bench()
      const rows = Array.from({ length: 1500 }, (_, at) => `P${at},p${at}@b.c\n`)
      const loads = await Promise.all([
        load('person', `name,mail\n${rows.join('')}`),
        load('person', `name,mail\n${rows.toReversed().join('')}`),
      ])
      const reports = loads.map(({ report }) => report)
      expect(reports.map(({ loaded, there, rejected }) => [loaded + there, rejected])).toEqual([
        [1500, 0],
        [1500, 0],
      ])
      expect(reports.reduce((sum, { loaded }) => sum + loaded, 0)).toBe(1500)
      expect(await records('person')).toHaveLength(1500)
    })

    it('the service goes on reading and writing', async () => {
      const { address, load } = await bench()
      const app = await opened(service, { database: address })
      const rows = Array.from({ length: 4000 }, (_, at) => `P${at},p${at}@b.c\n`)
      let isOver = false
      const loading = load('person', `name,mail\n${rows.join('')}`).finally(() => {
        isOver = true
      })
      const statuses = new Map<number, number>()
      for (let at = 0; !isOver; at++) {
        const { status } = await app.ask('POST', '/note', { title: `${at}` })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect((await app.get('/person?pageSize=1')).status).toBe(200)
      }
      expect((await loading).report).toMatchObject({ loaded: 4000, rejected: 0 })
      expect([...statuses.keys()]).toEqual([201])
    })
  })

  it(`a load tells how far it is ${title}`, async () => {
    const { address } = await bench()
    const rows = Array.from({ length: 1000 }, (_, at) => `P${at},p${at}@b.c\n`)
    const told: { bytes: number; loaded: number }[] = []
    const source = sourceOf(`name,mail\n${rows.join('')}`)
    await loadRecords(service, { database: address, noun: 'person', source, onProgress: (one) => told.push(one) })
    expect(told.map(({ bytes }) => bytes)).toEqual(told.map(({ bytes }) => bytes).toSorted((a, b) => a - b))
    expect(told.at(-1)).toMatchObject({ loaded: 1000, bytes: source.size })
  })
}
