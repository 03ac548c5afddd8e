// Proves that the sample data keeps every rule of the directory at every size, and covers every case.
import { describe, expect, it } from 'vitest'
import { sample } from './sample.ts'

interface Department {
  id: number
  name: string
  retired: boolean
}
interface User {
  id: number
  firstName: string
  lastName: string
  username: string
  email: string
  phone: string
  extension: string
  status: string
  department: number
  supervisor: number | null
  avatarColor: string | null
  created: string
  createdBy: number | null
  lastUpdated: string
  updatedBy: number | null
}
interface Preference {
  id: number
  user: number
  type: string
  enabled: boolean | null
  value: string | null
}
interface Described {
  name: string
  description: string
  applicationRef: number
}

function drawn(numberOfUsers: number) {
  const parts = sample(numberOfUsers)
  const rowsOf = <Row>(noun: string) =>
    parts.flatMap((part) => ('noun' in part && part.noun === noun ? [...part.rows] : [])) as Row[]
  const pairsOf = (left: string, right: string) =>
    parts.flatMap((part) => ('link' in part && `${part.link}` === `${left},${right}` ? [...part.rows] : []))
  return {
    departments: rowsOf<Department>('department'),
    users: rowsOf<User>('user'),
    preferences: rowsOf<Preference>('preference'),
    applications: rowsOf<Described & { guid: string }>('application'),
    roles: rowsOf<Described & { roleRef: number }>('role'),
    actions: rowsOf<Described & { actionRef: number }>('action'),
    userRoles: pairsOf('user', 'role'),
    roleActions: pairsOf('role', 'action'),
  }
}

const count = (values: Iterable<unknown>) => new Set(values).size
const fromOne = (length: number) => Array.from({ length }, (_, index) => index + 1)

function depths(users: User[]): number[] {
  const depth = new Map<number, number>()
  for (const { id, supervisor } of users) depth.set(id, supervisor === null ? 1 : (depth.get(supervisor) ?? 0) + 1)
  return [...depth.values()]
}

function membersOf({ roles, userRoles }: ReturnType<typeof drawn>, application: number): Set<number> {
  const own = new Set(
    roles.filter(({ applicationRef }) => applicationRef === application).map(({ roleRef }) => roleRef),
  )
  return new Set(userRoles.filter(([, role]) => own.has(role)).map(([user]) => user))
}

describe.each([1, 5, 20, 200, 5000])('a sample of %i users', (size) => {
  const all = drawn(size)
  const { departments, users, preferences, applications, roles, actions, userRoles, roleActions } = all

  it('numbers every noun from 1 without a gap', () => {
    expect(users.map(({ id }) => id)).toEqual(fromOne(size))
    expect(departments.map(({ id }) => id)).toEqual(fromOne(15))
    expect(preferences.map(({ id }) => id)).toEqual(fromOne(preferences.length))
    expect(applications.map(({ applicationRef }) => applicationRef)).toEqual(fromOne(6))
    expect(roles.map(({ roleRef }) => roleRef)).toEqual(fromOne(roles.length))
    expect(actions.map(({ actionRef }) => actionRef)).toEqual(fromOne(actions.length))
  })

  it('generates every user with exactly the stored fields, all valid', () => {
    for (const user of users) {
      expect(Object.keys(user).sort().join()).toBe(
        'avatarColor,created,createdBy,department,email,extension,firstName,id,' +
          'lastName,lastUpdated,phone,status,supervisor,updatedBy,username',
      )
      expect(user.email).toMatch(/^[a-z]+([.-][a-z]+)*\d*@example\.(com|org)$/i)
      expect(user.status).toMatch(/^(ACTIVE|SUSPENDED)$/)
      expect(user.avatarColor ?? '#000000').toMatch(/^#[0-9a-f]{6}$/)
      expect(user.phone.replaceAll(' ', '').endsWith(user.extension)).toBe(true)
      for (const name of [user.firstName, user.lastName]) expect(name).toBe(name.trim().normalize('NFC'))
      for (const stamp of [user.created, user.lastUpdated]) expect(new Date(stamp).toISOString()).toBe(stamp)
      expect(user.lastUpdated >= user.created).toBe(true)
    }
  })

  it('repeats no username, and no e-mail in any case', () => {
    expect(count(users.map(({ username }) => username))).toBe(size)
    expect(count(users.map(({ email }) => email.toLowerCase()))).toBe(size)
  })

  it('refers to users that come earlier and to departments that exist', () => {
    for (const { id, supervisor, createdBy, updatedBy, department } of users) {
      for (const user of [supervisor, createdBy, updatedBy]) {
        expect(user === null || (Number.isInteger(user) && user >= 1 && user < id)).toBe(true)
      }
      expect(departments[department - 1]?.id).toBe(department)
      expect(createdBy === null).toBe(id <= 3)
    }
  })

  it('sets exactly one of enabled and value, and a type once a user', () => {
    for (const { user, enabled, value } of preferences) {
      expect(users[user - 1]?.id).toBe(user)
      expect([typeof enabled, typeof value]).toEqual(enabled === null ? ['object', 'string'] : ['boolean', 'object'])
      expect(enabled === null || value === null).toBe(true)
    }
    expect(count(preferences.map(({ user, type }) => `${user} ${type}`))).toBe(preferences.length)
  })

  it('generates every application with its own GUID, roles and actions', () => {
    expect(count(applications.map(({ guid }) => guid))).toBe(6)
    for (const { guid, applicationRef: application } of applications) {
      expect(guid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const ownRoles = roles.filter(({ applicationRef }) => applicationRef === application)
      const ownActions = actions.filter(({ applicationRef }) => applicationRef === application)
      expect(count(ownRoles.map(({ name }) => name))).toBe(ownRoles.length)
      expect(count(ownActions.map(({ name }) => name))).toBe(ownActions.length)
      expect(ownRoles.length >= 3 && ownRoles.length <= 8).toBe(true)
      expect(ownActions.length >= 6 && ownActions.length <= 12).toBe(true)
    }
    for (const { name, description } of [...applications, ...roles, ...actions])
      expect(name && description).not.toBe('')
  })

  it('links existing records once, and roles only to actions of the same application', () => {
    expect(count(userRoles.map(String))).toBe(userRoles.length)
    expect(count(roleActions.map(String))).toBe(roleActions.length)
    for (const [user, role] of userRoles) expect([users[user - 1]?.id, roles[role - 1]?.roleRef]).toEqual([user, role])
    for (const [role, action] of roleActions) {
      expect(roles[role - 1]?.applicationRef).toBeDefined()
      expect(roles[role - 1]?.applicationRef).toBe(actions[action - 1]?.applicationRef)
    }
  })

  it('makes user 1 ACTIVE, with both kinds of preference and a role in application 1 that allows something', () => {
    expect(users[0]).toMatchObject({ id: 1, status: 'ACTIVE', supervisor: null })
    const own = preferences.filter(({ user }) => user === 1)
    expect(own.some(({ enabled }) => enabled !== null) && own.some(({ value }) => value !== null)).toBe(true)
    expect(membersOf(all, 1)).toContain(1)
    const held = userRoles.filter(([user, role]) => user === 1 && roles[role - 1]?.applicationRef === 1)
    expect(roleActions.some(([role]) => held.some(([, own]) => own === role))).toBe(true)
  })

  it('retires a department', () => {
    expect(count(departments.map(({ retired }) => retired))).toBe(2)
    expect(count(departments.map(({ name }) => name))).toBe(15)
  })

  it('is the same every time, and when walked again', () => {
    expect(drawn(size)).toEqual(all)
    for (const part of sample(Math.min(size, 200))) expect([...part.rows]).toEqual([...part.rows])
  })
})

describe.each([5, 20, 200, 5000])('among %i users, a sample', (size) => {
  const { users, preferences } = drawn(size)

  it('has other ACTIVE users in the department of user 1, and a SUSPENDED user early', () => {
    const shared = users.filter(({ department, status }) => department === users[0]?.department && status === 'ACTIVE')
    expect(shared.length).toBeGreaterThan(1)
    expect(users.slice(0, 20).some(({ status }) => status === 'SUSPENDED')).toBe(true)
  })

  it('has avatars with and without color, and users with no and with several preferences', () => {
    expect(users.some(({ avatarColor }) => avatarColor === null)).toBe(true)
    expect(users.some(({ avatarColor }) => avatarColor !== null)).toBe(true)
    const owners = preferences.map(({ user }) => user)
    expect(count(owners)).toBeLessThan(size)
    expect(count(owners)).toBeLessThan(owners.length)
  })
})

describe.each([20, 200, 5000])('among %i users, a sample', (size) => {
  const all = drawn(size)
  const { users, departments, userRoles, applications } = all

  it('has members and non-members in every application, and users in no role at all', () => {
    for (const { applicationRef } of applications) {
      const members = membersOf(all, applicationRef)
      expect(members.size > 0 && members.size < size).toBe(true)
    }
    expect(count(userRoles.map(([user]) => user))).toBeLessThan(size)
  })

  it('leaves two users in a retired department, and another one empty', () => {
    const retired = departments.filter((department) => department.retired)
    expect(retired.map(({ id }) => users.filter(({ department }) => department === id).length)).toEqual([2, 0])
  })

  it('has names beyond ASCII, and names to escape', () => {
    expect(users.map(({ firstName }) => firstName)).toEqual(expect.arrayContaining(['Zoë', 'Łukasz', 'José']))
    expect(users.map(({ lastName }) => lastName)).toEqual(expect.arrayContaining(['Nguyễn', "O'Brien"]))
  })
})

describe.each([200, 5000])('among %i users, a sample', (size) => {
  const { users, departments } = drawn(size)

  it('has deep reporting lines, several users without supervisor, and users in every open department', () => {
    expect(Math.max(...depths(users))).toBeGreaterThan(6)
    expect(users.filter(({ supervisor }) => supervisor === null).length).toBeGreaterThan(2)
    expect(count(users.map(({ department }) => department))).toBe(departments.length - 1)
  })

  it('has usernames that are the e-mail, capitals in an e-mail, users without phone, and unchanged users', () => {
    const own = users.filter(({ username, email }) => username !== email).length
    expect(own > size * 0.8 && own < size).toBe(true)
    expect(users.some(({ email }) => email !== email.toLowerCase())).toBe(true)
    expect(users.some(({ phone, extension }) => phone === '' && extension === '')).toBe(true)
    expect(count(users.map(({ created, lastUpdated }) => created === lastUpdated))).toBe(2)
  })
})

describe('a sample', () => {
  it('of no users has no rows', () => {
    expect(sample(0)).toEqual([])
  })

  it('comes in the order in which it can be inserted', () => {
    expect(sample(1).map((part) => ('noun' in part ? part.noun : part.link.join('-')))).toEqual(
      'department user preference application role action user-role role-action'.split(' '),
    )
  })

  it('begins like every smaller one', () => {
    const [small, large] = [drawn(200), drawn(5000)]
    expect(large.users.slice(0, 200)).toEqual(small.users)
    expect(large.preferences.slice(0, small.preferences.length)).toEqual(small.preferences)
    expect(large.userRoles.slice(0, small.userRoles.length)).toEqual(small.userRoles)
  })

  it('repeats no handle after all names are used up', () => {
    const { users } = drawn(50_000)
    expect(count(users.map(({ email }) => email.split('@')[0]?.toLowerCase()))).toBe(50_000)
    expect(users.some(({ email }) => /\d@/.test(email))).toBe(true)
  })

  it('of a billion users returns the first rows without generating the others', () => {
    for (const part of sample(1_000_000_000)) {
      const first = Iterator.from<unknown>(part.rows).take(6).toArray()
      expect(first).toHaveLength(6)
    }
  })

  it.each([-1, 1.5, Number.NaN])('of %s users is refused', (size) => {
    expect(() => sample(size)).toThrow(`must be a whole number of at least 0, but is ${size}.`)
  })
})
