import { access, action, application, department, directory, directoryService, role, user } from '@nomen/directory'
import { type Caller, service, visible, visibleTarget } from '@nomen/server'
import { testDatabase } from '@nomen/testing/test-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callerOf, type Desk, openDesk } from './visible/desk.ts'
import { type Met, walkOperation } from './visible/walk.ts'
import { type Eye, type Row, World } from './visible/world.ts'

const departments = [1, 8]
const departmentNames = ['Operations', 'Sales', 'Customer Support']
const applications = ['Payroll', 'Expense', 'Asset Register']
const names = ['Employee', 'Approver', 'Guest', 'Viewer', 'Administrator', 'Claimant']

const isAll = ({ claims }: Caller) => claims.sees === 'all'
const isSome = ({ claims }: Caller) => claims.sees === 'some'

const { rules = [], sample } = directoryService({ users: 20 })
const narrowed = service({
  name: 'directory',
  apis: [directory, access],
  rules,
  ...(sample && { sample }),
  visibility: [
    visible(user, (caller) => isAll(caller) || (isSome(caller) && { department: departments })),
    visible(department, (caller) => isAll(caller) || (isSome(caller) && { name: departmentNames })),
    visible(application, (caller) => isAll(caller) || (isSome(caller) && { name: applications })),
    visible(role, (caller) => isAll(caller) || { applicationRef: visibleTarget }),
    visible(role, (caller) => isAll(caller) || (isSome(caller) && { name: names })),
    visible(action, (caller) => isAll(caller) || { applicationRef: visibleTarget }),
  ],
})

/** The same by hand. */
const some =
  (world: World): Eye =>
  (noun, row) => {
    const of = (name: string, key: unknown): boolean => {
      const target = world.row(name, key as number)
      return target !== undefined && some(world)(name, target)
    }
    const seenBy: { readonly [noun: string]: (row: Row) => boolean } = {
      user: ({ department }) => departments.includes(department as number),
      preference: ({ user }) => of('user', user),
      department: ({ name }) => departmentNames.includes(`${name}`),
      application: ({ name }) => applications.includes(`${name}`),
      role: ({ applicationRef, name }) => of('application', applicationRef) && names.includes(`${name}`),
      action: ({ applicationRef }) => of('application', applicationRef),
    }
    return seenBy[noun]?.(row) ?? false
  }

const callers: readonly [string, Caller, (world: World) => Eye][] = [
  ['who sees all', callerOf('ada', { sees: 'all' }), () => () => true],
  ['who sees some', callerOf('bob', { sees: 'some' }, 20), some],
  ['who sees nothing', callerOf('eve'), () => () => false],
]

/** What takes records away comes last, and what belongs to others before them. */
const order = ['list', 'read', 'lookup', 'replace', 'update', 'create', 'link', 'unlink', 'delete']
const table = narrowed.operations.toSorted(
  (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.levels.length - a.levels.length,
)

describe.each(callers)('a caller %s', (name, caller, eyeOn) => {
  const world = new World(narrowed.operations, sample?.() ?? [])
  const eye = eyeOn(world)
  let desk: Desk
  let remove: () => Promise<void>

  beforeAll(async () => {
    const database = await testDatabase()
    remove = database.remove
    desk = await openDesk(narrowed, database.address)
  })

  afterAll(async () => {
    await desk.close()
    await remove()
  })

  it.each(table.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'meets exactly that in %s',
    async (_, operation) => {
      const met: Met = await walkOperation({ desk, world, caller, eye, operation })
      if (name === 'who sees some') expect(Math.min(met.seen, met.unseen), JSON.stringify(met)).toBeGreaterThan(0)
    },
  )
})
