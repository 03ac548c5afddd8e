/** Checks that rows of sample data refer only to rows of the same tenant. */
import { type AnyNoun, DeclarationError, targetOf, tenantField, type Value } from '@nomen/core'
import type { Model } from '../store/model.ts'
import type { Values } from '../store/plan.ts'
import type { LoadPart } from '../store/store.ts'

/** Tenants by noun and identity. */
type Tenants = ReadonlyMap<string, Map<Value, Value>>

/** Two rows that must have the same tenant. */
interface Pair {
  /** The row that relates them. */
  readonly subject: string
  readonly noun: string
  readonly identity: Value
  readonly target: string
  readonly targetIdentity: Value
}

/** Yields complete rows unchanged. After the last one, throws a DeclarationError if a row refers to a row of another tenant. */
export function* withTenantCheck(parts: Iterable<LoadPart>, { nouns }: Model): Iterable<LoadPart> {
  const names = [...nouns.values()].filter(({ noun }) => tenantField(noun) !== undefined).map(({ noun }) => noun.name)
  if (names.length === 0) return yield* parts
  const tenants: Tenants = new Map(names.map((name) => [name, new Map()]))
  const pairs: Pair[] = []
  for (const part of parts) {
    if ('link' in part) yield { link: part.link, rows: watchLinks(part.link, part.rows, tenants, pairs) }
    else {
      const noun = nouns.get(part.noun)?.noun as AnyNoun
      yield { noun: part.noun, rows: watchRows(noun, part.rows as Iterable<Values>, tenants, pairs) }
    }
  }
  for (const pair of pairs) checkPair(pair, tenants)
}

/** Collects the tenants of rows, and their references to nouns with tenants. */
function* watchRows(noun: AnyNoun, rows: Iterable<Values>, tenants: Tenants, pairs: Pair[]): Iterable<Values> {
  const ownTenants = tenants.get(noun.name)
  if (!ownTenants) return yield* rows
  const references = Object.keys(noun.fields)
    .filter((field) => noun.fields[field].spec.kind === 'reference')
    .map((field) => ({ field, target: targetOf(noun, field).name }))
    .filter(({ target }) => tenants.has(target))
  let number = 0
  for (const row of rows) {
    number++
    const identity = row[noun.identity] as Value
    ownTenants.set(identity, row[tenantField(noun) as string] as Value)
    for (const { field, target } of references) {
      const targetIdentity = row[field] ?? null
      if (targetIdentity === null) continue
      pairs.push({ subject: subjectOf(number, noun.name), noun: noun.name, identity, target, targetIdentity })
    }
    yield row
  }
}

function* watchLinks(
  [noun, target]: readonly [string, string],
  rows: Iterable<readonly [Value, Value]>,
  tenants: Tenants,
  pairs: Pair[],
): Iterable<readonly [Value, Value]> {
  if (!tenants.has(noun) || !tenants.has(target)) return yield* rows
  let number = 0
  for (const row of rows) {
    const [identity, targetIdentity] = row
    pairs.push({ subject: subjectOf(++number, `${noun}-${target}`), noun, identity, target, targetIdentity })
    yield row
  }
}

function subjectOf(number: number, name: string): string {
  return `row ${number} of the sample of "${name}"`
}

function checkPair({ subject, noun, identity, target, targetIdentity }: Pair, tenants: Tenants): void {
  const tenant = tenants.get(noun)?.get(identity)
  const other = tenants.get(target)?.get(targetIdentity)
  // The database rejects references to rows that do not exist.
  if (tenant === undefined || other === undefined || tenant === other) return
  const [first, second] = [JSON.stringify(tenant), JSON.stringify(other)]
  throw new DeclarationError(
    subject,
    `${noun} ${identity} belongs to the tenant ${first}, but ${target} ${targetIdentity} belongs to ${second}.`,
    'use records of the same tenant.',
  )
}
