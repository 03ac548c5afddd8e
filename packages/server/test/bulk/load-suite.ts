/** Loads of every format and kind of value, of links, and loads beside other work. */
import { loadRecords } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { benchOn, type MakeDatabase, ndjson, noRecords, service, sourceOf } from '../bulk-bench.ts'
import { openService } from '../test-service.ts'

export function loadSuite(title: string, make: MakeDatabase): void {
  const bench = () => benchOn(make)

  describe(`a load ${title}`, () => {
    it('accepts every kind of value as a request does, in both formats', async () => {
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
      const rows = await records('everything')
      const names = 'mail home key countOrNull ratio price whole isMaybe state day moment badge'
      const empty = Object.fromEntries(names.split(' ').map((name) => [name, null]))
      const [key, moment] = ['0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10', '2026-11-15T03:29:00.000Z']
      expect(rows).toEqual([
        // biome-ignore format: one record, one line
        { ...empty, id: 1, text: 'a', textOrNull: 'b', textOrDefault: 'c', mail: 'A@b.c', home: 'https://x.y/', key, count: -7, ratio: 1500, price: '12.5000', whole: '7', isOpen: true, isMaybe: false, state: 'ü', day: '2026-02-28', moment },
        { ...empty, id: 2, text: '', textOrNull: null, textOrDefault: 'usual', count: 0, isOpen: false },
        { ...empty, id: 3, text: '', textOrNull: '', textOrDefault: '', count: 1, isOpen: false },
        // biome-ignore format: one record, one line
        { ...empty, id: 4, text: 'b,"c"', textOrNull: null, textOrDefault: 'usual', count: 9007199254740991, ratio: 0, price: '0.0000', whole: '0', isOpen: true, isMaybe: true, state: 'b,"c"' },
      ])
      const other = await bench()
      await other.load('everything', ndjson(rows))
      expect(await other.records('everything')).toEqual(rows)
    })

    it('fills in defaults and managed fields, unless the file has them', async () => {
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

    it('creates records that the service finds and changes, and continues their IDs', async () => {
      const { load, address } = await bench()
      await load('person', 'id,name,mail,team\n70,STRASSE,a@b.c,2\n7,Bob,b@b.c,\n')
      await load('badge', 'name\nfirst\n')
      const app = await openService(service, { database: address })
      expect(await app.column('id', '/person?search=straße')).toEqual([70])
      expect(await app.column('id', '/person?team=2&mail=a@b.c')).toEqual([70])
      const created = await app.send('POST', '/person', { name: 'Next', mail: 'c@b.c' })
      expect([created.status, created.body.id]).toEqual([201, 71])
      const { headers } = await app.get('/person/70')
      const changed = await app.send('PATCH', '/person/70', { state: 'OLD' }, { 'if-match': `${headers.etag}` })
      expect([changed.status, changed.body.state]).toEqual([200, 'OLD'])
      expect(await app.column('key', '/badge')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
    })

    it('rejects invalid records with line and reason, in order, and loads the others', async () => {
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
        [4, '"mail" must be an e-mail address, not "nonsense"; "state" must be "NEW" or "OLD", not "LATE".'],
        [6, 'team 77 does not exist.'],
        [7, 'Another person has mail "ANN@b.c".'],
        [8, 'Person 5 cannot lead oneself.'],
        [9, 'The line has 3 values, but the header has 6 columns.'],
        [11, '"id" must be at least 1, not "0".'],
      ])
      expect(all[1]?.text).toBe('2,"Two\nlines",nonsense,1,LATE,')
      expect(report).toMatchObject({ ...noRecords, loaded: 2, rejected: 7, isStopped: false })
      expect((await records('person')).map(({ id, boss }) => [id, boss])).toEqual([
        [7, 77],
        [77, null],
      ])
    })

    it('rejects lines of NDJSON that are not objects, or have other fields', async () => {
      const { load } = await bench()
      const { report, rejects } = await load(
        'team',
        `{"id":3,"name":"Three"}\r\n\n{"name":}\n[1]\n"x"\n{"nmae":"x"}\n{"name":null,"lead":""}\n{"id":9007199254740993,"name":"x"}\n{"name":"x","__proto__":{}}`,
      )
      expect(rejects).toEqual([
        [3, expect.stringMatching(/^The line is not valid JSON: Unexpected token .*\.$/)],
        [4, 'The line is an array, not an object.'],
        [5, 'The line is "x", not an object.'],
        [6, '"nmae" is not a known field (did you mean "name"?).'],
        [7, '"name" must not be null; "lead" must have at least 1 character, not "".'],
        [8, '"id" must be within ±9007199254740991, not 9007199254740992.'],
        [9, '"__proto__" is not a known field.'],
      ])
      expect(report).toMatchObject({ loaded: 1, rejected: 7 })
    })

    it('accepts a JSON array, and rejects its records by their number', async () => {
      const { load, records } = await bench()
      const file = `[\n  { "id": 3,\n    "name": "Three" },\n  { "name": 7 }, 5, {"name":"\xff"}, { "id": 4, "name": "Four" }\n]\n`
      const { report, rejects, all } = await load('team', Buffer.from(file, 'latin1'))
      expect(rejects).toEqual([
        [2, '"name" must be a string, not 7.'],
        [3, 'The record is 5, not an object.'],
        [4, 'The record has bytes that are not UTF-8.'],
      ])
      expect(all[0]).toMatchObject({ unit: 'record', text: '{ "name": 7 }' })
      expect(report).toMatchObject({ loaded: 2, rejected: 3, unit: 'record' })
      expect((await records('team')).map(({ id }) => id)).toEqual([1, 2, 3, 4])
      const stored = { team: [{ id: 5, name: 'Five' }] }
      expect((await load('team', JSON.stringify(stored), { format: 'json' })).report).toMatchObject({ loaded: 1 })
      const others = JSON.stringify({ squads: [{ id: 6, name: 'Six' }] })
      await expect(load('team', others, { format: 'json' })).rejects.toThrow('--member squads')
      expect((await load('team', others, { format: 'json', member: 'squads' })).report).toMatchObject({ loaded: 1 })
    })

    it('continues in a JSON array after the record at which an earlier run ended', async () => {
      const { load, records } = await bench()
      const file = JSON.stringify([{ title: 'a' }, { title: 7 }, { title: 'b' }])
      expect((await load('note', file)).report).toMatchObject({ loaded: 2, rejected: 1 })
      const again = await load('note', file)
      expect(again.report).toMatchObject({ loaded: 0, unchanged: 2, rejected: 1, earlier: { line: 3 } })
      expect(await records('note')).toHaveLength(2)
    })

    it('rejects bytes that are not UTF-8, and characters that a database cannot store', async () => {
      const { load, records } = await bench()
      const rest = '"}\n{"title":"\\u0000"}\n{"title":"\\ud800"}\n{"title":"ü"}\n'
      const { rejects } = await load(
        'note',
        Buffer.concat([Buffer.from('{"title":"a'), Buffer.from([0xc3, 0x28]), Buffer.from(rest)]),
      )
      const unfit = '"title" must not contain U+0000 or an unpaired surrogate, not'
      expect(rejects).toEqual([
        [1, 'The line has bytes that are not UTF-8.'],
        [2, `${unfit} "\\u0000".`],
        [3, `${unfit} "\\ud800".`],
      ])
      expect((await records('note')).map(({ title: own }) => own)).toEqual(['ü'])
    })

    it.each([
      [
        'person',
        'id,nmae,mail\n',
        'The column "nmae" is not a known field (did you mean "name"?).\n  The first line must have the names',
      ],
      ['person', 'id;name\n1;a\n', 'The column "id;name" is not a known field.\n  Separate the columns with commas.'],
      ['person', 'name,name\n', 'The header has the column "name" twice.\n  Remove one of them.'],
      ['person', 'id,name\n1,a\n', 'The required column "mail" is missing.\n  The header has id, name.'],
      ['person', 'a"b,c\n', 'The header cannot be read: it has a quote inside a value'],
      ['person', '', 'The file is empty.\n  The first line must have the names of the columns.'],
      ['person', '\uFEFF\n\n', 'The file is empty.'],
      ['persom', 'id\n', 'Unknown noun "persom". Did you mean "person"?\n  Known nouns and links: team, person,'],
      ['skill-person', 'id\n', 'Unknown noun "skill-person". Did you mean "person-skill"?'],
    ])('of %s rejects the file %j as a whole', async (name, file, message) => {
      const { load } = await bench()
      await expect(load(name, file)).rejects.toThrow(message)
    })

    it.each([
      ['CSV', 'id,name\n3,Three\n'],
      ['NDJSON', '{"id":3,"name":"Three"}\n'],
    ])('rejects --member for %s', async (format, file) => {
      const { load, records } = await bench()
      await expect(load('team', file, { member: 'squads' })).rejects.toThrow(
        `--member is only for JSON files, but this file is ${format}.\n  Remove --member, or use --format json.`,
      )
      expect(await records('team')).toHaveLength(2)
    })

    it('rejects UTF-16, spreadsheets, and a JSON array if lines are expected', async () => {
      const { load } = await bench()
      await expect(load('team', 'PK\u0003\u0004\u0014')).rejects.toThrow('The file is a ZIP archive, as spreadsheets')
      await expect(load('team', Buffer.from('\uFEFFid,name\n', 'utf16le'))).rejects.toThrow('The file is in UTF-16.')
      await expect(load('team', '[\n{"name":"x"}\n]', { format: 'ndjson' })).rejects.toThrow(
        'a JSON array, not NDJSON.\n  Rename it to .json, or use --format json.',
      )
    })
  })

  describe(`a load of a link ${title}`, () => {
    it('accepts pairs, once each, and rejects pairs of missing records', async () => {
      const { load, records } = await bench()
      await load('person', 'id,name,mail\n1,A,a@b.c\n2,B,b@b.c\n')
      await load('skill', 'id,team,name\n1,1,Go\n2,1,Chess\n')
      const file = 'skill,person\n1,2\n2,1\n1,1\n1,2\n1,9\n9,9\n,1\n'
      const { report, rejects } = await load('person-skill', file)
      expect(report).toMatchObject({ ...noRecords, loaded: 3, unchanged: 1, rejected: 3 })
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
      expect((await load('person-skill', file)).report).toMatchObject({ loaded: 0, unchanged: 4 })
    })

    it('rejects records without the required common reference', async () => {
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
    it('another load of the same records alternates with it, and loads none of them twice', async () => {
      const { load, records } = await bench()
      const rows = Array.from({ length: 1500 }, (_, at) => `P${at},p${at}@b.c\n`)
      const loads = await Promise.all([
        load('person', `name,mail\n${rows.join('')}`),
        load('person', `name,mail\n${rows.toReversed().join('')}`),
      ])
      const reports = loads.map(({ report }) => report)
      expect(reports.map(({ loaded, unchanged, rejected }) => [loaded + unchanged, rejected])).toEqual([
        [1500, 0],
        [1500, 0],
      ])
      expect(reports.reduce((sum, { loaded }) => sum + loaded, 0)).toBe(1500)
      expect(await records('person')).toHaveLength(1500)
    })

    it('the service continues to read and write', async () => {
      const { address, load } = await bench()
      const app = await openService(service, { database: address })
      const rows = Array.from({ length: 2000 }, (_, at) => `P${at},p${at}@b.c\n`)
      let isOver = false
      const loading = load('person', `name,mail\n${rows.join('')}`).finally(() => {
        isOver = true
      })
      const statuses = new Map<number, number>()
      for (let at = 0; !isOver; at++) {
        const { status } = await app.send('POST', '/note', { title: `${at}` })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect((await app.get('/person?pageSize=1')).status).toBe(200)
      }
      expect((await loading).report).toMatchObject({ loaded: 2000, rejected: 0 })
      expect([...statuses.keys()]).toEqual([201])
    })
  })

  it(`a load reports its progress ${title}`, async () => {
    const { address } = await bench()
    const rows = Array.from({ length: 1000 }, (_, at) => `P${at},p${at}@b.c\n`)
    const progress: { bytes: number; loaded: number }[] = []
    const source = sourceOf(`name,mail\n${rows.join('')}`)
    await loadRecords(service, {
      database: address,
      noun: 'person',
      source,
      onProgress: (report) => progress.push(report),
    })
    expect(progress.map(({ bytes }) => bytes)).toEqual(progress.map(({ bytes }) => bytes).toSorted((a, b) => a - b))
    expect(progress.at(-1)).toMatchObject({ loaded: 1000, bytes: source.size })
  })
}
