/** Read scopes: labels of references and history entries are shown only to callers who may read the records. */
import { type AnyNoun, change, type Operation, readScopeOf } from '@nomen/core'
import { type Caller, hasScope } from '../../define/caller/caller.ts'
import type { Visibility } from '../../define/visibility.ts'
import type { Model } from '../../store/model.ts'
import { hasEntries } from '../history/entries.ts'
import type { PlanStep } from '../plan.ts'

/** The scopes with which callers can read records of a noun, by its name; a noun that no operation reads has none. */
export type ReadScopes = ReadonlyMap<string, ReadonlySet<string>>

export function readScopesOf(operations: readonly Operation[]): ReadScopes {
  const scopes = new Map<string, Set<string>>()
  for (const operation of operations) {
    const scope = readScopeOf(operation)
    if (scope === undefined) continue
    const { name } = operation.resource.noun
    scopes.set(name, (scopes.get(name) ?? new Set()).add(scope))
  }
  return scopes
}

/**
 * Hides labels from callers without the scope to read their noun; undefined if the operation shows no such labels. Labels of a
 * noun that no operation reads are part of the records that show them.
 */
export function labelScopeStep({ shape }: Operation, readScopes: ReadScopes): PlanStep | undefined {
  const nouns = new Set<string>(shape.properties.flatMap(({ label }) => label?.noun.name ?? []))
  // The scope of the operation includes reading its own noun.
  nouns.delete(shape.noun.name)
  const labelledNouns = [...nouns].filter((noun) => readScopes.has(noun))
  if (labelledNouns.length === 0) return undefined
  return (plan, _request, { caller }) => {
    if (plan.kind !== 'list') return plan
    const unlabelled = labelledNouns.filter((noun) => !mayRead(noun, readScopes, caller))
    return unlabelled.length === 0 ? plan : { ...plan, unlabelled }
  }
}

/**
 * The visibility of history entries: callers see those of nouns that they may read. Entries of a link require both nouns. Empty if the
 * service records no history.
 */
export function entryVisibility(operations: readonly Operation[], model: Model): readonly Visibility[] {
  if (!hasEntries(model)) return []
  const readScopes = readScopesOf(operations)
  const entries: readonly (readonly [name: string, nouns: readonly AnyNoun[]])[] = [
    ...[...model.nouns.values()].map(({ noun }) => [noun.name, [noun]] as const),
    ...model.links.map(({ name, nouns }) => [name, nouns] as const),
  ]
  const filter = (caller: Caller) => {
    const visible = entries.filter(([, nouns]) => nouns.every(({ name }) => mayRead(name, readScopes, caller)))
    return visible.length === entries.length || { noun: visible.map(([name]) => name) }
  }
  return [{ noun: change, filter }]
}

/** Whether a caller has one of the scopes to read a noun. No scope is required if no operation reads the noun. */
function mayRead(noun: string, readScopes: ReadScopes, caller: Caller): boolean {
  const scopes = readScopes.get(noun)
  return !scopes || [...scopes].some((scope) => hasScope(caller, scope))
}
