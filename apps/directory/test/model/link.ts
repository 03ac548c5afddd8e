/** PUT and DELETE of links in the model. */
import { endsOf, memberOf } from './collection.ts'
import { Refusal } from './refusal.ts'
import { checkIfMatch, type ExpectedResponse, recordResponse, refuseQuery, type Turn } from './turn.ts'
import { readInteger } from './value.ts'
import { completeRecord } from './view.ts'
import { isLinked } from './world.ts'

export function link(turn: Turn): ExpectedResponse {
  const { world } = turn.model
  refuseQuery(turn.request)
  const ends = endsOf(world, turn.target.collection, turn.target.ids)
  if (!ends) throw new Refusal(['record-not-found'])
  const { left, right } = ends
  // A missing link has no ETag.
  if (memberOf(world, turn.target.collection, turn.target.ids)) checkIfMatch(turn, right)
  else if (turn.request.headers['if-match'] !== undefined) throw new Refusal(['precondition-failed'])
  if (turn.target.collection.view.noun === 'role') {
    const [user, role] = [Number(left.id), Number(right.roleRef)]
    if (!isLinked(world.userRole, user, role)) world.userRole.push([user, role])
  } else {
    if (left.applicationRef !== right.applicationRef) throw new Refusal(['rule-broken'])
    const [role, action] = [Number(left.roleRef), Number(right.actionRef)]
    if (!isLinked(world.roleAction, role, action)) world.roleAction.push([role, action])
  }
  return recordResponse(turn, right)
}

export function unlink(turn: Turn): ExpectedResponse {
  const { world } = turn.model
  const { collection, ids } = turn.target
  refuseQuery(turn.request)
  const row = memberOf(world, collection, ids)
  if (!row) throw new Refusal(['record-not-found'])
  checkIfMatch(turn, row)
  const [left, right] = ids.map(readInteger)
  const isOtherPair = ([a, b]: readonly [number, number]) => a !== left || b !== right
  if (collection.view.noun === 'role') world.userRole = world.userRole.filter(isOtherPair)
  else world.roleAction = world.roleAction.filter(isOtherPair)
  return { status: 200, body: completeRecord(collection.view, row), valueFaults: [] }
}
