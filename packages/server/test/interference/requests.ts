/** Requests to every operation of a table, made of what both worlds hold: what is seen, what is hidden, and what is nowhere. */
import {
  type FieldSpec,
  type ListParameter,
  type Operation,
  type Property,
  type Relation,
  targetOf,
  type Value,
} from '@nomen/core'
import type { Tape } from './tape.ts'
import { guidOf, identityOf, lastIdentity, type NounName, names, type Row, type Worlds } from './worlds.ts'

export interface Request {
  readonly method: string
  readonly url: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** What requests are made of. */
export interface Known {
  readonly worlds: Worlds
  /** Identities of records that were created, by noun. */
  readonly created: ReadonlyMap<string, readonly Value[]>
  /** The ETag that was last answered at a path. */
  readonly tags: ReadonlyMap<string, string>
  /** How the ETag of a noun's shape ends, by api and noun. */
  readonly marks: ReadonlyMap<string, string>
}

const idempotencyKeys = ['one', 'two']
const nowhere = { integer: 999_999, guid: guidOf(999_999) }

/** The nth request of a sequence, chosen by the tape. */
export function requestFor(operation: Operation, tape: Tape, known: Known, turn: number): Request {
  const keys = pathKeys(operation, tape, known)
  let at = 0
  const path = operation.path.replace(/\{[^}]*\}/g, () => encodeURIComponent(`${keys[at++]}`))
  const query = queryOf(operation, tape, known)
  const body = operation.body && bodyOf(operation, tape, known, turn)
  const url = query.length > 0 ? `${path}?${query.join('&')}` : path
  return {
    method: operation.method,
    url,
    ...(body && { body }),
    headers: headersOf(operation, tape, known, path, keys),
  }
}

/** All records of a noun in either world, what is seen first. */
function rowsOf({ worlds }: Known, noun: string): readonly Row[] {
  const name = noun as NounName
  const rows = new Map(
    [...worlds.A.rows[name], ...worlds.B.rows[name]].map((row) => [row[identityOf(name)], row] as const),
  )
  return [...rows.values()].sort((a, b) => Number(worlds.isSeen(name, b)) - Number(worlds.isSeen(name, a)))
}

/** The identity of a record that is seen, or, less often, of any record, or of none. */
function pickIdentity(known: Known, noun: string, tape: Tape): Value {
  const name = noun as NounName
  const identities = (rows: readonly Row[]) => rows.map((row) => row[identityOf(name)] as Value)
  const rows = rowsOf(known, noun)
  const seen = [...identities(rows.filter((row) => known.worlds.isSeen(name, row))), ...(known.created.get(noun) ?? [])]
  const none = noun === 'project' ? nowhere.guid : nowhere.integer
  return tape.oneIn(3) || seen.length === 0 ? tape.pick([...identities(rows), none]) : tape.pick(seen)
}

/** The values in a path, mostly of records that are related. */
function pathKeys({ levels, path, lookup, shape }: Operation, tape: Tape, known: Known): readonly Value[] {
  const count = path.match(/\{[^}]*\}/g)?.length ?? 0
  const keys: Value[] = []
  let row: Row | undefined
  for (let level = count - 1; level >= 0; level--) {
    const noun: string = levels[level]?.resource.noun.name
    const below = levels[level + 1]?.relations.find((relation) => relation.level === level)
    const related = row && below && tape.below(4) > 0 ? relatedTo(known, below, row, tape) : undefined
    const identity = related ?? pickIdentity(known, noun, tape)
    const isLookup = lookup !== undefined && level === count - 1
    row = rowsOf(known, noun).find((one) => one[identityOf(noun as NounName)] === identity)
    keys.unshift(isLookup ? lookupValue(lookup, row, tape, known, shape.noun.name) : identity)
  }
  return keys
}

function lookupValue({ field }: Property, row: Row | undefined, tape: Tape, known: Known, noun: string): Value {
  return row?.[field] ?? (tape.pick(rowsOf(known, noun))?.[field] || 'nobody')
}

/** The identity of an ancestor that a record leads to in one of the worlds. */
function relatedTo(known: Known, { steps }: Relation, row: Row, tape: Tape): Value | undefined {
  let reached: readonly Row[] = [row]
  for (const step of steps) {
    const rows = rowsOf(known, step.to.name)
    const to = identityOf(step.to.name as NounName)
    reached = reached.flatMap((one) => {
      if (step.kind === 'reference') return rows.filter((target) => target[to] === one[step.field])
      const name = step.link.name as 'member-project' | 'project-skill'
      const side = step.link.nouns[0].name === step.from.name ? 0 : 1
      const own = one[identityOf(step.from.name as NounName)]
      const pairs = [...known.worlds.A.pairs[name], ...known.worlds.B.pairs[name]].filter((pair) => pair[side] === own)
      return rows.filter((target) => pairs.some((pair) => pair[1 - side] === target[to]))
    })
  }
  const last = steps.at(-1)?.to.name as NounName
  return reached.length === 0 ? undefined : (tape.pick(reached)[identityOf(last)] as Value)
}

/** A value of a field: one that some record has, seen or hidden, or any other. */
function heldValue(noun: string, field: string, spec: FieldSpec, tape: Tape, known: Known): Value {
  if (spec.kind === 'identity') return pickIdentity(known, noun, tape)
  const row = tape.pick(rowsOf(known, noun))
  return row?.[field] ?? (spec.kind === 'text' ? tape.pick(names) : null)
}

function queryOf({ list, custom, shape }: Operation, tape: Tape, known: Known): readonly string[] {
  const given = (name: string, value: Value) => `${name}=${encodeURIComponent(`${value ?? ''}`)}`
  const noun: string = shape.noun.name
  if (custom) {
    return custom.query.flatMap(({ name, spec }) =>
      tape.oneIn(2) ? [given(name, spec.choices ? tape.pick(spec.choices) : 1)] : [],
    )
  }
  if (!list) return []
  const parts: string[] = []
  for (let count = tape.below(4); count > 0; count--) {
    const parameter = tape.pick(list.parameters)
    for (const value of parameterValues(parameter, noun, tape, known)) {
      const isTwice = parameter.kind !== 'equal' && parameter.kind !== 'include' && parameter.kind !== 'sort'
      if (!isTwice || !parts.some((part) => part.startsWith(`${parameter.name}=`)))
        parts.push(given(parameter.name, value))
    }
  }
  return parts
}

function parameterValues(parameter: ListParameter, noun: string, tape: Tape, known: Known): readonly Value[] {
  switch (parameter.kind) {
    case 'pageNumber':
      return [tape.pick([1, 2, 3, 4, 5])]
    case 'pageSize':
      return [tape.pick([2, 1, 3, 100])]
    case 'sort':
      return [`${tape.pick(['', '-'])}${tape.pick([...parameter.fields.keys()])}`]
    case 'include':
      return Array.from({ length: 1 + tape.below(3) }, () => pickIdentity(known, noun, tape))
    case 'search': {
      const value = `${heldValue(noun, parameter.fields[0] ?? '', { kind: 'text' }, tape, known) ?? ''}`
      return [tape.pick([value, value.slice(0, 1), value.slice(-4), 'a'])]
    }
    case 'equal':
      return Array.from({ length: 1 + tape.below(2) }, () =>
        heldValue(noun, tape.pick(parameter.fields), parameter.spec, tape, known),
      )
    case 'range': {
      const value = heldValue(noun, tape.pick(parameter.fields), parameter.spec, tape, known)
      return value === null ? [] : [value]
    }
    case 'custom':
      return [tape.oneIn(2)]
  }
}

/** A body like a record that is seen, some of its values chosen otherwise. */
function bodyOf(operation: Operation, tape: Tape, known: Known, turn: number): Readonly<Record<string, unknown>> {
  const { kind, body, shape } = operation
  const properties = body?.properties ?? []
  const like = rowsOf(known, shape.noun.name)[tape.below(3)] ?? rowsOf(known, shape.noun.name)[0]
  // What is changed is one property or two; what is new, or replaced, is given as a whole.
  const second = tape.oneIn(3)
  const given = kind === 'update' ? [tape.pick(properties), ...(second ? [tape.pick(properties)] : [])] : properties
  return Object.fromEntries(given.map((one) => [one.name, bodyValue(operation, one, like, tape, known, turn)]))
}

function bodyValue(
  { kind, custom, shape }: Operation,
  { field, spec }: Property,
  like: Row | undefined,
  tape: Tape,
  known: Known,
  turn: number,
): Value {
  const noun: string = shape.noun.name
  const isUnique = spec.unique || (field === 'name' && noun === 'skill')
  const isTouched = kind === 'update' || custom !== undefined || !like || tape.oneIn(isUnique ? 8 : 4)
  if (spec.kind === 'reference') {
    const target = custom ? custom.targets.get(field) : targetOf(shape.noun, field)
    if (isTouched) return referenceTo(target?.name ?? '', spec, tape, known)
    return seenTarget(target?.name ?? '', like[field] ?? null, known)
  }
  if (custom) return tape.pick([3, 8, 99])
  if (isTouched) return touched(noun, field, spec, tape, known, turn)
  return isUnique ? fresh(spec, turn) : (like[field] ?? null)
}

function touched(noun: string, field: string, spec: FieldSpec, tape: Tape, known: Known, turn: number): Value {
  if (spec.unique && tape.oneIn(2)) return fresh(spec, turn)
  if (spec.choices) return tape.pick(spec.choices)
  if (spec.kind === 'integer') return tape.pick([1, 4, 7, 95])
  return heldValue(noun, field, spec, tape, known)
}

function fresh({ kind }: FieldSpec, turn: number): string {
  return kind === 'email' ? `new${turn}@example.com` : `new${turn}`
}

function referenceTo(noun: string, spec: FieldSpec, tape: Tape, known: Known): Value {
  if (spec.nullable && tape.oneIn(5)) return null
  return pickIdentity(known, noun, tape)
}

/** What a record points at, or a record that is seen: a new one may point at no other. */
function seenTarget(noun: string, value: Value, known: Known): Value {
  const name = noun as NounName
  const [first] = rowsOf(known, noun)
  const row = rowsOf(known, noun).find((one) => one[identityOf(name)] === value)
  return value === null || (row && known.worlds.isSeen(name, row)) ? value : (first?.[identityOf(name)] ?? null)
}

/** Conditions with the right tag, one of a record that the caller may not see, or a wrong one; keys that come again. */
function headersOf(
  { kind, method, api, shape, isConditional, custom }: Operation,
  tape: Tape,
  { tags, marks }: Known,
  path: string,
  keys: readonly Value[],
): Readonly<Record<string, string>> {
  if (custom) return {}
  if (kind === 'create') return tape.oneIn(4) ? { 'idempotency-key': tape.pick(idempotencyKeys) } : {}
  const forged = `"${keys.at(-1)}-1-${marks.get(`${api} ${shape.noun.name}`)}"`
  const tag = () => tape.pick([tags.get(path) ?? forged, forged, '*', '"x"'])
  const isSent = kind !== 'list' && tape.oneIn(kind === 'link' || kind === 'unlink' ? 2 : 5)
  if (method === 'GET') return isSent ? { [tape.pick(['if-none-match', 'if-match'])]: tag() } : {}
  return isConditional ? (tape.oneIn(8) ? {} : { 'if-match': tag() }) : isSent ? { 'if-match': tag() } : {}
}

/** A change of a hidden record by somebody who sees everything; nothing that others see comes of it. */
export function hiddenChange(tape: Tape, { worlds }: Known, turn: number): Request | undefined {
  // The key is one that the caller uses as well.
  if (tape.oneIn(4)) {
    const body = { title: tape.pick(names), code: `hidden${turn}`, team: lastIdentity, lead: null, isSecret: true }
    return { method: 'POST', url: '/project', body, headers: { 'idempotency-key': tape.pick(idempotencyKeys) } }
  }
  const noun = tape.pick(['member', 'team', 'skill', 'project'] as const)
  const rows = worlds.B.rows[noun].filter((row) => !worlds.isSeen(noun, row))
  const row = tape.pick(rows)
  if (!row) return undefined
  const identity = row[identityOf(noun)] as Value
  const url = `/${noun}/${identity}`
  // What seen records point at stays. That may be a note, which goes with its member.
  const isOwner = noun === 'member' && worlds.B.rows.note.some(({ member }) => member === identity)
  if (tape.oneIn(4) && worlds.isOnlyIn('B', noun, row) && !isOwner) return { method: 'DELETE', url, headers: {} }
  const [field, values] = {
    member: ['effort', [1, 6]] as const,
    team: ['name', names] as const,
    skill: ['level', [1, 3]] as const,
    project: ['title', names] as const,
  }[noun]
  return { method: 'PATCH', url, body: { [field]: tape.pick<unknown>(values) }, headers: {} }
}

/** The name of the noun's identity in answers of this operation. */
export function identityName({ shape }: Operation): string {
  const identity: string = shape.noun.identity
  return shape.properties.find(({ field }) => field === identity)?.name ?? identity
}
