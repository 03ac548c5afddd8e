/** A staff service of teams, members and badges. Each caller sees a part of them. */
import {
  api,
  boolean,
  choice,
  createdBy,
  decimal,
  email,
  identity,
  link,
  noun,
  reference,
  resource,
  text,
  timestamp,
} from '@nomen/core'
import { type Caller, type LoadPart, service, type Visibility } from '@nomen/server'
import { type TestDatabase, testDatabase } from '@nomen/testing/test-database'
import { afterAll, expect, onTestFinished } from 'vitest'
import { type CallerClient, callerOf, openCallerClient } from './caller-client.ts'

export const team = noun('team', { id: identity(), name: text(), isOpen: boolean() }, { label: 'name' })
export const member = noun(
  'member',
  {
    id: identity(),
    name: text(),
    email: email().unique(),
    grade: choice('JUNIOR', 'SENIOR'),
    hasLeft: boolean().default(false),
    salary: decimal({ precision: 9, scale: 2 }).nullable(),
    joined: timestamp().nullable(),
    tenant: text().default('north'),
    team: reference(() => team),
    mentor: reference(() => member).nullable(),
    createdBy: createdBy(() => member),
  },
  { label: 'name' },
)
export const badge = noun('badge', {
  key: identity('guid'),
  team: reference(() => team),
  member: reference(() => member),
})
export const skill = noun('skill', {
  id: identity(),
  team: reference(() => team),
  name: text(),
  teacher: reference(() => member).nullable(),
})
export const note = noun('note', { id: identity(), isOld: boolean().nullable(), kind: choice('A', 'B') })
export const skilled = link(badge, skill, { sharing: 'team' })

const staff = api('staff', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [
    resource(team),
    resource(member, {
      complete: ['id', 'name', 'email', 'grade', 'hasLeft', 'salary', 'joined', 'team', 'mentor'],
      detail: true,
      list: ['id', 'name'],
      defaultFilter: { hasLeft: false },
    }),
    resource(badge, { children: [resource(skill, { via: skilled })] }),
    resource(skill),
    resource(note, { defaultFilter: { isOld: null, kind: 'A' } }),
  ],
})

const person = (id: number, more: object = {}) => ({
  id,
  name: `P${id}`,
  email: `p${id}@example.com`,
  grade: id % 2 ? 'JUNIOR' : 'SENIOR',
  hasLeft: false,
  salary: `${id}.50`,
  joined: `2026-01-0${id}T08:00:00.000Z`,
  tenant: 'north',
  team: 1 + (id % 2),
  mentor: id > 2 ? id - 2 : null,
  createdBy: null,
  ...more,
})
export const guids = [1, 2].map((number) => `00000000-0000-4000-8000-00000000000${number}`)

export const sample: LoadPart[] = [
  { noun: 'team', rows: [1, 2, 3].map((id) => ({ id, name: `T${id}`, isOpen: id === 1 })) },
  { noun: 'member', rows: [1, 2, 3, 4, 5, 6].map((id) => person(id, id === 6 ? { hasLeft: true } : {})) },
  { noun: 'badge', rows: guids.map((key, at) => ({ key, team: at + 1, member: at + 1 })) },
  { noun: 'skill', rows: [1, 2, 3].map((id) => ({ id, team: 1, name: `S${id}`, teacher: [null, 1, 2][id - 1] })) },
  { noun: 'note', rows: [1, 2, 3].map((id) => ({ id, isOld: id === 3 ? true : null, kind: 'A' })) },
  { link: ['badge', 'skill'], rows: [1, 2, 3].map((id) => [guids[0] as string, id] as const) },
]

const template = {
  name: 'staff',
  fill: async (url: string) => (await openCallerClient(staffWith([]), url)).close(),
}

export function staffWith(visibility: readonly Visibility[]) {
  return service({ name: 'staff', apis: [staff], visibility, sample: () => sample })
}

/** One database for all tests of a file that only read. */
let shared: Promise<TestDatabase> | undefined

/** Removes the shared database after the tests of this file. Test files share this module, so each must call it. */
export function removeSharedDatabase(): void {
  afterAll(async () => {
    await (await shared)?.remove()
    shared = undefined
  })
}

export async function sharedDatabase(): Promise<string> {
  shared ??= testDatabase(template)
  return (await shared).address
}

export async function openReadClient(visibility: readonly Visibility[]): Promise<CallerClient> {
  const client = await openCallerClient(staffWith(visibility), await sharedDatabase())
  onTestFinished(() => client.close())
  return client
}

/** On a database of its own. */
export async function openClient(visibility: readonly Visibility[]): Promise<CallerClient> {
  const { address, remove } = await testDatabase(template)
  const client = await openCallerClient(staffWith(visibility), address)
  onTestFinished(async () => {
    await client.close()
    await remove()
  })
  return client
}

export const ada = callerOf('ada')
export const everyone = callerOf('root', { isRoot: true })
export const isRoot = ({ claims }: Caller) => claims.isRoot === true

/** The identities in a list, and its total. */
export async function listed(at: CallerClient, caller: Caller, url: string, key = 'id') {
  const { status, body, text } = await at.send(caller, { method: 'GET', url })
  expect(status, text).toBe(200)
  const ids = body.results.map((result: Record<string, unknown>) => result[key])
  expect(body.pageInfo.numberOfRecords).toBe(ids.length)
  return ids
}
