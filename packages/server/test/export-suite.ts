/** Exports, and loads of what they wrote without loss; the same on every database. */
import { exportRecords } from '@nomen/server/admin'
import { numberOfRuns, timeoutOption } from '@nomen/testing/prove'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { benchOn, type MakeDatabase, ndjson, service } from './bulk-bench.ts'
import { openService } from './test-service.ts'

/** Text that quoting, escaping, trimming and guessing at types would harm. */
const hostile = fc.oneof(
  fc.constantFrom('', ' ', ' x ', '"', '""', ',', '\n', '\r', '\r\n', '\t', '\\', '\\n', "'", ';', '=1+1', '\uFEFF'),
  fc.constantFrom(
    '+1',
    '-1',
    '-x',
    '@a',
    '\t=1',
    '\r=1',
    "'=1",
    "''=1",
    "'\t",
    "'a",
    '-5.5',
    "'-5",
    '\uFF1D1',
    "'\uFF1D1",
  ),
  fc.constantFrom(
    'null',
    'NULL',
    'true',
    '0',
    '-0',
    '007',
    '1e3',
    'NaN',
    '{',
    '[]',
    '\u2028',
    '\u0085',
    '😀',
    'e\u0301',
  ),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed().replaceAll('\u0000', '')),
  fc.array(fc.constantFrom('"', ',', '\r', '\n', 'ü', 'x', ' '), { maxLength: 8 }).map((parts) => parts.join('')),
)
const safe = fc.maxSafeInteger()
const units = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n })
const day = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
const badges = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']

const record = fc.record({
  text: hostile,
  textOrNull: fc.option(hostile),
  textOrDefault: hostile,
  mail: fc.option(fc.constantFrom('a@b.c', "o'x+y=1@example.com", 'A@B.C')),
  home: fc.option(fc.constantFrom('https://x.y/', 'HTTP://x.y/?a=%22,%0A&b=c,d')),
  key: fc.option(fc.uuid()),
  count: safe,
  countOrNull: fc.option(safe),
  ratio: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((ratio) => ratio + 0)),
  price: fc.option(units.map((unit) => decimal(unit, 4))),
  whole: fc.option(units.map(String)),
  isOpen: fc.boolean(),
  isMaybe: fc.option(fc.boolean()),
  state: fc.option(fc.constantFrom('A', 'b,"c"', 'ü')),
  day: fc.option(day.map((date) => date.toISOString().slice(0, 10))),
  moment: fc.option(day.map((date) => date.toISOString())),
  badge: fc.option(fc.constantFrom(...badges)),
})

function decimal(unit: bigint, scale: number): string {
  const digits = `${unit < 0n ? -unit : unit}`.padStart(scale + 1, '0')
  return `${unit < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

export function exportSuite(title: string, make: MakeDatabase): void {
  const bench = () => benchOn(make)

  describe(`an export ${title}`, () => {
    it('has every stored field, in the order of the declaration and of the identity', async () => {
      const { load, export: exported } = await bench()
      await load('team', 'id,name,lead\n10,"Ten, ""X""",\n9,,Ann\n')
      expect(await exported('team', 'csv')).toBe('id,name,lead\n1,One,\n2,Two,\n9,"",Ann\n10,"Ten, ""X""",\n')
      expect(await exported('team', 'ndjson')).toBe(
        ndjson([
          { id: 1, name: 'One', lead: null },
          { id: 2, name: 'Two', lead: null },
          { id: 9, name: '', lead: 'Ann' },
          { id: 10, name: 'Ten, "X"', lead: null },
        ]),
      )
      const array = await exported('team', 'json')
      expect(array).toMatch(/^\[\n\{"id":1,.*\},\n\{[\s\S]*\}\n\]\n$/)
      expect(JSON.parse(array).map(({ id }: { id: number }) => id)).toEqual([1, 2, 9, 10])
      expect(await exported('note', 'json')).toBe('[]\n')
      expect(await exported('note', 'csv')).toBe('id,title,team,after\n')
      expect(await exported('note', 'ndjson')).toBe('')
    })

    it('for spreadsheets has no formulas, marks this in its header, and loads as the same records', async () => {
      const { load, export: exported } = await bench()
      const names = [
        '=cmd|x!A0',
        '+1+1',
        '-1+1',
        '-5.50',
        '@SUM(1)',
        '\t=1',
        '\r=1',
        "'=1",
        "'a",
        'a=1',
        '＝1',
        '',
      ] as const
      await load('team', ndjson(names.map((name, at) => ({ id: at + 10, name, lead: null }))))
      const csv = await exported('team', 'csv', true)
      expect(csv.split(/\n/).slice(0, 7)).toEqual([
        "'id,name,lead",
        '1,One,',
        '2,Two,',
        "10,'=cmd|x!A0,",
        "11,'+1+1,",
        "12,'-1+1,",
        '13,-5.50,',
      ])
      for (const line of csv.trimEnd().split('\n').slice(1)) {
        const [, cell = ''] = line.split(',')
        expect(/^"?[=+@\t\r\uFF1D]/.test(cell) || /^"?-[^\d]/.test(cell), line).toBe(false)
      }
      const other = await bench()
      expect((await other.load('team', csv)).rejects).toEqual([])
      expect(await other.export('team')).toBe(await exported('team'))
    })

    it('has the pairs of a link', async () => {
      const { load, export: exported } = await bench()
      await load('person', 'id,name,mail\n1,A,a@b.c\n2,B,b@b.c\n')
      await load('skill', 'id,team,name\n1,1,Go\n2,1,Chess\n')
      const pairs = 'person,skill\n1,1\n1,2\n2,1\n'
      await load('person-skill', pairs)
      expect(await exported('person-skill', 'csv')).toBe(pairs)
    })

    it('has more records and pairs than one page, each once', async () => {
      const { load, export: exported } = await bench()
      const people = Array.from({ length: 2500 }, (_, at) => `${at + 1},P${at},p${at}@b.c\n`)
      await load('person', `id,name,mail\n${people.join('')}`)
      await load('skill', 'id,team,name\n1,1,Go\n')
      const pairs = `person,skill\n${people.map((_, at) => `${at + 1},1\n`).join('')}`
      await load('person-skill', pairs)
      const ids = (await exported('person', 'csv')).split('\n').map((line) => line.split(',')[0])
      expect(ids).toEqual(['id', ...people.map((_, at) => `${at + 1}`), ''])
      expect(await exported('person-skill', 'csv')).toBe(pairs)
    })

    it('shows all records as they were at its beginning, despite concurrent writes', async () => {
      const { load, address } = await bench()
      const people = Array.from({ length: 2500 }, (_, at) => `${at + 1},P,p${at}@b.c\n`)
      await load('person', `id,name,mail\n${people.join('')}`)
      const app = await openService(service, { database: address })
      const all = await exportRecords(service, { database: address, noun: 'person', format: 'ndjson' })
      let lines: string[] = []
      for await (const { text } of all.parts()) {
        lines = [...lines, ...text.trimEnd().split('\n')]
        for (const id of [1, 1500, 2500])
          expect((await app.send('PATCH', `/person/${id}`, { name: `X${lines.length}` })).status).toBe(200)
        expect((await app.send('POST', '/person', { name: 'N', mail: `n${lines.length}@b.c` })).status).toBe(201)
        await app.send('DELETE', '/person/2400')
      }
      await all.close()
      expect(lines.map((line) => JSON.parse(line).name)).toEqual(people.map(() => 'P'))
    })

    it(
      'loaded into an empty database gives the same bytes again, for all values',
      timeoutOption(180_000, 1_800_000),
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(record, { minLength: 50, maxLength: 80 }), async (records) => {
            const { load, export: exported } = await bench()
            await load('badge', `key,name\n${badges[0]},A\n${badges[1]},B\n`)
            const { rejects } = await load('everything', ndjson(records))
            expect(rejects).toEqual([])
            const [first, csv] = [await exported('everything'), await exported('everything', 'csv')]
            const sheet = await exported('everything', 'csv', true)
            const array = await exported('everything', 'json')
            const expected = records.map((values, at) => ({ id: at + 1, ...values }))
            expect(first.split('\n').map((line) => (line === '' ? '' : JSON.parse(line)))).toEqual([...expected, ''])
            for (const file of [first, csv, array, sheet]) {
              const other = await bench()
              await other.load('badge', `key,name\n${badges[0]},A\n${badges[1]},B\n`)
              const loaded = await other.load('everything', file)
              expect(loaded.rejects).toEqual([])
              expect(await other.export('everything')).toBe(first)
              expect(await other.export('everything', 'csv')).toBe(csv)
              expect((await other.load('everything', file)).report).toMatchObject({
                unchanged: records.length,
                different: 0,
              })
            }
          }),
          { numRuns: numberOfRuns(1, 20) },
        )
      },
    )
  })
}
