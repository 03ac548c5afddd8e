/** The indexes that would help a list, from its conditions and its order. */
import { type AnyNoun, directReference, specOf } from '@nomen/core'
import type { StoredNoun } from '../store/model.ts'
import type { Condition, ListPlan } from '../store/plan.ts'
import { directionOf, offsetOf } from '../store/sql/list/page.ts'
import { tallyKeys } from '../store/tally.ts'

/** From this number of records on, the advice mentions the cost of counting or skipping them. */
const manyRecords = 10_000

/** Sentences about what would make a list faster. `numberOfRecords` is how many match; undefined if that took too long. */
export function indexAdvice(
  stored: StoredNoun,
  plan: ListPlan,
  numberOfRecords: number | undefined,
): readonly string[] {
  const { noun } = stored
  const equalNames = equalFields(plan)
  const sortField = directionOf(plan) ? undefined : plan.order[0]?.field
  const rangeFields = plan.conditions.flatMap((condition) => (condition.kind === 'range' ? [condition.fields] : []))
  const [rangeField] = rangeFields.filter((fields) => fields.length === 1).flat()
  const nextNames = [sortField ?? rangeField].filter(
    (field) => field !== undefined && !equalNames.includes(field),
  ) as string[]
  const isCounted = tallyKeys(plan, stored.tallies) === undefined
  return [
    ...(hasIndexFor(stored, equalNames, nextNames) ? [] : [combinedIndexAdvice(stored, equalNames, nextNames)]),
    ...alternativeAdvice(stored, plan.conditions),
    ...(plan.conditions.some(({ kind }) => kind === 'search')
      ? ['"search" reads the text of every record that matches the other filters. No index helps: add filters.']
      : []),
    ...(isCounted && (numberOfRecords ?? manyRecords) >= manyRecords && plan.page
      ? [
          `The database counts all matching records for the total. Filter by more properties of "${noun.name}" to match fewer.`,
        ]
      : []),
    ...((isCounted || sortField !== undefined) && offsetOf(plan) >= manyRecords
      ? ['The database reads and skips the records before the page. Filter by a range to start at a later record.']
      : []),
  ]
}

/** The fields that must have one value: those of filters, and the reference to the parent in the path. */
function equalFields({ operation, conditions }: ListPlan): readonly string[] {
  const relations = operation.levels.at(-1)?.relations ?? []
  const parents = relations.map(directReference).filter((field) => field !== undefined)
  const filtered = conditions.flatMap((condition) =>
    condition.kind === 'equal' && condition.fields.length === 1 ? condition.fields : [],
  )
  return [...new Set([...parents, ...filtered])]
}

/** Whether an index begins with all of these fields, and continues with the next one. */
function hasIndexFor({ noun, indexed }: StoredNoun, equal: readonly string[], next: readonly string[]): boolean {
  if (equal.length + next.length === 0) return true
  const isUnique = (name: string) => specOf(noun, name).unique === true
  if (equal.some((name) => name === noun.identity || isUnique(name))) return true
  const isInReferenceIndex = (name: string) =>
    indexed.has(name) && ['choice', 'boolean'].includes(specOf(noun, name).kind)
  // The index of a reference contains the indexed choices and booleans.
  const otherNames = equal.filter((name) => !isInReferenceIndex(name))
  if (next.length === 0 && otherNames.length === 1 && specOf(noun, `${otherNames[0]}`).kind === 'reference') return true
  const indexes = [
    ...[...indexed].map((name) => [name]),
    ...(noun.options.indexes ?? []),
    ...(noun.options.unique ?? []),
  ]
  return indexes.some(
    (fields) =>
      equal.every((name) => fields.indexOf(name) !== -1 && fields.indexOf(name) < equal.length) &&
      next.every((name, index) => fields[equal.length + index] === name),
  )
}

function combinedIndexAdvice({ noun, indexed }: StoredNoun, equal: readonly string[], next: readonly string[]): string {
  const fields = [...equal, ...next]
  const purpose =
    next.length === 0 ? 'finds the records in the index' : 'reads the records from the index in their order'
  const effect = `The database then ${purpose}, but each write must update the index.`
  if (fields.length === 1) return `${declarationAdvice(noun, `${fields[0]}`)}. ${effect}`
  const isText = (name: string) => ['text', 'url'].includes(specOf(noun, name).kind)
  const texts = fields.filter((name) => isText(name) && !indexed.has(name)).map((name) => `"${name}"`)
  const also = texts.length === 0 ? '' : `, and declare ${texts.join(' and ')} with indexed()`
  const list = fields.map((name) => `'${name}'`).join(', ')
  return `Add indexes: [[${list}]] to the options of "${noun.name}"${also}. ${effect}`
}

/** A filter over several fields needs an index on each of them. */
function alternativeAdvice({ noun, indexed }: StoredNoun, conditions: readonly Condition[]): readonly string[] {
  const fields = conditions.flatMap((condition) =>
    (condition.kind === 'equal' || condition.kind === 'range') && condition.fields.length > 1 ? condition.fields : [],
  )
  return [...new Set(fields)]
    .filter((name) => !indexed.has(name) && name !== noun.identity)
    .map(
      (name) =>
        `${declarationAdvice(noun, name)}. A filter over several properties uses indexes only if each property has one.`,
    )
}

function declarationAdvice(noun: AnyNoun, name: string): string {
  // A choice or boolean without an index was declared with unindexed().
  const change = ['choice', 'boolean'].includes(specOf(noun, name).kind) ? 'without unindexed()' : 'with indexed()'
  return `Declare "${name}" of "${noun.name}" ${change}`
}
