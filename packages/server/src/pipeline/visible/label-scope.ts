/** Labels of references: shown only to callers who may read the records that they name. */
import { type Operation, scopeOf } from '@nomen/core'
import { hasScope } from '../../define/caller.ts'
import type { PlanStage } from '../plan.ts'

/** The scopes with which callers can read records of a noun, by its name; a noun that no operation reads has none. */
export type ReadScopes = ReadonlyMap<string, ReadonlySet<string>>

export function readScopesOf(operations: readonly Operation[]): ReadScopes {
  const scopes = new Map<string, Set<string>>()
  for (const operation of operations) {
    const { custom, method, resource } = operation
    // A custom operation with its own scope returns another shape, not the record.
    if (custom && (method !== 'GET' || custom.declaration.options.scope !== undefined)) continue
    const { name } = resource.noun
    scopes.set(name, (scopes.get(name) ?? new Set()).add(scopeOf(operation).split(' ').at(-1) as string))
  }
  return scopes
}

/**
 * Hides labels from callers without the scope to read their noun; undefined if the operation shows no such labels. Labels of a
 * noun that no operation reads are part of the records that show them.
 */
export function applyLabelScopes({ shape }: Operation, readScopes: ReadScopes): PlanStage | undefined {
  const nouns = new Set<string>(shape.properties.flatMap(({ label }) => label?.noun.name ?? []))
  // The scope of the operation includes reading its own noun.
  nouns.delete(shape.noun.name)
  const labels = [...nouns].flatMap((noun) => {
    const scopes = readScopes.get(noun)
    return scopes ? [{ noun, scopes: [...scopes] }] : []
  })
  if (labels.length === 0) return undefined
  return (plan, _request, { caller }) => {
    if (plan.kind !== 'list') return plan
    const hidden = labels.filter(({ scopes }) => !scopes.some((scope) => hasScope(caller, scope)))
    return hidden.length === 0 ? plan : { ...plan, unlabelled: hidden.map(({ noun }) => noun) }
  }
}
