/** The fields of what is loaded, each with how its value is read and what it is where none is given. */
import { randomUUID } from 'node:crypto'
import { type AnyNoun, type FieldSpec, type Reading, readText, readValue, specOf, type Value } from '@nomen/core'
import type { Cell } from '@nomen/core/bulk'
import type { BulkTarget } from '../../store/bulk/bulk.ts'
import type { Values } from '../../store/plan.ts'

export interface BulkField {
  readonly name: string
  readonly spec: FieldSpec
  /** The value of a new record that is given none; undefined where it must be given, or the database gives it. */
  readonly fallback: (given: Values, now: string) => Value | undefined
  readonly isRequired: boolean
}

/** What a cell of a CSV file says: a value, nothing (`default`: what a new record would have), or a fault. */
export type CellReading = Reading | 'default' | 'nothing'

export function fieldsOf(target: BulkTarget): readonly BulkField[] {
  if ('stored' in target)
    return Object.keys(target.stored.noun.fields).map((name) => nounField(target.stored.noun, name))
  return target.link.nouns.map((noun) => {
    const { guid } = specOf(noun, noun.identity)
    const spec: FieldSpec = { kind: 'reference', ...(guid && { guid }) }
    return { name: noun.name, spec, fallback: () => undefined, isRequired: true }
  })
}

/** What may stand in a file and is not taken from it: whatever a record is loaded with, this is computed of it. */
export function computedNames(target: BulkTarget): readonly string[] {
  return 'stored' in target ? Object.keys(target.stored.noun.options.computed ?? {}) : []
}

function nounField(noun: AnyNoun, name: string): BulkField {
  const spec = specOf(noun, name)
  const fallback = fallbackOf(noun, name)
  const isManaged = spec.managed !== undefined && spec.managed !== 'service'
  const isRequired = !isManaged && spec.default === undefined && spec.defaultFrom === undefined && !spec.nullable
  return { name, spec, fallback, isRequired }
}

function fallbackOf(noun: AnyNoun, name: string): BulkField['fallback'] {
  const { managed, guid, default: value, defaultFrom, nullable } = specOf(noun, name)
  if (managed === 'identity') return guid ? () => randomUUID() : () => undefined
  if (managed === 'created-at' || managed === 'updated-at') return (_, now) => now
  if (managed === 'created-by' || managed === 'updated-by') return () => null
  if (value !== undefined) return () => value
  if (defaultFrom === undefined) return nullable ? () => null : () => undefined
  const other = fallbackOf(noun, defaultFrom)
  return (given, now) => (given[defaultFrom] !== undefined ? given[defaultFrom] : other(given, now))
}

/**
 * Reads a cell by the rules of a request. An empty cell is null if the field may be null, else its default, else the empty
 * text. An empty text in quotes is the empty text if the field is a text, and an empty cell otherwise.
 */
export function cellReader({ spec, isRequired }: BulkField): (cell: Cell) => CellReading {
  const read = typed(spec)
  const nothing: CellReading = spec.nullable
    ? { value: null }
    : spec.managed !== undefined && spec.managed !== 'service'
      ? 'nothing'
      : isRequired
        ? readValue(spec, '')
        : 'default'
  const empty = spec.kind === 'text' ? readValue(spec, '') : nothing
  return (cell) => (cell === null ? nothing : cell === '' ? empty : read(cell))
}

/** A text is first given the type that JSON would give it, then checked as a value of a request. */
function typed(spec: FieldSpec): (text: string) => Reading {
  switch (spec.kind) {
    case 'identity':
    case 'reference':
    case 'integer':
    case 'number':
    case 'boolean':
      return (text) => {
        const reading = readText(spec, text)
        return 'fault' in reading ? reading : readValue(spec, reading.value)
      }
    default:
      return (text) => readValue(spec, text)
  }
}
