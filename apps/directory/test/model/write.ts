/** POST, PUT, PATCH and DELETE of records in the model. */
import { type BodyValues, readBody } from './body.ts'
import { memberOf, type Target } from './collection.ts'
import { Faults, Refusal } from './refusal.ts'
import type { Reply } from './request.ts'
import { checkChange } from './rule.ts'
import {
  checkIfMatch,
  type ExpectedResponse,
  type Model,
  readChangeTime,
  readNewIdentity,
  recordResponse,
  refuseQuery,
  type Turn,
} from './turn.ts'
import { readInteger, type Value } from './value.ts'
import { completeRecord, directoryUser } from './view.ts'
import { addRow, identityOf, type NounName, type Row, removeRow } from './world.ts'

export function create(turn: Turn): ExpectedResponse {
  const { model, request, reply, target, valueFaults } = turn
  const { view } = target.collection
  const faults = new Faults()
  for (const [name] of request.query) faults.add('unknown-parameter', name)
  const key = request.headers['idempotency-key']
  if (key !== undefined && !/^[!-~]{1,255}$/.test(key)) faults.add('invalid-header')
  const values = readBody(target, request, faults)
  faults.refuse()
  const scope = `${request.path.join('/')} ${key}`
  const replay = key === undefined ? undefined : model.replays.get(scope)
  if (replay && replay.text !== request.text) throw new Refusal(['idempotency-key-reused'])
  if (replay) return { ...replay.expected, tag: replay.tag, isReplayed: true }
  const { parent } = target.collection
  if (parent && !memberOf(model.world, parent, target.ids)) throw new Refusal(['record-not-found'])
  const row = newRow(view.noun, values, target)
  checkChange(model.world, view, undefined, row)
  const name = String(view.properties[0]?.name)
  row[name] = readNewIdentity(turn, name)
  if (view.noun === 'user') {
    row.created = readChangeTime(reply, 'created', reply, valueFaults)
    row.lastUpdated = row.created
  }
  addRow(model.world, view.noun, row)
  const location = `/${[...request.path, row[name]].join('/')}`
  const expected = { ...recordResponse(turn, row), status: 201, location }
  if (key !== undefined) model.replays.set(scope, { text: String(request.text), expected, tag: reply.headers.etag })
  return expected
}

function newRow(noun: NounName, values: BodyValues, { ids }: Target): Row {
  const row: Row = { version: 1, ...values }
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
export function change(turn: Turn): ExpectedResponse {
  const { model, request, reply, target, valueFaults } = turn
  const { collection, ids } = target
  const faults = new Faults()
  for (const [name] of request.query) faults.add('unknown-parameter', name)
  const values = readBody(target, request, faults)
  faults.refuse()
  const row = memberOf(model.world, collection, ids)
  if (!row) throw new Refusal(['record-not-found'])
  checkIfMatch(turn, row)
  if (request.method === 'PATCH' && Object.keys(values).length === 0) return recordResponse(turn, row)
  checkChange(model.world, collection.view, row, { ...row, ...values })
  Object.assign(row, values)
  row.version += 1
  if (collection.view.noun === 'user') {
    const name = collection.view === directoryUser ? 'lastUpdated' : 'updatedDate'
    row.lastUpdated = readChangeTime(reply, name, reply, valueFaults)
    row.updatedBy = null
  }
  return recordResponse(turn, row)
}

export function erase(turn: Turn): ExpectedResponse {
  const { model, request, target, reply } = turn
  const { world } = model
  const { view } = target.collection
  refuseQuery(request)
  const row = memberOf(world, target.collection, target.ids)
  if (!row) throw new Refusal(['record-not-found'])
  checkIfMatch(turn, row)
  const id = identityOf(view.noun, row)
  const refersToRecord = (row: Row) => row[view.noun === 'department' ? 'department' : 'applicationRef'] === id
  if (view.noun === 'department' && world.rows.user.some(refersToRecord)) throw new Refusal(['still-referenced'])
  if (view.noun === 'application' && [...world.rows.role, ...world.rows.action].some(refersToRecord)) {
    throw new Refusal(['still-referenced'])
  }
  removeRow(world, view.noun, row)
  if (view.noun === 'role') world.userRole = world.userRole.filter(([, role]) => role !== id)
  if (view.noun === 'role') world.roleAction = world.roleAction.filter(([role]) => role !== id)
  if (view.noun === 'action') world.roleAction = world.roleAction.filter(([, action]) => action !== id)
  if (view.noun === 'user') deleteUserData(model, id, reply)
  return { status: 200, body: completeRecord(view, row), valueFaults: [] }
}

/** Deletes the preferences and links of a user, and sets references to the user to null. */
function deleteUserData({ world, changedByDelete }: Model, id: number, { startTime, endTime }: Reply): void {
  world.userRole = world.userRole.filter(([user]) => user !== id)
  for (const preference of world.rows.preference.filter(({ user }) => user === id))
    removeRow(world, 'preference', preference)
  for (const row of world.rows.user) {
    const fields = ['supervisor', 'createdBy', 'updatedBy'].filter((field) => row[field] === id)
    if (fields.length === 0) continue
    for (const field of fields) row[field] = null
    row.version += 1
    changedByDelete.set(Number(row.id), { startTime, endTime })
  }
}
