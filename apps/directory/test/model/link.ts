/** PUT and DELETE of links, as the model does them. */
import { endsOf, memberOf } from './collection.ts'
import { complete } from './face.ts'
import { Refusal } from './refusal.ts'
import { type Answered, checkIfMatch, refuseQuery, shown, type Turn } from './turn.ts'
import { readInteger } from './value.ts'
import { isLinked } from './world.ts'

export function link(turn: Turn): Answered {
  const { world } = turn.model
  refuseQuery(turn.request)
  const ends = endsOf(world, turn.place.collection, turn.place.ids)
  if (!ends) throw new Refusal(['record-not-found'])
  const { left, right } = ends
  // What is not linked has no tag.
  if (memberOf(world, turn.place.collection, turn.place.ids)) checkIfMatch(turn, right)
  else if (turn.request.headers['if-match'] !== undefined) throw new Refusal(['precondition-failed'])
  if (turn.place.collection.face.noun === 'role') {
    const [user, role] = [Number(left.id), Number(right.roleRef)]
    if (!isLinked(world.userRole, user, role)) world.userRole.push([user, role])
  } else {
    if (left.applicationRef !== right.applicationRef) throw new Refusal(['rule-broken'])
    const [role, action] = [Number(left.roleRef), Number(right.actionRef)]
    if (!isLinked(world.roleAction, role, action)) world.roleAction.push([role, action])
  }
  return shown(turn, right)
}

export function unlink(turn: Turn): Answered {
  const { world } = turn.model
  const { collection, ids } = turn.place
  refuseQuery(turn.request)
  const row = memberOf(world, collection, ids)
  if (!row) throw new Refusal(['record-not-found'])
  checkIfMatch(turn, row)
  const [left, right] = ids.map(readInteger)
  const others = ([a, b]: readonly [number, number]) => a !== left || b !== right
  if (collection.face.noun === 'role') world.userRole = world.userRole.filter(others)
  else world.roleAction = world.roleAction.filter(others)
  return { status: 200, body: complete(collection.face, row), complaints: [] }
}
