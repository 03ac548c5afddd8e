/** Random files of several tenants are loaded as a model predicts. */
import { numberOfRuns, proofSeed, seedNumber, timeoutOption } from '@nomen/testing/prove'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Bench, emptyBench, type MakeDatabase, ndjson } from '../bulk-bench.ts'
import { teamKey, tenantService } from './tenant-service.ts'

const tenants = ['north', 'south', 'west']
const tenantOf = (number: number) => tenants[number % tenants.length] as string
/** There are teams 0 to 5 and skills 1 to 6, two of each tenant. */
const teams = [0, 1, 2, 3, 4, 5]
const reference = fc.option(fc.integer({ min: 1, max: 9 }), { freq: 2 })

interface Row {
  readonly id: number
  readonly tenant?: string
  readonly name?: string
  readonly team?: string | null
  readonly mentor?: number | null
  readonly buddy?: number | null
}

/** Most references are valid, or no record of a larger file would be. */
const row: fc.Arbitrary<Row> = fc.record(
  {
    id: fc.integer({ min: 1, max: 8 }),
    tenant: fc.oneof({ weight: 3, arbitrary: fc.constant('north') }, fc.constantFrom(...tenants)),
    name: fc.constantFrom('A', 'B'),
    team: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(null, teamKey(0)) }, fc.nat(6).map(teamKey)),
    mentor: reference,
    buddy: reference,
  },
  { requiredKeys: ['id'] },
)
const named = row.map((some): Row => (some.name === undefined ? some : { ...some, name: `${some.name}${some.id}` }))
const whole = named.map((some): Row => ({ tenant: tenantOf(some.id % 2), name: `A${some.id}`, ...some }))
const rowsOf = (one: fc.Arbitrary<Row>) => fc.uniqueArray(one, { selector: ({ id }) => id, maxLength: 8 })
const file = fc.record({ isUpdating: fc.boolean(), rows: fc.oneof(rowsOf(whole), rowsOf(named)) })
const pair = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 7 }))

type Members = ReadonlyMap<number, Required<Row>>

/** The members after a load, and the identities of rejected rows. */
function loaded(before: Members, { rows, isUpdating }: typeof file extends fc.Arbitrary<infer File> ? File : never) {
  let created = rows.filter(({ id, tenant, name }) => !before.has(id) && tenant !== undefined && name !== undefined)
  const tenantOfMember = (id: number) => before.get(id)?.tenant ?? created.find((other) => other.id === id)?.tenant
  const isValid = ({ team, mentor, buddy, ...own }: Row) => {
    const tenant = before.get(own.id)?.tenant ?? own.tenant
    const isTeam = team == null || teams.some((number) => teamKey(number) === team && tenantOf(number) === tenant)
    return isTeam && [mentor, buddy].every((id) => id == null || tenantOfMember(id) === tenant)
  }
  // A record is loaded if all of its references are: the rejected ones are removed until nothing changes.
  for (let count = -1; count !== created.length; ) {
    count = created.length
    created = created.filter(isValid)
  }
  const updated = rows.filter(({ id, tenant, ...others }) => {
    const existing = before.get(id)
    return (
      existing && (tenant ?? existing.tenant) === existing.tenant && isValid({ id, tenant: existing.tenant, ...others })
    )
  })
  const existing = rows.filter(({ id }) => before.has(id))
  const accepted = new Set([...created, ...(isUpdating ? updated : existing)])
  const members = new Map(before)
  for (const one of [...created, ...(isUpdating ? updated : [])]) {
    const blank = { tenant: '', name: '', team: null, mentor: null, buddy: null }
    members.set(one.id, { ...blank, ...members.get(one.id), ...one } as Required<Row>)
  }
  return { members, rejected: rows.filter((one) => !accepted.has(one)).map(({ id }) => id) }
}

const byNumber = (one: number, other: number) => one - other

export function tenantModelSuite(title: string, make: MakeDatabase): void {
  const storedMembers = async ({ records }: Bench): Promise<unknown> =>
    (await records('member')).map(({ author: _author, country: _country, ...member }) => member)

  it.each([
    [false, 4],
    [true, 2],
  ])(
    `loads of several tenants ${title} give what a model predicts, with rules that read records: %s`,
    timeoutOption(180_000, 1_800_000),
    async (hasAsyncRules, runs) => {
      const property = fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 4 }),
        fc.array(pair),
        async (files, pairs) => {
          const bench = await emptyBench(make, tenantService({ hasAsyncRules }))
          const teamLines = teams.map((number) => `${teamKey(number)},${tenantOf(number)},T\n`)
          await bench.load('team', `key,org,name\n${teamLines.join('')}`)
          await bench.load('skill', `id,tenant,name\n${teams.map((at) => `${at + 1},${tenantOf(at)},S\n`).join('')}`)
          let members: Members = new Map()
          for (const next of files) {
            const { rows, isUpdating } = next
            const { all } = await bench.load('member', ndjson(rows), {
              isUpdating,
              isFromStart: true,
              format: 'ndjson',
            })
            const expected = loaded(members, next)
            const rejected = all.map(({ line }) => rows[line - 1]?.id as number)
            expect(rejected.toSorted(byNumber)).toEqual(expected.rejected.toSorted(byNumber))
            members = expected.members
            expect(await storedMembers(bench)).toEqual([...members.values()].toSorted((a, b) => a.id - b.id))
          }
          await bench.load('member-skill', ndjson(pairs.map(([member, skill]) => ({ member, skill }))), {
            format: 'ndjson',
          })
          const valid = pairs.filter(
            ([member, skill]) => skill < 7 && members.get(member)?.tenant === tenantOf(skill - 1),
          )
          const stored = (await bench.records('member-skill')).map(({ member, skill }) => `${member},${skill}`)
          expect(new Set(stored)).toEqual(new Set(valid.map((one) => one.join())))
        },
      )
      await fc.assert(property, { numRuns: numberOfRuns(runs, 25 * runs), seed: seedNumber(proofSeed()) })
    },
  )
}
