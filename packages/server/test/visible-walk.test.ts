import { savedView } from '@nomen/core'
import { access, action, application, department, directoryService, role, user } from '@nomen/directory'
import { type Caller, service, visible, visibleTarget } from '@nomen/server'
import { describe, expect } from 'vitest'
import { callerOf } from './visible/caller-client.ts'
import { testEachOperation } from './visible/walk.ts'
import { directoryWithoutWebhooks } from './visible/without-webhooks.ts'
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
  apis: [directoryWithoutWebhooks, access],
  rules,
  ...(sample && { sample }),
  visibility: [
    visible(user, (caller) => isAll(caller) || (isSome(caller) && { department: departments })),
    visible(department, (caller) => isAll(caller) || (isSome(caller) && { name: departmentNames })),
    visible(application, (caller) => isAll(caller) || (isSome(caller) && { name: applications })),
    visible(role, (caller) => isAll(caller) || { applicationRef: visibleTarget }),
    visible(role, (caller) => isAll(caller) || (isSome(caller) && { name: names })),
    visible(action, (caller) => isAll(caller) || { applicationRef: visibleTarget }),
    visible(savedView, (caller) => isAll(caller) || (isSome(caller) && { name: 'Engineers' })),
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
    const isVisibleTo: { readonly [noun: string]: (row: Row) => boolean } = {
      user: ({ department }) => departments.includes(department as number),
      preference: ({ user }) => of('user', user),
      department: ({ name }) => departmentNames.includes(`${name}`),
      application: ({ name }) => applications.includes(`${name}`),
      role: ({ applicationRef, name }) => of('application', applicationRef) && names.includes(`${name}`),
      action: ({ applicationRef }) => of('application', applicationRef),
      'saved-view': ({ name }) => name === 'Engineers',
    }
    return isVisibleTo[noun]?.(row) ?? false
  }

const callers: readonly [string, Caller, (world: World) => Eye][] = [
  ['who sees all', callerOf('ada', { sees: 'all' }), () => () => true],
  ['who sees some', callerOf('bob', { sees: 'some' }, 20), some],
  ['who sees nothing', callerOf('eve'), () => () => false],
]

describe.each(callers)('a caller %s', (name, caller, eyeOn) => {
  const world = new World(narrowed.operations, sample?.() ?? [])
  const eye = eyeOn(world)

  testEachOperation(narrowed, { world, caller, eye }, (met) => {
    if (name === 'who sees some') expect(Math.min(met.visible, met.hidden), JSON.stringify(met)).toBeGreaterThan(0)
  })
})
