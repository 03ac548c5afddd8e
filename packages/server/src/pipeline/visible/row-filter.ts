/** Row filters: the conditions that limit the records that a caller sees in one operation. */
import { type AnyNoun, change, type Operation, targetOf } from '@nomen/core'
import type { Caller } from '../../define/caller/caller.ts'
import type { Visibility } from '../../define/visibility.ts'
import { ConditionReader, referenceConditions } from '../../logic/condition-reader.ts'
import type { Model } from '../../store/model.ts'
import type { Condition, CurrentRecordCondition, RowFilter } from '../../store/plan.ts'
import { usedNouns } from './used-noun.ts'

/** The row filter of a caller; undefined if the caller sees all records that the operation uses. */
export type RowFilterOf = (caller: Caller) => RowFilter | undefined

/** Creates the row filter of one operation at start; undefined if all callers see all records. */
export function rowFilterFor(
  operation: Operation,
  visibility: readonly Visibility[],
  model: Model,
): RowFilterOf | undefined {
  const filteredNouns = usedNouns(operation, model).filter((noun) => isFiltered(noun, visibility, model))
  if (filteredNouns.length === 0) return undefined
  return (caller) => {
    const conditionsOf = visibleConditions(visibility, model, caller)
    const conditions = filteredNouns.map((noun) => [noun.name, conditionsOf(noun)] as const)
    const nonEmpty = conditions.filter(([, list]) => list.length > 0)
    return nonEmpty.length === 0 ? undefined : Object.fromEntries(nonEmpty)
  }
}

/** Whether a noun has visibility, or belongs to a noun that has it. The visibility of a history entry is that of its record. */
function isFiltered(noun: AnyNoun, visibility: readonly Visibility[], model: Model): boolean {
  if (noun === change && entryNouns(model).some(({ noun: recorded }) => isFiltered(recorded, visibility, model)))
    return true
  const owners = new Set<AnyNoun>([noun])
  for (const owned of owners) {
    const owner = model.nouns.get(owned.name)?.owner
    if (owner !== undefined) owners.add(targetOf(owned, owner))
  }
  return visibility.some((filter) => owners.has(filter.noun))
}

/** The conditions under which a caller sees records of a noun; empty if all are visible. Cached for each noun. */
export function visibleConditions(
  visibility: readonly Visibility[],
  model: Model,
  caller: Caller,
): (noun: AnyNoun) => readonly Condition[] {
  /** The value is undefined while the conditions of the noun are being read. */
  const cache = new Map<AnyNoun, readonly Condition[] | undefined>()
  const isBeingRead = (noun: AnyNoun) => cache.has(noun) && cache.get(noun) === undefined

  const conditionsOf = (noun: AnyNoun): readonly Condition[] => {
    if (isBeingRead(noun)) throw circularError(noun)
    const cached = cache.get(noun)
    if (cached) return cached
    cache.set(noun, undefined)
    const reader = new ConditionReader({
      model,
      subject: `The visible() of "${noun.name}"`,
      visible: conditionsOf,
      relatedMustBeVisible: false,
    })
    const filters = visibility.filter((visible) => visible.noun === noun)
    const filterConditions = filters.flatMap(({ filter }) => reader.read(noun, filter(caller)))
    const recordConditions = noun === change ? entryConditions(model, conditionsOf) : []
    const conditions = [...filterConditions, ...ownerConditions(noun), ...recordConditions]
    cache.set(noun, conditions)
    return conditions
  }

  /** A record is visible only if its owner is. An owner of the same noun is not checked, to avoid a cycle. */
  const ownerConditions = (noun: AnyNoun): readonly Condition[] => {
    const owner = model.nouns.get(noun.name)?.owner
    if (owner === undefined) return []
    const target = targetOf(noun, owner)
    return isBeingRead(target) ? [] : referenceConditions(noun, owner, conditionsOf(target), false)
  }
  return conditionsOf
}

/** For each noun and link: how its history entries identify a record. Nouns without history may have had it earlier. */
function entryNouns({ nouns, links }: Model): readonly Pick<CurrentRecordCondition, 'entryNoun' | 'fields' | 'noun'>[] {
  return [
    ...[...nouns.values()]
      .filter(({ noun }) => noun !== change)
      .map(({ noun }) => ({ entryNoun: noun.name, fields: ['record'] as const, noun })),
    ...links.flatMap(({ name: nounName, nouns: [first, second] }) => [
      { entryNoun: nounName, fields: ['record'] as const, noun: first },
      { entryNoun: nounName, fields: ['linked'] as const, noun: second },
    ]),
  ]
}

/**
 * A caller sees the entries of records that are visible now, or were visible when they were deleted (see `CurrentRecordCondition`),
 * and none of nouns and links that no longer exist.
 */
function entryConditions(model: Model, conditionsOf: (noun: AnyNoun) => readonly Condition[]): readonly Condition[] {
  const entries = entryNouns(model)
  const restrictions = entries.flatMap((recorded): Condition[] => {
    const conditions = conditionsOf(recorded.noun)
    return conditions.length === 0 ? [] : [{ kind: 'current-record', ...recorded, conditions }]
  })
  if (restrictions.length === 0) return []
  return [
    { kind: 'equal', fields: ['noun'], values: [...new Set(entries.map(({ entryNoun }) => entryNoun))] },
    ...restrictions,
  ]
}

function circularError(noun: AnyNoun): Error {
  return new Error(
    `The visible() of "${noun.name}" leads back to itself. Remove the cycle of visibleTarget references.`,
  )
}
