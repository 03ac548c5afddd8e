/** The model: what the service must answer to a request, and what is different afterwards. */
import { memberOf, membersOf, methodsAt, type Place, placeOf } from './collection.ts'
import { directoryUser, type Face } from './face.ts'
import { link, unlink } from './link.ts'
import { listed, readListQuery } from './query.ts'
import { Faults, Refusal } from './refusal.ts'
import type { Reply, Request } from './request.ts'
import {
  type Answered,
  checkIfMatch,
  isAmong,
  type Model,
  momentIn,
  type Refused,
  refuseQuery,
  shown,
  type Turn,
  tagsIn,
} from './turn.ts'
import { asciiLower, readInteger, type Value } from './value.ts'
import type { Row, World } from './world.ts'
import { change, create, erase } from './write.ts'

/** Changes the model as the request changes the service; new identities and times are taken from the reply. */
export function answer(model: Model, request: Request, reply: Reply): Answered | Refused {
  const place = placeOf(request.path)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const allow = place && methodsAt(place)
  try {
    if (!place || !allow) throw new Refusal(['path-not-found'])
    if (method === 'OPTIONS') return { status: 204, allow, complaints: [] }
    if (!(allow as readonly string[]).includes(method)) throw new Refusal(['method-not-allowed'])
    return respond({ model, request, reply, place, complaints: [] }, method)
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    const { codes, names } = withNowhere(thrown, place)
    return { codes, names, ...(allow && codes.includes('method-not-allowed') && { allow }) }
  }
}

/** A path with an identity that none can be leads nowhere, whatever else is wrong with the request. */
function withNowhere({ codes, names }: Refusal, place: Place | undefined): Refusal {
  const isNowhere = place?.ids.some((id) => readInteger(id) === undefined) && !codes.includes('method-not-allowed')
  return new Refusal(isNowhere ? [...codes, 'record-not-found'] : codes, names)
}

function respond(turn: Turn, method: string): Answered {
  const isLink = turn.place.collection.writes === 'link'
  if (method === 'GET') return turn.place.kind === 'list' ? list(turn) : read(turn)
  if (method === 'POST') return create(turn)
  if (method === 'DELETE') return isLink ? unlink(turn) : erase(turn)
  return isLink ? link(turn) : change(turn)
}

function list({ model: { world }, request, place }: Turn): Answered {
  const { collection, ids, suffix } = place
  const faults = new Faults()
  if (request.text !== undefined) faults.add('body-not-allowed')
  const ask = readListQuery(collection.face, request.query, faults)
  faults.refuse()
  const members = membersOf(world, collection, ids)
  if (!members) throw new Refusal(['record-not-found'])
  const named = request.headers['if-match']
  if (named !== undefined && named !== '*') throw new Refusal(['precondition-failed'])
  return { status: 200, body: listed(world, collection.face, suffix, members, ask), complaints: [] }
}

function read(turn: Turn): Answered {
  const { model, request, reply, place, complaints } = turn
  const { collection, ids, kind, value } = place
  refuseQuery(request, request.text !== undefined ? 'body-not-allowed' : undefined)
  const row = kind === 'one' ? memberOf(model.world, collection, ids) : lookup(model.world, collection.face, value)
  if (!row) throw new Refusal(['record-not-found'])
  checkIfMatch(turn, row)
  const touched = collection.face === directoryUser && model.touched.get(Number(row.id))
  if (touched) {
    row.lastUpdated = momentIn(reply, 'lastUpdated', touched, complaints)
    model.touched.delete(Number(row.id))
  }
  const wanted = request.headers['if-none-match']
  if (wanted !== undefined && isAmong(tagsIn(wanted.replaceAll('W/', '')), model.tags.current(collection.face, row))) {
    return { ...shown(turn, row), status: 304, body: undefined }
  }
  return shown(turn, row)
}

/** By e-mail without regard to ASCII case, by guid without regard to case, by username exactly. */
function lookup(world: World, { noun, lookup }: Face, value: string): Row | undefined {
  if (lookup?.property === 'email') return world.rows.user.find((row) => sameEmail(row.email, value))
  if (lookup?.property === 'guid') return world.rows[noun].find((row) => row.guid === value.toLowerCase())
  return world.rows[noun].find((row) => row.username === value)
}

function sameEmail(a: Value | undefined, b: string): boolean {
  return asciiLower(String(a)) === asciiLower(b)
}
