/** The nouns whose records an operation reads, references or counts, so that their visibility matters. */
import { type AnyNoun, isSettable, type Operation, specOf, targetOf } from '@nomen/core'
import type { Model, StoredNoun } from '../../store/model.ts'

export function usedNouns(operation: Operation, model: Model): readonly AnyNoun[] {
  return [...new Set(nounsOf(operation, model))]
}

function* nounsOf({ kind, levels, shape, body }: Operation, model: Model): Generator<AnyNoun> {
  const stored = model.nouns.get(shape.noun.name) as StoredNoun
  for (const { resource, relations } of levels) {
    yield resource.noun
    // Records between a record and its parent must be visible as well.
    for (const { steps } of relations) for (const { from } of steps) yield from
  }
  for (const { label } of shape.properties) if (label) yield label.noun
  if (body) yield* targetsOf(shape.noun)
  if (kind === 'replace' || kind === 'update') yield* linkedNouns(stored)
  if (kind === 'delete') yield* referrersOf(stored, model, [shape.noun])
}

/** Nouns that a write may reference. */
function* targetsOf(noun: AnyNoun): Generator<AnyNoun> {
  for (const field of Object.keys(noun.fields)) {
    const spec = specOf(noun, field)
    if (spec.kind === 'reference' && isSettable(spec)) yield targetOf(noun, field)
  }
}

/** Nouns of links whose records must share a field, which a write may change. */
function* linkedNouns({ links }: StoredNoun): Generator<AnyNoun> {
  for (const { nouns, sharing } of links) if (sharing !== undefined) yield* nouns
}

/** Nouns that may prevent a delete, because they reference the record or its dependents. */
function* referrersOf({ referrers }: StoredNoun, model: Model, visitedNouns: readonly AnyNoun[]): Generator<AnyNoun> {
  for (const { noun, onDelete } of referrers) {
    if (onDelete === 'restrict') yield noun
    if (onDelete !== 'delete' || visitedNouns.includes(noun)) continue
    yield* referrersOf(model.nouns.get(noun.name) as StoredNoun, model, [...visitedNouns, noun])
  }
}
