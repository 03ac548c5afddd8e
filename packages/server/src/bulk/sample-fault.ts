/** Why a database has refused sample data, told of the rows: found by looking at them all once more. */
import { type AnyNoun, DeclarationError, targetOf, type Value } from '@nomen/core'
import type { Model } from '../store/model.ts'
import type { Values } from '../store/plan.ts'
import type { LoadPart } from '../store/store.ts'

interface Row {
  /** The noun or the link. */
  readonly of: string
  readonly at: number
  readonly values: Values
}

/** The first row that cannot stand beside the others; undefined where none is to blame. The rows are whole. */
export function sampleFault(parts: Iterable<LoadPart>, { nouns }: Model): DeclarationError | undefined {
  const rows: Row[] = []
  const pairs: Row[] = []
  for (const part of parts) {
    let at = 0
    if ('noun' in part) for (const values of part.rows) rows.push({ of: part.noun, at: ++at, values: values as Values })
    else {
      const [near, far] = part.link
      for (const [one, other] of part.rows)
        pairs.push({ of: part.link.join('-'), at: ++at, values: { [near]: one, [far]: other } })
    }
  }
  const nounOf = (name: string) => nouns.get(name)?.noun as AnyNoun
  const identities = new Set(rows.map(({ of, values }) => `${of} ${values[nounOf(of).identity]}`))
  const isMissing = (target: string, value: Value | undefined) =>
    value !== null && value !== undefined && !identities.has(`${target} ${value}`)
  return twice(rows, nounOf) ?? lost(rows, nounOf, isMissing) ?? unlinked(pairs, isMissing)
}

/** Two rows with what only one may have. */
function twice(rows: readonly Row[], nounOf: (name: string) => AnyNoun): DeclarationError | undefined {
  const known = new Set<string>()
  for (const row of rows) {
    const { identity, fields, options } = nounOf(row.of)
    const single = Object.keys(fields).filter((name) => name === identity || fields[name].spec.unique)
    for (const set of [...single.map((name) => [name]), ...(options.unique ?? [])]) {
      if (set.some((name) => row.values[name] === null)) continue
      const held = set.map((name) => `${name} ${JSON.stringify(row.values[name])}`).join(' and ')
      // E-mail addresses are the same without regard to case; other texts that differ in it only are no fault here.
      const key = `${row.of} ${set.some((name) => fields[name].spec.kind === 'email') ? held.toLowerCase() : held}`
      if (known.has(key)) return faultOf(row, `another row has ${held} as well.`)
      known.add(key)
    }
  }
  return undefined
}

type IsMissing = (target: string, value: Value | undefined) => boolean

/** A row that points at none. */
function lost(
  rows: readonly Row[],
  nounOf: (name: string) => AnyNoun,
  isMissing: IsMissing,
): DeclarationError | undefined {
  for (const row of rows) {
    const noun = nounOf(row.of)
    for (const field of Object.keys(noun.fields)) {
      if (noun.fields[field].spec.kind !== 'reference') continue
      const target = targetOf(noun, field).name
      if (isMissing(target, row.values[field])) return faultOf(row, missing(field, target, row.values[field]))
    }
  }
  return undefined
}

function unlinked(pairs: readonly Row[], isMissing: IsMissing): DeclarationError | undefined {
  for (const pair of pairs)
    for (const [target, value] of Object.entries(pair.values))
      if (isMissing(target, value)) return faultOf(pair, missing(target, target, value))
  return undefined
}

function missing(field: string, target: string, value: Value | undefined): string {
  return `"${field}" is ${target} ${JSON.stringify(value)}, which the sample does not have.`
}

function faultOf({ of, at }: Row, rule: string): DeclarationError {
  return new DeclarationError(`row ${at} of the sample of "${of}"`, rule, 'change it, or what it does not agree with.')
}
