/** The users of the sample. Each depends on its ID alone, so a small sample is the beginning of every larger one. */
import { departmentOf } from './department.ts'
import type { Name } from './name.ts'
import { names } from './name.ts'
import type { Draw } from './random.ts'
import { draw } from './random.ts'

const colors = ['#3b82f6', '#ef4444', '#10b981', '#f59e0b', '#8b5cf6', '#ec4899', '#14b8a6', '#64748b', '#a16207']

/** Phone numbers of offices, from ranges that are reserved for fiction. Each # is a digit of the extension. */
const offices = [
  '+44 20 7946 0###',
  '+49 30 23125 ###',
  '+33 1 99 00 ## ##',
  '+61 3 5550 ####',
  '+1 212 555 01##',
  '+46 8 465 004 ##',
]

const day = 86_400_000
const firstMonday = Date.UTC(2014, 0, 6)
const lastChange = Date.UTC(2026, 5, 30)

export function* userRows(numberOfUsers: number) {
  const nameOf = names()
  for (let id = 1; id <= numberOfUsers; id += 1) yield userRow(id, nameOf(id))
}

function userRow(id: number, { firstName, lastName, handle }: Name) {
  const random = draw('user', id)
  const email = emailFor(handle, random)
  return {
    id,
    firstName,
    lastName,
    // The default username is the e-mail.
    username: random.chance(0.06) ? email : handle,
    email,
    ...phoneFor(random),
    status: statusFor(id, random),
    department: departmentOf(id),
    supervisor: supervisorOf(id),
    avatarColor: avatarColorFor(id, random),
    ...changeFieldsFor(id, random),
  }
}

function emailFor(handle: string, random: Draw): string {
  const domain = random.chance(0.8) ? 'example.com' : 'example.org'
  const local = random.chance(0.05) ? handle.replace(/(^|[.-])[a-z]/g, (start) => start.toUpperCase()) : handle
  return `${local}@${domain}`
}

function phoneFor(random: Draw): { phone: string; extension: string } {
  if (random.chance(0.04)) return { phone: '', extension: '' }
  let extension = ''
  const phone = random.oneOf(offices).replaceAll('#', () => {
    const digit = String(random.below(10))
    extension += digit
    return digit
  })
  return { phone, extension }
}

function statusFor(id: number, random: Draw): 'ACTIVE' | 'SUSPENDED' {
  const suspended = random.chance(0.07)
  if (id <= 4) return id === 4 ? 'SUSPENDED' : 'ACTIVE'
  return suspended ? 'SUSPENDED' : 'ACTIVE'
}

function avatarColorFor(id: number, random: Draw): string | null {
  const color = random.oneOf(colors)
  const unset = random.chance(0.3)
  if (id <= 2) return id === 2 ? null : color
  return unset ? null : color
}

/** An earlier user, of the same department if one has a similar ID. Three times as many users have one more level. */
function supervisorOf(id: number): number | null {
  const random = draw('supervisor', id)
  if (id === 1 || random.chance(0.03)) return null
  const start = 1 + Math.floor((id - 1) * (0.15 + 0.45 * random.fraction()))
  const department = departmentOf(id)
  for (let near = start; near < Math.min(start + 12, id); near += 1) {
    if (departmentOf(near) === department) return near
  }
  return start
}

/** The first users have no creator, the others were created by one of the first. */
function changeFieldsFor(id: number, random: Draw) {
  const created = createdAt(id, random)
  const createdBy = id <= 3 ? null : earlyUser(id, random)
  const changed = id > 1 && random.chance(0.65)
  const lastUpdated = changed ? created + 1 + random.below(lastChange - created) : created
  return {
    created: new Date(created).toISOString(),
    createdBy,
    lastUpdated: new Date(lastUpdated).toISOString(),
    updatedBy: changed ? earlyUser(id, random) : createdBy,
  }
}

function earlyUser(id: number, random: Draw): number {
  return 1 + random.below(Math.min(id - 1, 8))
}

/** In working hours, in the order of the IDs, with more users each day. The times of all users are within twelve years. */
function createdAt(id: number, random: Draw): number {
  const share = 1 - 1 / Math.sqrt(Math.sqrt(1 + (id - 1) / 50))
  const days = Math.floor(share * 12 * 365)
  const weekend = Math.max(0, (days % 7) - 4)
  return firstMonday + (days - weekend) * day + random.below(11 * 3_600_000) + 7 * 3_600_000
}
