/** POST, PUT, PATCH and DELETE of records, as the model does them. */
import { type Given, readBody } from './body.ts'
import { memberOf, type Place } from './collection.ts'
import { complete, directoryUser } from './face.ts'
import { Faults, Refusal } from './refusal.ts'
import type { Reply } from './request.ts'
import { checkChange } from './rule.ts'
import { type Answered, checkIfMatch, identityIn, type Model, momentIn, refuseQuery, shown, type Turn } from './turn.ts'
import { readInteger, type Value } from './value.ts'
import { add, identityOf, type NounName, type Row, remove } from './world.ts'

export function create(turn: Turn): Answered {
  const { model, request, reply, place, complaints } = turn
  const { face } = place.collection
  const faults = new Faults()
  for (const [name] of request.query) faults.add('unknown-parameter', name)
  const key = request.headers['idempotency-key']
  if (key !== undefined && !/^[!-~]{1,255}$/.test(key)) faults.add('invalid-header')
  const given = readBody(place, request, faults)
  faults.refuse()
  const scope = `${request.path.join('/')} ${key}`
  const kept = key === undefined ? undefined : model.kept.get(scope)
  if (kept && kept.text !== request.text) throw new Refusal(['idempotency-key-reused'])
  if (kept) return { ...kept.expected, tag: kept.tag, isReplayed: true }
  const { parent } = place.collection
  if (parent && !memberOf(model.world, parent, place.ids)) throw new Refusal(['record-not-found'])
  const row = newRow(face.noun, given, place)
  checkChange(model.world, face, undefined, row)
  const name = String(face.properties[0]?.name)
  row[name] = identityIn(turn, name)
  if (face.noun === 'user') {
    row.created = momentIn(reply, 'created', reply, complaints)
    row.lastUpdated = row.created
  }
  add(model.world, face.noun, row)
  const location = `/${[...request.path, row[name]].join('/')}`
  const expected = { ...shown(turn, row), status: 201, location }
  if (key !== undefined) model.kept.set(scope, { text: String(request.text), expected, tag: reply.headers.etag })
  return expected
}

function newRow(noun: NounName, given: Given, { ids }: Place): Row {
  const row: Row = { version: 1, ...given }
  if (noun === 'department') row.retired ??= false
  if (noun === 'preference') {
    row.user = Number(readInteger(String(ids[0])))
    row.enabled ??= null
    row.value ??= null
  }
  if (noun === 'user') {
    row.username ??= row.email as Value
    row.phone ??= ''
    row.extension ??= ''
    row.status ??= 'ACTIVE'
    for (const field of ['supervisor', 'avatarColor', 'createdBy', 'updatedBy']) row[field] ??= null
  }
  return row
}

/** PUT and PATCH. A PATCH without any property changes nothing. */
export function change(turn: Turn): Answered {
  const { model, request, reply, place, complaints } = turn
  const { collection, ids } = place
  const faults = new Faults()
  for (const [name] of request.query) faults.add('unknown-parameter', name)
  const given = readBody(place, request, faults)
  faults.refuse()
  const row = memberOf(model.world, collection, ids)
  if (!row) throw new Refusal(['record-not-found'])
  checkIfMatch(turn, row)
  if (request.method === 'PATCH' && Object.keys(given).length === 0) return shown(turn, row)
  checkChange(model.world, collection.face, row, { ...row, ...given })
  Object.assign(row, given)
  row.version += 1
  if (collection.face.noun === 'user') {
    const name = collection.face === directoryUser ? 'lastUpdated' : 'updatedDate'
    row.lastUpdated = momentIn(reply, name, reply, complaints)
    row.updatedBy = null
  }
  return shown(turn, row)
}

export function erase(turn: Turn): Answered {
  const { model, request, place, reply } = turn
  const { world } = model
  const { face } = place.collection
  refuseQuery(request)
  const row = memberOf(world, place.collection, place.ids)
  if (!row) throw new Refusal(['record-not-found'])
  checkIfMatch(turn, row)
  const id = identityOf(face.noun, row)
  const refersHere = (other: Row) => other[face.noun === 'department' ? 'department' : 'applicationRef'] === id
  if (face.noun === 'department' && world.rows.user.some(refersHere)) throw new Refusal(['still-referenced'])
  if (face.noun === 'application' && [...world.rows.role, ...world.rows.action].some(refersHere)) {
    throw new Refusal(['still-referenced'])
  }
  remove(world, face.noun, row)
  if (face.noun === 'role') world.userRole = world.userRole.filter(([, role]) => role !== id)
  if (face.noun === 'role') world.roleAction = world.roleAction.filter(([role]) => role !== id)
  if (face.noun === 'action') world.roleAction = world.roleAction.filter(([, action]) => action !== id)
  if (face.noun === 'user') forgetUser(model, id, reply)
  return { status: 200, body: complete(face, row), complaints: [] }
}

/** Preferences and roles go with their user; those who refer to the user are left with null. */
function forgetUser({ world, touched }: Model, id: number, { from, to }: Reply): void {
  world.userRole = world.userRole.filter(([user]) => user !== id)
  for (const own of world.rows.preference.filter(({ user }) => user === id)) remove(world, 'preference', own)
  for (const row of world.rows.user) {
    const fields = ['supervisor', 'createdBy', 'updatedBy'].filter((field) => row[field] === id)
    if (fields.length === 0) continue
    for (const field of fields) row[field] = null
    row.version += 1
    touched.set(Number(row.id), { from, to })
  }
}
