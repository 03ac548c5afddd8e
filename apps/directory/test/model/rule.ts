/** What a change must satisfy: references that lead somewhere, the directory's own rules, values that are not taken. */
import type { Face } from './face.ts'
import { Faults } from './refusal.ts'
import { asciiLower } from './value.ts'
import { find, identityOf, isLinked, type Row, type World } from './world.ts'

/** Refuses a record that may not become so. `before` is absent where it is new. */
export function checkChange(world: World, face: Face, before: Row | undefined, after: Row): void {
  const faults = new Faults()
  for (const { name, field, target } of face.properties) {
    const value = after[field]
    if (target && value !== null && value !== before?.[field] && !find(world, target, value)) {
      faults.add('reference-not-found', name)
    }
  }
  if (face.noun === 'user' && before && after.supervisor === before.id) faults.add('rule-broken', 'supervisor')
  if (face.noun === 'preference' && (after.enabled === null) === (after.value === null)) {
    for (const name of ['enabled', 'value']) faults.add('rule-broken', name)
  }
  if (before && isTornFromLinks(world, face, before, after)) faults.add('rule-broken', 'applicationRef')
  faults.refuse()
  const others = world.rows[face.noun].filter((row) => row !== before)
  for (const other of others) for (const name of sharedBy(face, after, other)) faults.add('value-taken', name)
  faults.refuse()
}

/** A role and an action that are linked belong to one application. */
function isTornFromLinks(world: World, { noun }: Face, before: Row, after: Row): boolean {
  if ((noun !== 'role' && noun !== 'action') || before.applicationRef === after.applicationRef) return false
  const id = identityOf(noun, before)
  const partners = world.rows[noun === 'role' ? 'action' : 'role'].filter((row) =>
    noun === 'role'
      ? isLinked(world.roleAction, id, Number(row.actionRef))
      : isLinked(world.roleAction, Number(row.roleRef), id),
  )
  return partners.some((row) => row.applicationRef !== after.applicationRef)
}

/** The properties whose values two records must not share, and do. */
function sharedBy({ noun, properties }: Face, a: Row, b: Row): string[] {
  if (noun === 'user') {
    // Where no username is shown, it came from the e-mail address, and that is what can be fixed.
    const username = properties.some(({ name }) => name === 'username') ? 'username' : 'email'
    const names = a.username === b.username ? [username] : []
    return asciiLower(String(a.email)) === asciiLower(String(b.email)) ? [...names, 'email'] : names
  }
  if (noun === 'application') return a.guid === b.guid ? ['guid'] : []
  return noun === 'preference' && a.user === b.user && a.type === b.type ? ['type', 'user'] : []
}
