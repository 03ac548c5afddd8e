/** Requests to every operation of a table, with values of both worlds: visible, hidden and missing ones. */
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

/** The choices for a request. */
export interface Known {
  readonly worlds: Worlds
  /** Identities of records that were created, by noun. */
  readonly created: ReadonlyMap<string, readonly Value[]>
  /** The ETag of the last response at a path. */
  readonly tags: ReadonlyMap<string, string>
  /** How the ETag of a noun's shape ends, by api and noun. */
  readonly shapeSuffixes: ReadonlyMap<string, string>
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
  return [...rows.values()].sort((a, b) => Number(worlds.isVisible(name, b)) - Number(worlds.isVisible(name, a)))
}

/** The identity of a record that is seen, or, less often, of any record, or of none. */
function pickIdentity(known: Known, noun: string, tape: Tape): Value {
  const name = noun as NounName
  const identities = (rows: readonly Row[]) => rows.map((row) => row[identityOf(name)] as Value)
  const rows = rowsOf(known, noun)
  const visible = [
    ...identities(rows.filter((row) => known.worlds.isVisible(name, row))),
    ...(known.created.get(noun) ?? []),
  ]
  const none = noun === 'project' ? nowhere.guid : nowhere.integer
  return tape.oneIn(3) || visible.length === 0 ? tape.pick([...identities(rows), none]) : tape.pick(visible)
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
    row = rowsOf(known, noun).find((candidate) => candidate[identityOf(noun as NounName)] === identity)
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
    reached = reached.flatMap((row) => {
      if (step.kind === 'reference') return rows.filter((target) => target[to] === row[step.field])
      const name = step.link.name as 'member-project' | 'project-skill'
      const side = step.link.nouns[0].name === step.from.name ? 0 : 1
      const own = row[identityOf(step.from.name as NounName)]
      const pairs = [...known.worlds.A.pairs[name], ...known.worlds.B.pairs[name]].filter((pair) => pair[side] === own)
      return rows.filter((target) => pairs.some((pair) => pair[1 - side] === target[to]))
    })
  }
  const last = steps.at(-1)?.to.name as NounName
  return reached.length === 0 ? undefined : (tape.pick(reached)[identityOf(last)] as Value)
}

/** A value of a field: one that some record has, seen or hidden, or any other. */
function storedValue(noun: string, field: string, spec: FieldSpec, tape: Tape, known: Known): Value {
  if (spec.kind === 'identity') return pickIdentity(known, noun, tape)
  const row = tape.pick(rowsOf(known, noun))
  return row?.[field] ?? (spec.kind === 'text' ? tape.pick(names) : null)
}

function queryOf({ list, custom, shape }: Operation, tape: Tape, known: Known): readonly string[] {
  const queryPart = (name: string, value: Value) => `${name}=${encodeURIComponent(`${value ?? ''}`)}`
  const noun: string = shape.noun.name
  if (custom) {
    return custom.query.flatMap(({ name, spec }) =>
      tape.oneIn(2) ? [queryPart(name, spec.choices ? tape.pick(spec.choices) : 1)] : [],
    )
  }
  if (!list) return []
  const parts: string[] = []
  for (let count = tape.below(4); count > 0; count--) {
    const parameter = tape.pick(list.parameters)
    for (const value of parameterValues(parameter, noun, tape, known)) {
      const isTwice = parameter.kind !== 'equal' && parameter.kind !== 'include' && parameter.kind !== 'sort'
      if (!isTwice || !parts.some((part) => part.startsWith(`${parameter.name}=`)))
        parts.push(queryPart(parameter.name, value))
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
      const value = `${storedValue(noun, parameter.fields[0] ?? '', { kind: 'text' }, tape, known) ?? ''}`
      return [tape.pick([value, value.slice(0, 1), value.slice(-4), 'a'])]
    }
    case 'equal':
      return Array.from({ length: 1 + tape.below(2) }, () =>
        storedValue(noun, tape.pick(parameter.fields), parameter.spec, tape, known),
      )
    case 'range': {
      const value = storedValue(noun, tape.pick(parameter.fields), parameter.spec, tape, known)
      return value === null ? [] : [value]
    }
    case 'changed-field':
      return ['id']
    case 'after-id':
    case 'wait':
    case 'recorded':
      return []
    case 'custom':
      return [tape.oneIn(2)]
  }
}

/** A body like a record that is seen, some of its values chosen otherwise. */
function bodyOf(operation: Operation, tape: Tape, known: Known, turn: number): Readonly<Record<string, unknown>> {
  const { kind, body, shape } = operation
  const properties = body?.properties ?? []
  const like = rowsOf(known, shape.noun.name)[tape.below(3)] ?? rowsOf(known, shape.noun.name)[0]
  // A change has one property or two; a new or replaced record has all of them.
  const second = tape.oneIn(3)
  const sent = kind === 'update' ? [tape.pick(properties), ...(second ? [tape.pick(properties)] : [])] : properties
  return Object.fromEntries(
    sent.map((property) => [property.name, bodyValue(operation, property, like, tape, known, turn)]),
  )
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
    return visibleTarget(target?.name ?? '', like[field] ?? null, known)
  }
  if (custom) return tape.pick([3, 8, 99])
  if (isTouched) return touched(noun, field, spec, tape, known, turn)
  return isUnique ? fresh(spec, turn) : (like[field] ?? null)
}

function touched(noun: string, field: string, spec: FieldSpec, tape: Tape, known: Known, turn: number): Value {
  if (spec.unique && tape.oneIn(2)) return fresh(spec, turn)
  if (spec.choices) return tape.pick(spec.choices)
  if (spec.kind === 'integer') return tape.pick([1, 4, 7, 95])
  return storedValue(noun, field, spec, tape, known)
}

function fresh({ kind }: FieldSpec, turn: number): string {
  return kind === 'email' ? `new${turn}@example.com` : `new${turn}`
}

function referenceTo(noun: string, spec: FieldSpec, tape: Tape, known: Known): Value {
  if (spec.nullable && tape.oneIn(5)) return null
  return pickIdentity(known, noun, tape)
}

/** The current target of a reference, or a visible record: a new record may reference no other. */
function visibleTarget(noun: string, value: Value, known: Known): Value {
  const name = noun as NounName
  const [first] = rowsOf(known, noun)
  const row = rowsOf(known, noun).find((candidate) => candidate[identityOf(name)] === value)
  return value === null || (row && known.worlds.isVisible(name, row)) ? value : (first?.[identityOf(name)] ?? null)
}

/** Conditions with the right tag, one of a record that the caller may not see, or a wrong one; keys that come again. */
function headersOf(
  { kind, method, api, shape, requiresIfMatch, custom }: Operation,
  tape: Tape,
  { tags, shapeSuffixes }: Known,
  path: string,
  keys: readonly Value[],
): Readonly<Record<string, string>> {
  if (custom) return {}
  if (kind === 'create') return tape.oneIn(4) ? { 'idempotency-key': tape.pick(idempotencyKeys) } : {}
  const forged = `"${keys.at(-1)}-1-${shapeSuffixes.get(`${api} ${shape.noun.name}`)}"`
  const tag = () => tape.pick([tags.get(path) ?? forged, forged, '*', '"x"'])
  const isSent = kind !== 'list' && tape.oneIn(kind === 'link' || kind === 'unlink' ? 2 : 5)
  if (method === 'GET') return isSent ? { [tape.pick(['if-none-match', 'if-match'])]: tag() } : {}
  return requiresIfMatch ? (tape.oneIn(8) ? {} : { 'if-match': tag() }) : isSent ? { 'if-match': tag() } : {}
}

/** A change of a hidden record by a caller who sees everything; it has no effect that others see. */
export function hiddenChange(tape: Tape, { worlds }: Known, turn: number): Request | undefined {
  // The key is one that the caller uses as well.
  if (tape.oneIn(4)) {
    const body = { title: tape.pick(names), code: `hidden${turn}`, team: lastIdentity, lead: null, isSecret: true }
    return { method: 'POST', url: '/project', body, headers: { 'idempotency-key': tape.pick(idempotencyKeys) } }
  }
  const noun = tape.pick(['member', 'team', 'skill', 'project'] as const)
  const rows = worlds.B.rows[noun].filter((row) => !worlds.isVisible(noun, row))
  const row = tape.pick(rows)
  if (!row) return undefined
  const identity = row[identityOf(noun)] as Value
  const url = `/${noun}/${identity}`
  // Targets of visible records stay. One may be a note, which is deleted with its member.
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

/** The name of the noun's identity in responses of this operation. */
export function identityName({ shape }: Operation): string {
  const identity: string = shape.noun.identity
  return shape.properties.find(({ field }) => field === identity)?.name ?? identity
}
