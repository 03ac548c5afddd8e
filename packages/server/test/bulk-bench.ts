/** A service of many kinds of nouns, and a database of it to load into and export from. */
import {
  boolean,
  choice,
  createdAt,
  createdBy,
  date,
  decimal,
  email,
  guid,
  identity,
  integer,
  link,
  noun,
  number,
  reference,
  resource,
  text,
  timestamp,
  updatedAt,
  updatedBy,
  url,
} from '@nomen/core'
import { rule, type Service } from '@nomen/server'
import {
  exportRecords,
  type FileFormat,
  type LoadOptions,
  type LoadReport,
  loadRecords,
  type Reject,
  type Source,
} from '@nomen/server/admin'
import { expect, onTestFinished } from 'vitest'
import { plainApi, serviceOf } from './test-service.ts'

const team = noun('team', { id: identity(), name: text(), lead: text({ minLength: 1 }).nullable() }, { label: 'name' })

const person = noun(
  'person',
  {
    id: identity().column('person_id'),
    name: text(),
    nick: text().unique().defaultFrom('mail'),
    mail: email().unique().column('e-mail'),
    phone: text().default('none'),
    state: choice({ NEW: ['OLD'], OLD: [] }).default('NEW'),
    team: reference(() => team)
      .nullable()
      .column('team_id'),
    boss: reference(() => person)
      .nullable()
      .clearedOnDelete()
      .column('boss_id'),
    created: createdAt().column('created_at'),
    creator: createdBy(() => person),
    changed: updatedAt(),
    changer: updatedBy(() => person),
  },
  { table: 'people' },
)

/** The rows differ only in their identity. */
const note = noun('note', {
  id: identity(),
  title: text(),
  team: reference(() => team).nullable(),
  after: reference(() => note).nullable(),
})

const badge = noun('badge', { key: identity('guid'), name: text(), under: reference(() => badge).nullable() })

/** Every node has a root, which may be itself. */
const node = noun('node', { id: identity(), root: reference(() => node) })

const skill = noun(
  'skill',
  { id: identity(), team: reference(() => team), name: text() },
  { unique: [['team', 'name']] },
)
const tool = noun('tool', { id: identity(), team: reference(() => team), name: text().nullable().unique() })
const personSkill = link(person, skill)
const skillTool = link(skill, tool, { sharing: 'team' })

const everything = noun('everything', {
  id: identity(),
  text: text(),
  textOrNull: text().nullable(),
  textOrDefault: text().default('usual'),
  mail: email().nullable(),
  home: url().nullable(),
  key: guid().nullable(),
  count: integer(),
  countOrNull: integer().nullable(),
  ratio: number().nullable(),
  price: decimal({ precision: 18, scale: 4 }).nullable(),
  whole: decimal({ precision: 18, scale: 0 }).nullable(),
  isOpen: boolean(),
  isMaybe: boolean().nullable(),
  state: choice('A', 'b,"c"', 'ü').nullable(),
  day: date().nullable(),
  moment: timestamp().nullable(),
  badge: reference(() => badge).nullable(),
})

const review = noun('review', {
  id: identity(),
  state: choice({ null: ['ASKED'], ASKED: ['DONE', null], DONE: [] }).nullable(),
})

const notOneself = rule(person, ({ id, boss }, previous) =>
  boss !== null && boss === id
    ? { field: 'boss', detail: `Person ${id} cannot lead oneself${previous ? ' any more' : ''}.` }
    : undefined,
)

export const service = serviceOf(
  [
    plainApi(
      resource(team),
      resource(person, { search: ['name'], children: [resource(skill, { via: personSkill })] }),
      resource(note),
      resource(badge),
      resource(node),
      resource(skill, { children: [resource(tool, { via: skillTool })] }),
      resource(tool),
      resource(everything),
      resource(review),
    ),
  ],
  [notOneself],
)

/** The same service, with a rule of nodes that may read records. */
export const asyncRuleService: Service = { ...service, rules: [notOneself, rule(node, async () => undefined)] }

interface Loaded {
  readonly report: LoadReport
  /** Line and reason of each. */
  readonly rejects: readonly (readonly [number, string])[]
  readonly all: readonly Reject[]
}

type Options = Partial<Omit<LoadOptions, 'source'>>

export interface Bench {
  readonly address: string
  /** Loads a text. Its beginning determines the format. */
  load(name: string, file: string | Buffer | Source, options?: Options): Promise<Loaded>
  export(name: string, format?: FileFormat, isForSpreadsheet?: boolean): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it has stored
  records(name: string): Promise<any[]>
}

export type MakeDatabase = () => Promise<{ readonly address: string; remove(): Promise<unknown> }>

/** A database with teams 1 and 2. */
export async function benchOn(make: MakeDatabase): Promise<Bench> {
  const bench = await emptyBench(make, service)
  await bench.load('team', 'id,name\n1,One\n2,Two\n')
  return bench
}

/** An empty database of a service. */
export async function emptyBench(make: MakeDatabase, loaded: Service): Promise<Bench> {
  const { address, remove } = await make()
  onTestFinished(async () => void (await remove()))
  const exported = async (noun: string, format: FileFormat, isForSpreadsheet = false) => {
    const all = await exportRecords(loaded, { database: address, noun, format, isForSpreadsheet })
    try {
      let [whole, count] = ['', 0]
      for await (const part of all.parts()) {
        whole += part.text
        count += part.numberOfRecords
      }
      expect(count).toBe(all.numberOfRecords)
      return whole
    } finally {
      await all.close()
    }
  }
  return {
    address,
    load: async (name, file, options = {}) => {
      const all: Reject[] = []
      const source = typeof file === 'string' || Buffer.isBuffer(file) ? sourceOf(file) : file
      const onReject = (reject: Reject) => all.push(reject)
      const report = await loadRecords(loaded, { database: address, noun: name, source, onReject, ...options })
      expect(report.rejected).toBe(all.length)
      return { report, all, rejects: all.map(({ line, reason }) => [line, reason]) }
    },
    export: (name, format = 'ndjson', isForSpreadsheet = false) => exported(name, format, isForSpreadsheet),
    records: async (name) => {
      const lines = (await exported(name, 'ndjson')).split('\n')
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
    },
  }
}

/** Bytes that come in small pieces. */
export function sourceOf(file: string | Buffer, isRepeatable = true): Source {
  const bytes = Buffer.from(file)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
  }
  return { name: 'test', size: bytes.length, isRepeatable, bytes: pieces }
}

export function ndjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** The counts of a load that did nothing. */
export const noRecords = { loaded: 0, updated: 0, unchanged: 0, different: 0, rejected: 0 }
