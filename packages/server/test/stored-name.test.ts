// Mapped names of tables and columns do not change the behavior of a service.
import { boolean, choice, email, identity, link, noun, number, reference, resource, text, updatedAt } from '@nomen/core'
import { service, visible, visibleTarget } from '@nomen/server'
import { loadRecords } from '@nomen/server/admin'
import { isOnPostgres, testDatabase } from '@nomen/testing/test-database'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { openService, plainApi } from './test-service.ts'

/** Names that statements might take for their own, or read as more than one. */
const awkward = [
  ...[
    'a.b',
    'x"y',
    "it's",
    'two words',
    ' lead',
    'ends ',
    'ünï',
    '名前',
    '🙂',
    'back\\slash',
    '%s',
    '$1',
    '?',
    ':x',
    '/*',
    '--',
    ';',
    'a,b',
    '{x}',
  ],
  ...[
    'select',
    'user',
    'order',
    'group',
    'null',
    'table',
    'rowid',
    'oid',
    'ctid',
    'xmin',
    'key',
    'value',
    'level',
    'records',
    'json',
  ],
  ...[
    't',
    's0',
    's0v',
    'tv',
    'label',
    'one',
    'above',
    'made',
    'found',
    'near',
    'far',
    'pair',
    'page',
    'excluded',
    'new',
    'old',
  ],
  ...[
    'a_b',
    'a',
    'b',
    'a_b_c',
    'b_c',
    'c',
    'a_delta',
    'a_fold',
    'a_place',
    'a_on_b',
    'on_insert',
    'insert',
    'unique',
    'a_unique',
    'reverse',
    'primary_key',
  ],
  ...[
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'length',
    'name_folded',
    'x_folded',
    'n'.repeat(63),
    `${'n'.repeat(62)}m`,
  ],
]

const isFree = (names: readonly string[]) => {
  const plain = names.map((name) => name.toLowerCase())
  return new Set(plain).size === names.length && !plain.includes('_version')
}

/** The names of a database's system columns are taken in every table of it. */
const system = ['oid', 'ctid', 'xmin', 'rowid', 'tableoid', 'xmax', 'cmin', 'cmax']
const any = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...awkward) },
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
)
const storable = any.filter(
  (name) =>
    name.trim() !== '' &&
    !name.includes('$$') &&
    !name.includes('\0') &&
    name.isWellFormed() &&
    Buffer.byteLength(name) <= 63,
)
const tables = fc.uniqueArray(
  storable.filter((name) => !/^(_|pg_|sqlite_)/i.test(name)),
  {
    minLength: 3,
    maxLength: 3,
    selector: (name) => name.toLowerCase(),
  },
)
const columnsOf = (count: number) =>
  fc
    .uniqueArray(
      storable.filter((name) => !system.includes(name)),
      { minLength: count, maxLength: count, selector: (name) => name.toLowerCase() },
    )
    .filter(isFree)

const names = fc.record({ tables, things: columnsOf(9), teams: columnsOf(2), pairs: columnsOf(2) })
type Names = typeof names extends fc.Arbitrary<infer N> ? N : never

/** The same service whatever the names; without any, under its own. */
function serviceWith(mapped: Names | undefined, isNarrow: boolean) {
  const [things, teams, pairs] = mapped?.tables ?? []
  const column = (of: 'things' | 'teams', at: number) => mapped?.[of][at] ?? `own${at}`
  const team = noun(
    'team',
    { id: identity().column(column('teams', 0)), name: text().column(column('teams', 1)) },
    { label: 'name', ...(teams !== undefined && { table: teams }) },
  )
  const thing = noun(
    'thing',
    {
      id: identity().column(column('things', 0)),
      name: text().column(column('things', 1)),
      state: choice('NEW', "O'LD").default('NEW').column(column('things', 2)),
      open: boolean().default(true).column(column('things', 3)),
      team: reference(() => team).column(column('things', 4)),
      mail: email().unique().column(column('things', 5)),
      over: reference(() => thing)
        .nullable()
        .clearedOnDelete()
        .column(column('things', 6)),
      size: number().nullable().column(column('things', 7)),
      changed: updatedAt().column(column('things', 8)),
    },
    { ...(things !== undefined && { table: things }) },
  )
  const membership = link(thing, team, {
    ...(pairs !== undefined && { table: pairs }),
    ...(mapped && { columns: [mapped.pairs[0] ?? '', mapped.pairs[1] ?? ''] as const }),
  })
  const resources = [
    resource(team),
    resource(thing, { search: ['name', 'mail'], children: [resource(team, { via: membership })] }),
  ]
  const visibility = [
    visible(thing, () => ({ team: visibleTarget })),
    visible(team, () => ({ name: ['North', 'South'] })),
  ]
  return service({ name: 'desk', apis: [plainApi(...resources)], ...(isNarrow && { visibility }) })
}

const story: readonly (readonly [string, string, unknown?])[] = [
  ['POST', '/team', { name: 'North' }],
  ['POST', '/team', { name: 'South' }],
  ...Array.from({ length: 5 }, (_, at): [string, string, unknown] => [
    'POST',
    '/thing',
    {
      name: `Ünit ${5 - at}`,
      team: 1 + (at % 2),
      mail: `m${at}@b.c`,
      over: at === 0 ? null : at,
      size: at / 4,
      open: at > 1,
    },
  ]),
  ['POST', '/thing', { name: 'again', team: 1, mail: 'M1@b.c' }],
  ['POST', '/thing', { name: 'nowhere', team: 9, mail: 'x@b.c', over: 99 }],
  ['PATCH', '/thing/2', { state: "O'LD", over: null }],
  ['PATCH', '/thing/3', { mail: 'm0@b.c' }],
  ['PUT', '/thing/1/team/2'],
  ['PUT', '/thing/2/team/1'],
  ['PUT', '/thing/2/team/2'],
  ['GET', '/thing/2/team'],
  ['DELETE', '/thing/2/team/2'],
  ['GET', '/thing/2/team?sort=-name'],
  ['GET', '/thing'],
  ['GET', "/thing?state=O'LD"],
  ['GET', "/thing?state=O'LD&state=NEW&open=true&pageSize=2"],
  ['GET', '/thing?open=false'],
  ['GET', '/thing?open=false&include=4&sort=-name'],
  ['GET', '/thing?team=2&sort=name'],
  ['GET', '/thing?over=3'],
  ['GET', '/thing?mail=m3@b.c'],
  ['GET', '/thing?sort=-size&pageSize=2&pageNumber=2'],
  ['GET', '/thing?search=unit%204&search=m0@'],
  ['GET', '/thing?size=0.25&name=%C3%9Cnit%204'],
  ['DELETE', '/team/1'],
  ['DELETE', '/thing/3'],
  ['GET', '/thing/4'],
  ['GET', '/thing?sort=over'],
]

/** Every response, without times of changes. */
async function responsesWith(mapped: Names | undefined, isNarrow: boolean): Promise<readonly unknown[]> {
  const { address, remove } = await testDatabase()
  onTestFinished(remove)
  const declared = serviceWith(mapped, isNarrow)
  const { send, app } = await openService(declared, { database: address })
  const responses: unknown[] = []
  for (const [method, path, body] of story) {
    const { status, text } = await send(method, path, body)
    responses.push([method, path, status, text.replaceAll(/"changed":"[^"]*"/g, '')])
  }
  await app.close()
  if (address === 'sqlite::memory:') return responses
  const rejects: string[] = []
  const source = sourceOf('name,mail,team,over\nLoaded,l1@b.c,2,\nTwice,M4@B.C,1,\nNext,l2@b.c,1,5\n')
  const { loaded } = await loadRecords(declared, {
    database: address,
    noun: 'thing',
    source,
    onReject: ({ line, reason }) => void rejects.push(`${line} ${reason}`),
  })
  const again = await openService(declared, { database: address })
  const { text } = await again.get('/thing?search=l')
  await again.app.close()
  return [...responses, loaded, rejects, text.replaceAll(/"changed":"[^"]*"/g, '')]
}

/** Names of statements' own parts; names that indexes, tallies and triggers might come to share; names of several parts. */
const known: [Names][] = [
  ...[
    ['made', 'above', 'near'],
    ['far', 'known', 'gone'],
    ['point', 'json', 'text'],
    ['kept', 'found', 'above'],
  ].map((tables): [Names] => [
    {
      tables,
      things: ['one', 'found', 'old', 'new', 'made', 'above', 'near', 'known', 'far'],
      teams: ['label', 't'],
      pairs: ['s0', 'above'],
    },
  ]),
  [
    {
      tables: ['a', 'a_delta', 'a_on'],
      things: ['primary_key', 'delta_key', 'state', 'state=NEW', 'b', 'b_unique', 'on_insert', 'c', 'b_c'],
      teams: ['id', 'key'],
      pairs: ['insert', 'reverse'],
    },
  ],
  [
    {
      tables: ['a.b', 'a"b', "a'b"],
      things: ['__proto__', 'a.b', 'a"b', "a'b", 'a b', 'select', 'constructor', 'ä', 'a\\b'],
      teams: ['a.b', ' '.padEnd(3, '.')],
      pairs: ['a"b', 'a.b'],
    },
  ],
]

it.each([false, true])('mapped names only change the database: narrow %s', async (isNarrow) => {
  const plain = await responsesWith(undefined, isNarrow)
  await fc.assert(
    fc.asyncProperty(names, async (mapped) => {
      const responses = await responsesWith(mapped, isNarrow).catch((error) => {
        // A table may not be called as an index of another one.
        fc.pre(!`${error}`.includes('has the same name as'))
        throw error
      })
      expect(responses).toEqual(plain)
    }),
    { numRuns: Number(process.env.NAME_RUNS ?? (isOnPostgres ? 3 : 24)), examples: known, endOnFailure: true },
  )
})
