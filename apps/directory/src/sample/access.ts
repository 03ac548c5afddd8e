/** The rows of applications, roles and actions of the sample, and of their links. */
import { applications } from './application.ts'
import { draw } from './random.ts'

export function* applicationRows() {
  for (const [index, { guid, name, description }] of applications.entries()) {
    yield { applicationRef: index + 1, guid, name, description }
  }
}

export function* roleRows() {
  let roleRef = 0
  for (const [index, { roles }] of applications.entries()) {
    for (const [name, description] of roles) {
      yield { roleRef: ++roleRef, applicationRef: index + 1, name, description }
    }
  }
}

export function* actionRows() {
  let actionRef = 0
  for (const [index, { actions }] of applications.entries()) {
    for (const [name, description] of actions) {
      yield { actionRef: ++actionRef, applicationRef: index + 1, name, description }
    }
  }
}

export function* roleActionRows(): Generator<[number, number]> {
  let roleRef = 0
  let actionsBefore = 0
  for (const { roles, actions } of applications) {
    const refs = new Map(actions.map(([name], index) => [name, actionsBefore + index + 1]))
    for (const [name, , allowed] of roles) {
      roleRef += 1
      for (const action of allowed) {
        const actionRef = refs.get(action)
        if (actionRef === undefined) throw new Error(`The role ${name} allows "${action}", which is not an action.`)
        yield [roleRef, actionRef]
      }
    }
    actionsBefore += actions.length
  }
}

export function* userRoleRows(numberOfUsers: number): Generator<[number, number]> {
  for (let user = 1; user <= numberOfUsers; user += 1) {
    for (const roleRef of rolesOf(user)) yield [user, roleRef]
  }
}

/** User 1 has a role of application 1, user 2 one of application 2, and so on. User 8 and some others have no role. */
function* rolesOf(user: number) {
  const random = draw('role', user)
  if (user === 8 || (user > applications.length && random.chance(0.15))) return
  let rolesBefore = 0
  for (const [index, { roles }] of applications.entries()) {
    const isFixed = user === index + 1
    if (isFixed || random.chance(0.3)) {
      const first = isFixed ? 0 : random.below(roles.length)
      yield rolesBefore + first + 1
      if (random.chance(0.2)) yield rolesBefore + ((first + 1) % roles.length) + 1
    }
    rolesBefore += roles.length
  }
}
