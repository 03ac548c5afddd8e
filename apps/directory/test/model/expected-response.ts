/** The model: the expected response to a request, and the expected state afterwards. */
import { memberOf, membersOf, methodsAt, type Target, targetOf } from './collection.ts'
import { link, unlink } from './link.ts'
import { listBody, readListQuery } from './query.ts'
import { Faults, Refusal } from './refusal.ts'
import type { Reply, Request } from './request.ts'
import {
  checkIfMatch,
  type ExpectedProblem,
  type ExpectedResponse,
  type Model,
  matchesTag,
  parseTags,
  readChangeTime,
  recordResponse,
  refuseQuery,
  type Turn,
} from './turn.ts'
import { asciiLower, readInteger, type Value } from './value.ts'
import { directoryUser, type View } from './view.ts'
import type { Row, World } from './world.ts'
import { change, create, erase } from './write.ts'

/** Applies the request to the model. New IDs and times are taken from the reply. */
export function expectedResponse(model: Model, request: Request, reply: Reply): ExpectedResponse | ExpectedProblem {
  const target = targetOf(request.path)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const allow = target && methodsAt(target)
  try {
    if (!target || !allow) throw new Refusal(['path-not-found'])
    if (method === 'OPTIONS') return { status: 204, allow, valueFaults: [] }
    if (!(allow as readonly string[]).includes(method)) throw new Refusal(['method-not-allowed'])
    return respond({ model, request, reply, target, valueFaults: [] }, method)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { codes, names } = withNotFound(error, target)
    return { codes, names, ...(allow && codes.includes('method-not-allowed') && { allow }) }
  }
}

/** Adds `record-not-found` if the path has an invalid ID: the service may report this or other faults. */
function withNotFound({ codes, names }: Refusal, target: Target | undefined): Refusal {
  const hasInvalidId = target?.ids.some((id) => readInteger(id) === undefined) && !codes.includes('method-not-allowed')
  return new Refusal(hasInvalidId ? [...codes, 'record-not-found'] : codes, names)
}

function respond(turn: Turn, method: string): ExpectedResponse {
  const isLink = turn.target.collection.writes === 'link'
  if (method === 'GET') return turn.target.kind === 'list' ? list(turn) : read(turn)
  if (method === 'POST') return create(turn)
  if (method === 'DELETE') return isLink ? unlink(turn) : erase(turn)
  return isLink ? link(turn) : change(turn)
}

function list({ model: { world }, request, target }: Turn): ExpectedResponse {
  const { collection, ids, suffix } = target
  const faults = new Faults()
  if (request.text !== undefined) faults.add('body-not-allowed')
  const listQuery = readListQuery(collection.view, request.query, faults)
  faults.refuse()
  const members = membersOf(world, collection, ids)
  if (!members) throw new Refusal(['record-not-found'])
  const ifMatch = request.headers['if-match']
  if (ifMatch !== undefined && ifMatch !== '*') throw new Refusal(['precondition-failed'])
  return { status: 200, body: listBody(world, collection.view, suffix, members, listQuery), valueFaults: [] }
}

function read(turn: Turn): ExpectedResponse {
  const { model, request, reply, target, valueFaults } = turn
  const { collection, ids, kind, value } = target
  refuseQuery(request, request.text !== undefined ? 'body-not-allowed' : undefined)
  const row = kind === 'record' ? memberOf(model.world, collection, ids) : lookup(model.world, collection.view, value)
  if (!row) throw new Refusal(['record-not-found'])
  checkIfMatch(turn, row)
  const changePeriod = collection.view === directoryUser && model.changedByDelete.get(Number(row.id))
  if (changePeriod) {
    row.lastUpdated = readChangeTime(reply, 'lastUpdated', changePeriod, valueFaults)
    model.changedByDelete.delete(Number(row.id))
  }
  const condition = request.headers['if-none-match']
  if (
    condition !== undefined &&
    matchesTag(parseTags(condition.replaceAll('W/', '')), model.tags.current(collection.view, row))
  ) {
    return { ...recordResponse(turn, row), status: 304, body: undefined }
  }
  return recordResponse(turn, row)
}

/** Finds a record by e-mail (ignoring ASCII case), by guid (ignoring case) or by username (exact). */
function lookup(world: World, { noun, lookup }: View, value: string): Row | undefined {
  if (lookup?.property === 'email') return world.rows.user.find((row) => sameEmail(row.email, value))
  if (lookup?.property === 'guid') return world.rows[noun].find((row) => row.guid === value.toLowerCase())
  return world.rows[noun].find((row) => row.username === value)
}

function sameEmail(a: Value | undefined, b: string): boolean {
  return asciiLower(String(a)) === asciiLower(b)
}
