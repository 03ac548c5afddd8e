/** The checks of a change: existing references, validation rules, unique values. */

import { Faults } from './refusal.ts'
import { asciiLower } from './value.ts'
import type { View } from './view.ts'
import { findRow, identityOf, isLinked, type Row, type World } from './world.ts'

/** Throws if a change is not allowed. `before` is undefined for a new record. */
export function checkChange(world: World, view: View, before: Row | undefined, after: Row): void {
  const faults = new Faults()
  for (const { name, field, target } of view.properties) {
    const value = after[field]
    if (target && value !== null && value !== before?.[field] && !findRow(world, target, value)) {
      faults.add('reference-not-found', name)
    }
  }
  if (view.noun === 'user' && before && after.supervisor === before.id) faults.add('rule-broken', 'supervisor')
  if (view.noun === 'preference' && (after.enabled === null) === (after.value === null)) {
    for (const name of ['enabled', 'value']) faults.add('rule-broken', name)
  }
  if (before && breaksLinks(world, view, before, after)) faults.add('rule-broken', 'applicationRef')
  faults.refuse()
  const otherRows = world.rows[view.noun].filter((row) => row !== before)
  for (const otherRow of otherRows)
    for (const name of takenProperties(view, after, otherRow)) faults.add('value-taken', name)
  faults.refuse()
}

/** Whether a change breaks the rule that a linked role and action belong to the same application. */
function breaksLinks(world: World, { noun }: View, before: Row, after: Row): boolean {
  if ((noun !== 'role' && noun !== 'action') || before.applicationRef === after.applicationRef) return false
  const id = identityOf(noun, before)
  const linkedRows = world.rows[noun === 'role' ? 'action' : 'role'].filter((row) =>
    noun === 'role'
      ? isLinked(world.roleAction, id, Number(row.actionRef))
      : isLinked(world.roleAction, Number(row.roleRef), id),
  )
  return linkedRows.some((row) => row.applicationRef !== after.applicationRef)
}

/** The unique properties in which two records have the same value. */
function takenProperties({ noun, properties }: View, a: Row, b: Row): string[] {
  if (noun === 'user') {
    // In a view without the username, its default was the e-mail address, which the client can change.
    const username = properties.some(({ name }) => name === 'username') ? 'username' : 'email'
    const names = a.username === b.username ? [username] : []
    return asciiLower(String(a.email)) === asciiLower(String(b.email)) ? [...names, 'email'] : names
  }
  if (noun === 'application') return a.guid === b.guid ? ['guid'] : []
  return noun === 'preference' && a.user === b.user && a.type === b.type ? ['type', 'user'] : []
}
