/** A load rejects references and links between records of different tenants. */
import type { Service } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { modelOf } from '../../src/store/model.ts'
import { openStore } from '../../src/store/open/store.ts'
import { type Bench, emptyBench, type MakeDatabase, ndjson, noRecords } from '../bulk-bench.ts'
import { teamKey, tenantService } from './tenant-service.ts'

const [northTeam, southTeam] = [teamKey(1), teamKey(2)]
const isUpdating = { isUpdating: true }

export function tenantLoadSuite(title: string, make: MakeDatabase): void {
  /** Team 1, members 1 and 2 and skill 1 of north; team 2, members 50 and 51 and skill 50 of south. */
  const bench = async (service: Service = tenantService()): Promise<Bench> => {
    const loads = await emptyBench(make, service)
    await loads.load('country', 'id,name\n1,Norway\n')
    await loads.load('team', `key,org,name\n${northTeam},north,N\n${southTeam},south,S\n`)
    await loads.load('member', 'id,tenant,name\n1,north,A\n2,north,B\n50,south,A\n51,south,B\n')
    await loads.load('skill', 'id,tenant,name\n1,north,X\n50,south,X\n')
    return loads
  }

  describe.each([false, true])(`tenants of a load ${title}, with rules that read records: %s`, (hasAsyncRules) => {
    const service = tenantService({ hasAsyncRules })

    it('rejects a new record that references a record of another tenant', async () => {
      const { load, records } = await bench(service)
      const { report, rejects } = await load(
        'member',
        ndjson([
          { id: 3, tenant: 'north', name: 'C', team: southTeam },
          { id: 4, tenant: 'north', name: 'D', mentor: 50 },
          { id: 5, tenant: 'north', name: 'E', author: 51, team: northTeam },
          { id: 6, tenant: 'north', name: 'F', team: teamKey(9), buddy: 50 },
          { id: 7, tenant: 'north', name: 'G', team: northTeam, mentor: 2, country: 1 },
          { tenant: 'south', name: 'H', mentor: 1 },
        ]),
      )
      expect(rejects).toEqual([
        [1, `team "${southTeam}" belongs to another tenant, "south".`],
        [2, 'mentor 50 belongs to another tenant, "south".'],
        [3, 'author 51 belongs to another tenant, "south".'],
        [4, `team "${teamKey(9)}" does not exist. buddy 50 belongs to another tenant, "south".`],
        [6, 'mentor 1 belongs to another tenant, "north".'],
      ])
      expect(report).toMatchObject({ ...noRecords, loaded: 1, rejected: 5 })
      expect((await records('member')).map(({ id }) => id)).toEqual([1, 2, 7, 50, 51])
    })

    it('rejects an update that sets such a reference, with or without the tenant in the file', async () => {
      const { load, records } = await bench(service)
      const before = await records('member')
      const file = ndjson([
        { id: 1, mentor: 50 },
        { id: 2, tenant: 'north', team: southTeam },
        { tenant: 'south', name: 'A', buddy: 2 },
      ])
      expect((await load('member', file)).report).toMatchObject({ ...noRecords, unchanged: 3, different: 3 })
      expect((await load('member', file, isUpdating)).rejects).toEqual([
        [1, 'mentor 50 belongs to another tenant, "south".'],
        [2, `team "${southTeam}" belongs to another tenant, "south".`],
        [3, 'buddy 2 belongs to another tenant, "north".'],
      ])
      expect(await records('member')).toEqual(before)
    })

    it('checks a reference that an assignment sets in new records, if the record is new', async () => {
      const { load, records } = await bench(service)
      const file = ndjson([
        { id: 1, tenant: 'north', name: 'A' },
        { id: 2, tenant: 'south', name: 'B', team: southTeam },
        { id: 3, tenant: 'south', name: 'C' },
      ])
      expect((await load('desk', file)).rejects).toEqual([
        [3, `team "${northTeam}" belongs to another tenant, "north".`],
      ])
      const { report } = await load('desk', ndjson([{ id: 2, tenant: 'south', name: 'D' }]), isUpdating)
      expect(report).toMatchObject({ ...noRecords, updated: 1 })
      expect(await records('desk')).toMatchObject([{ team: northTeam }, { name: 'D', team: southTeam }])
    })

    it('rejects an update that changes the tenant', async () => {
      const { load, records } = await bench(service)
      const before = await records('member')
      const file = `id,tenant,name,team\n1,south,A,\n2,south,B,${southTeam}\n`
      expect((await load('member', file)).report).toMatchObject({ ...noRecords, unchanged: 2, different: 2 })
      expect((await load('member', file, isUpdating)).rejects).toEqual([
        [2, '"tenant" is "north" and cannot be changed.'],
        [3, '"tenant" is "north" and cannot be changed.'],
      ])
      expect(await records('member')).toEqual(before)
    })

    it('rejects links between records of different tenants', async () => {
      const { load, records } = await bench(service)
      const { report, rejects } = await load('member-skill', 'member,skill\n1,1\n1,50\n50,1\n50,50\n51,9\n')
      expect(rejects).toEqual([
        [3, 'member 1 and skill 50 do not have the same tenant.'],
        [4, 'member 50 and skill 1 do not have the same tenant.'],
        [6, 'skill 9 does not exist.'],
      ])
      expect(report).toMatchObject({ ...noRecords, loaded: 2, rejected: 3 })
      expect(await records('member-skill')).toEqual([
        { member: 1, skill: 1 },
        { member: 50, skill: 50 },
      ])
      const shared = await load('member-country', 'member,country\n1,1\n50,1\n')
      expect(shared.report).toMatchObject({ ...noRecords, loaded: 2 })
    })

    it('rejects references between rows of one file, in any order and in circles', async () => {
      const { load, records } = await bench(service)
      const row = (id: number, tenant: string, others: object) => ({ id, tenant, name: `N${id}`, ...others })
      const { rejects } = await load(
        'member',
        ndjson([
          row(11, 'north', { mentor: 12 }),
          row(12, 'south', {}),
          row(13, 'south', { mentor: 12 }),
          row(14, 'north', { mentor: 12 }),
          row(15, 'north', { mentor: 16 }),
          row(16, 'south', { mentor: 15 }),
          row(17, 'north', { mentor: 18 }),
          row(18, 'north', { mentor: 17, buddy: 19 }),
          row(19, 'south', { mentor: 19 }),
          row(20, 'south', { mentor: 21, buddy: 20 }),
          row(21, 'south', { mentor: 20 }),
        ]),
      )
      expect(new Map(rejects)).toEqual(
        new Map([
          [1, 'mentor 12 belongs to another tenant, "south".'],
          [4, 'mentor 12 belongs to another tenant, "south".'],
          [5, 'mentor 16 does not exist.'],
          [6, 'mentor 15 belongs to another tenant, "north".'],
          [7, 'mentor 18 does not exist.'],
          [8, 'buddy 19 belongs to another tenant, "south".'],
        ]),
      )
      expect((await records('member')).map(({ id }) => id)).toEqual([1, 2, 12, 13, 19, 20, 21, 50, 51])
    })

    it('keeps the reference of a record if its update waits for records of another tenant', async () => {
      const { load, records } = await bench(service)
      await load('member', 'id,mentor\n1,2\n', isUpdating)
      const { rejects } = await load(
        'member',
        ndjson([
          { id: 1, mentor: 60 },
          { id: 60, tenant: 'south', name: 'C', mentor: 61 },
          { id: 61, tenant: 'south', name: 'D', mentor: 60 },
        ]),
        isUpdating,
      )
      expect(rejects).toEqual([[1, 'mentor 60 belongs to another tenant, "south".']])
      expect((await records('member')).map(({ id, mentor }) => [id, mentor])).toEqual([
        [1, 2],
        [2, null],
        [50, null],
        [51, null],
        [60, 61],
        [61, 60],
      ])
    })

    it('leaves out a reference if the record that it waited for comes from another tenant', async () => {
      const { load, records } = await bench(service)
      const row = (id: number, tenant: string, mentor: number) => ({ id, tenant, name: `N${id}`, mentor })
      const { rejects } = await load(
        'member',
        // The file has 62 twice. The one of south is loaded, because it is the first of its circle.
        ndjson([
          row(61, 'north', 62),
          row(62, 'south', 63),
          row(63, 'south', 62),
          row(62, 'north', 64),
          row(64, 'north', 62),
        ]),
      )
      expect(new Map(rejects).get(1)).toBe(
        'mentor 62 belongs to another tenant, "south": member 61 was loaded without it.',
      )
      const mentors = (await records('member')).filter(({ id }) => id > 60).map(({ id, mentor }) => [id, mentor])
      expect(mentors).toEqual([
        [61, null],
        [62, 63],
        [63, 62],
      ])
    })

    it('rejects records and links that the database already has', async () => {
      const { load, records, address } = await emptyBench(make, service)
      const store = await openStore(address, modelOf(service.operations))
      const references = { team: southTeam, mentor: null, buddy: null, country: null, author: null }
      // The store does not check the rows.
      await store.loadIfEmpty(() => [
        { noun: 'team', rows: [{ key: southTeam, org: 'south', name: 'S' }] },
        { noun: 'member', rows: [{ id: 1, tenant: 'north', name: 'A', ...references }] },
        { noun: 'skill', rows: [{ id: 50, tenant: 'south', name: 'X' }] },
        { link: ['member', 'skill'], rows: [[1, 50]] },
      ])
      await store.close()
      const reason = `team "${southTeam}" belongs to another tenant, "south".`
      const file = (name: string) => `id,tenant,name,team\n1,north,${name},${southTeam}\n`
      expect((await load('member', file('A'))).report).toMatchObject({ ...noRecords, unchanged: 1 })
      expect((await load('member', file('A'), isUpdating)).rejects).toEqual([[2, reason]])
      expect((await load('member', file('B'), isUpdating)).rejects).toEqual([[2, reason]])
      const other = await load('member', 'id,name\n1,C\n', isUpdating)
      expect(other.report).toMatchObject({ ...noRecords, updated: 1 })
      expect(await records('member')).toMatchObject([{ id: 1, name: 'C', team: southTeam }])
      expect((await load('member', 'id,team\n1,\n', isUpdating)).report).toMatchObject({ ...noRecords, updated: 1 })
      expect((await load('member-skill', 'member,skill\n1,50\n')).rejects).toEqual([
        [2, 'member 1 and skill 50 do not have the same tenant.'],
      ])
    })
  })
}
