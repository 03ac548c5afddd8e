/** Creates the body of a request from its plan. */
import type { Collection } from './collection.ts'
import type { BodyPlan, Choice } from './command.ts'
import { elementAt } from './pick.ts'
import { emails, invalidValues, validValues } from './pool.ts'
import { changeCase } from './query-plan.ts'
import { readInteger, type Value } from './value.ts'
import { completeRecord, isSettable, type Property } from './view.ts'
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
  const body = propertiesFor(world, collection, method, row, plan)
  addIdentifiers(body, collection, row, path, plan)
  if (plan.isUnknownAdded)
    body[String(elementAt(['nickname', 'username', 'firstname', 'status'], plan.choices.length))] = 'x'
  const text = encodeBody(JSON.stringify(body), plan.form)
  const type = types[plan.type === 'merge' && method !== 'PATCH' && !plan.isUnknownAdded ? 'json' : plan.type]
  return { headers: type === undefined ? {} : { 'content-type': type }, ...(text !== undefined && { text }) }
}

function propertiesFor(
  world: World,
  { view }: Collection,
  method: string,
  row: Row | undefined,
  { choices, isReadBack, omittedProperty }: BodyPlan,
): Body {
  const mutable = view.properties.filter(isSettable)
  // A client may send a record back unchanged, including its managed fields.
  const body: Body = isReadBack && row && method === 'PUT' ? completeRecord(view, row) : {}
  mutable.forEach((property, index) => {
    const choice = choices[index] as Choice
    const isUnchanged = property.name in body && !choice.isPresent
    const isOmitted = !choice.isPresent && (method === 'PATCH' || (method === 'POST' && property.isOptional))
    if (!isUnchanged && !isOmitted) body[property.name] = valueFor(world, view.noun, row, property, choice)
  })
  if (view.noun === 'preference' && method !== 'PATCH') completePreference(body, choices[0] as Choice)
  if (isReadBack && method !== 'PUT') for (const { name } of view.properties.filter(isSetByService)) body[name] = 'x'
  if (omittedProperty !== undefined) delete body[String(elementAt(mutable, omittedProperty)?.name)]
  return body
}

function isSetByService(property: Property): boolean {
  return !isSettable(property) && property.type !== 'identity'
}

/** Most preferences have exactly one of `enabled` and `value`. */
function completePreference(body: Body, { n }: Choice): void {
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
  const otherRow = elementAt(world.rows[noun], n)
  if (from === 'bad') return elementAt(invalidValues[type as keyof typeof invalidValues], n)
  if (otherRow && (from === 'record' || from === 'recased')) {
    const value = otherRow[field] as Value
    return from === 'recased' && typeof value === 'string' && type !== 'choice' ? changeCase(value, n) : value
  }
  if (isNullable && n % 4 === 0) return null
  if (target) {
    if (from === 'missing') return world.highestIds[target] + 1 + (n % 2)
    if (name === 'supervisor' && row && n % 9 === 1) return row.id
    const referenced = elementAt(world.rows[target], n)
    return referenced ? identityOf(target, referenced) : 1
  }
  if (name === 'username' && n % 3 === 0) return elementAt(emails, n)
  return elementAt(validValues[type as keyof typeof validValues], n)
}

function addIdentifiers(
  body: Body,
  { view, segments }: Collection,
  row: Row | undefined,
  path: readonly string[],
  plan: BodyPlan,
): void {
  const name = String(view.properties[0]?.name)
  const id = row ? identityOf(view.noun, row) : 1
  delete body[name]
  if (plan.identity !== 'none')
    body[name] = plan.identity === 'right' ? id : plan.identity === 'wrong' ? id + 1 : `${id}`
  if (segments.at(-1) !== 'preference' || plan.parent === 'none') return
  const parent = readInteger(String(path[1])) ?? 1
  body.user = plan.parent === 'right' ? parent : parent + 1
}

function encodeBody(text: string, form: BodyPlan['form']): string | undefined {
  if (form === 'malformed') return text.slice(0, -1)
  if (form === 'array') return `[${text}]`
  if (form === 'text') return '"x"'
  if (form === 'null') return 'null'
  if (form === 'empty') return ''
  return form === 'nothing' ? undefined : text
}
