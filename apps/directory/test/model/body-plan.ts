/** Turns the plan of a body into what is sent. */
import type { Collection } from './collection.ts'
import type { BodyPlan, Choice } from './command.ts'
import { complete, isMutable, type Property } from './face.ts'
import { at } from './pick.ts'
import { bad, emails, good } from './pool.ts'
import { recased } from './query-plan.ts'
import { readInteger, type Value } from './value.ts'
import { identityOf, type NounName, type Row, type World } from './world.ts'

type Body = Record<string, unknown>

const types = {
  json: 'application/json',
  charset: 'application/json; charset=utf-8',
  merge: 'application/merge-patch+json',
  plain: 'text/plain',
  none: undefined,
}

export function bodyFor(
  world: World,
  collection: Collection,
  method: 'POST' | 'PUT' | 'PATCH',
  row: Row | undefined,
  path: readonly string[],
  plan: BodyPlan,
): { headers: Record<string, string>; text?: string } {
  const body = properties(world, collection, method, row, plan)
  addIdentifiers(body, collection, row, path, plan)
  if (plan.isUnknownAdded) body[String(at(['nickname', 'username', 'firstname', 'status'], plan.choices.length))] = 'x'
  const text = written(JSON.stringify(body), plan.form)
  const type = types[plan.type === 'merge' && method !== 'PATCH' && !plan.isUnknownAdded ? 'json' : plan.type]
  return { headers: type === undefined ? {} : { 'content-type': type }, ...(text !== undefined && { text }) }
}

function properties(
  world: World,
  { face }: Collection,
  method: string,
  row: Row | undefined,
  { choices, isReadBack, dropped }: BodyPlan,
): Body {
  const mutable = face.properties.filter(isMutable)
  // What was read can be sent back, with the values that the service looks after.
  const body: Body = isReadBack && row && method === 'PUT' ? complete(face, row) : {}
  mutable.forEach((property, index) => {
    const choice = choices[index] as Choice
    const isKept = property.name in body && !choice.isGiven
    const isLeftOut = !choice.isGiven && (method === 'PATCH' || (method === 'POST' && property.isOptional))
    if (!isKept && !isLeftOut) body[property.name] = valueFor(world, face.noun, row, property, choice)
  })
  if (face.noun === 'preference' && method !== 'PATCH') makeWhole(body, choices[0] as Choice)
  if (isReadBack && method !== 'PUT') for (const { name } of face.properties.filter(isKeptByService)) body[name] = 'x'
  if (dropped !== undefined) delete body[String(at(mutable, dropped)?.name)]
  return body
}

function isKeptByService(property: Property): boolean {
  return !isMutable(property) && property.type !== 'identity'
}

/** Most preferences have exactly one of the two. */
function makeWhole(body: Body, { n }: Choice): void {
  if (n % 5 < 2) Object.assign(body, { enabled: n % 2 === 0, value: null })
  else if (n % 5 < 4) Object.assign(body, { enabled: null, value: `v${n % 3}` })
}

function valueFor(
  world: World,
  noun: NounName,
  row: Row | undefined,
  property: Property,
  { from, n }: Choice,
): unknown {
  const { type, name, field, target, isNullable } = property
  const other = at(world.rows[noun], n)
  if (from === 'bad') return at(bad[type as keyof typeof bad], n)
  if (other && (from === 'record' || from === 'recased')) {
    const value = other[field] as Value
    return from === 'recased' && typeof value === 'string' && type !== 'choice' ? recased(value, n) : value
  }
  if (isNullable && n % 4 === 0) return null
  if (target) {
    if (from === 'missing') return world.highest[target] + 1 + (n % 2)
    if (name === 'supervisor' && row && n % 9 === 1) return row.id
    const found = at(world.rows[target], n)
    return found ? identityOf(target, found) : 1
  }
  if (name === 'username' && n % 3 === 0) return at(emails, n)
  return at(good[type as keyof typeof good], n)
}

function addIdentifiers(
  body: Body,
  { face, segments }: Collection,
  row: Row | undefined,
  path: readonly string[],
  plan: BodyPlan,
): void {
  const name = String(face.properties[0]?.name)
  const id = row ? identityOf(face.noun, row) : 1
  delete body[name]
  if (plan.identity !== 'none')
    body[name] = plan.identity === 'right' ? id : plan.identity === 'wrong' ? id + 1 : `${id}`
  if (segments.at(-1) !== 'preference' || plan.parent === 'none') return
  const parent = readInteger(String(path[1])) ?? 1
  body.user = plan.parent === 'right' ? parent : parent + 1
}

function written(text: string, form: BodyPlan['form']): string | undefined {
  if (form === 'malformed') return text.slice(0, -1)
  if (form === 'array') return `[${text}]`
  if (form === 'text') return '"x"'
  if (form === 'null') return 'null'
  if (form === 'empty') return ''
  return form === 'nothing' ? undefined : text
}
