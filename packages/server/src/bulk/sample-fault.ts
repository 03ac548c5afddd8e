/** Finds the row of sample data that the database has rejected, by checking all rows again. */
import { type AnyNoun, DeclarationError, targetOf, tenantField, type Value } from '@nomen/core'
import type { Model } from '../store/model.ts'
import type { Values } from '../store/plan.ts'
import type { LoadPart } from '../store/store.ts'

interface Row {
  /** The noun or the link. */
  readonly target: string
  readonly number: number
  readonly values: Values
}

/** The first row that conflicts with the others; undefined if there is none. The rows must be complete. */
export function sampleFault(parts: Iterable<LoadPart>, { nouns }: Model): DeclarationError | undefined {
  const rows: Row[] = []
  const pairs: Row[] = []
  for (const part of parts) {
    let rowNumber = 0
    if ('noun' in part)
      for (const values of part.rows) rows.push({ target: part.noun, number: ++rowNumber, values: values as Values })
    else {
      const [first, second] = part.link
      for (const [firstValue, secondValue] of part.rows)
        pairs.push({
          target: part.link.join('-'),
          number: ++rowNumber,
          values: { [first]: firstValue, [second]: secondValue },
        })
    }
  }
  const nounOf = (name: string) => nouns.get(name)?.noun as AnyNoun
  const identities = new Set(rows.map(({ target, values }) => `${target} ${values[nounOf(target).identity]}`))
  const isMissing = (target: string, value: Value | undefined) =>
    value !== null && value !== undefined && !identities.has(`${target} ${value}`)
  return duplicate(rows, nounOf) ?? missingTarget(rows, nounOf, isMissing) ?? missingPair(pairs, isMissing)
}

/** Two rows with the same value of a unique field. */
function duplicate(rows: readonly Row[], nounOf: (name: string) => AnyNoun): DeclarationError | undefined {
  const seenKeys = new Set<string>()
  for (const row of rows) {
    const { identity, fields, options } = nounOf(row.target)
    const singleFields = Object.keys(fields).filter((name) => name === identity || fields[name].spec.unique)
    for (const set of [...singleFields.map((name) => [name]), ...(options.unique ?? [])].map(
      withinTenant(nounOf(row.target)),
    )) {
      if (set.some((name) => row.values[name] === null)) continue
      const values = set.map((name) => `${name} ${JSON.stringify(row.values[name])}`).join(' and ')
      // E-mail addresses are compared without case.
      const key = `${row.target} ${set.some((name) => fields[name].spec.kind === 'email') ? values.toLowerCase() : values}`
      if (seenKeys.has(key)) return faultOf(row, `another row also has ${values}.`)
      seenKeys.add(key)
    }
  }
  return undefined
}

/** A unique value is unique within its tenant; an identity is unique in all tenants. */
function withinTenant(noun: AnyNoun): (set: readonly string[]) => readonly string[] {
  const tenant = tenantField(noun)
  return (set) => (tenant === undefined || set.includes(noun.identity) ? set : [tenant, ...set])
}

type IsMissing = (target: string, value: Value | undefined) => boolean

/** A row with a reference to a row that does not exist. */
function missingTarget(
  rows: readonly Row[],
  nounOf: (name: string) => AnyNoun,
  isMissing: IsMissing,
): DeclarationError | undefined {
  for (const row of rows) {
    const noun = nounOf(row.target)
    for (const field of Object.keys(noun.fields)) {
      if (noun.fields[field].spec.kind !== 'reference') continue
      const target = targetOf(noun, field).name
      if (isMissing(target, row.values[field])) return missingRecord(row, field, target, row.values[field])
    }
  }
  return undefined
}

function missingPair(pairs: readonly Row[], isMissing: IsMissing): DeclarationError | undefined {
  for (const pair of pairs)
    for (const [target, value] of Object.entries(pair.values))
      if (isMissing(target, value)) return missingRecord(pair, target, target, value)
  return undefined
}

function missingRecord(row: Row, field: string, target: string, value: Value | undefined): DeclarationError {
  const record = `${target} ${JSON.stringify(value)}`
  return faultOf(row, `"${field}" is ${record}, which is not in the sample.`, `add ${record}, or change the reference.`)
}

function faultOf(
  { target, number }: Row,
  mistake: string,
  fix = 'change this row, or the row that it conflicts with.',
): DeclarationError {
  return new DeclarationError(`row ${number} of the sample of "${target}"`, mistake, fix)
}
