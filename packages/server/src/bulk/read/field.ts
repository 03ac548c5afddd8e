/** The fields of a load: how values are read, and their defaults. */
import { randomUUID } from 'node:crypto'
import {
  type AnyNoun,
  type FieldSpec,
  hasDefault,
  type ReadResult,
  readText,
  readValue,
  specOf,
  type Value,
} from '@nomen/core'
import type { Cell } from '@nomen/core/bulk'
import type { BulkTarget } from '../../store/bulk/bulk.ts'
import type { Values } from '../../store/plan.ts'

export interface BulkField {
  readonly name: string
  readonly spec: FieldSpec
  /** The default for a new record; undefined if there is none, or if the database sets it. */
  readonly fallback: (values: Values, now: string) => Value | undefined
  readonly isRequired: boolean
}

/** The content of a CSV cell: a value, a fault, `default` for the default of a new record, or `nothing`. */
export type CellResult = ReadResult | 'default' | 'nothing'

/** `assigned` are the fields that assignments set if they are not in the file. */
export function fieldsOf(target: BulkTarget, assigned: readonly string[] = []): readonly BulkField[] {
  if ('stored' in target)
    return Object.keys(target.stored.noun.fields).map((name) => {
      const field = nounField(target.stored.noun, name)
      return assigned.includes(name) ? { ...field, isRequired: false } : field
    })
  return target.link.nouns.map((noun) => {
    const { guid } = specOf(noun, noun.identity)
    const spec: FieldSpec = { kind: 'reference', ...(guid && { guid }) }
    return { name: noun.name, spec, fallback: () => undefined, isRequired: true }
  })
}

/** Computed fields, which a file may have but which are ignored. */
export function computedNames(target: BulkTarget): readonly string[] {
  return 'stored' in target ? Object.keys(target.stored.noun.options.computed ?? {}) : []
}

function nounField(noun: AnyNoun, name: string): BulkField {
  const spec = specOf(noun, name)
  const fallback = fallbackOf(noun, name)
  const isManaged = isManagedByServer(spec)
  return { name, spec, fallback, isRequired: !isManaged && !hasDefault(spec) }
}

/** Whether the service sets the field. The tenant of a loaded record is in its file. */
function isManagedByServer({ managed }: FieldSpec): boolean {
  return managed !== undefined && managed !== 'service' && managed !== 'tenant'
}

function fallbackOf(noun: AnyNoun, name: string): BulkField['fallback'] {
  const { managed, guid, default: defaultValue, defaultFrom, databaseDefault, nullable } = specOf(noun, name)
  if (managed === 'identity') return guid ? () => randomUUID() : () => undefined
  if (managed === 'created-at' || managed === 'updated-at') return (_, now) => now
  if (managed === 'created-by' || managed === 'updated-by') return () => null
  if (defaultValue !== undefined) return () => defaultValue
  if (databaseDefault) return () => undefined
  if (defaultFrom === undefined) return nullable ? () => null : () => undefined
  const sourceFallback = fallbackOf(noun, defaultFrom)
  return (values, now) => (values[defaultFrom] !== undefined ? values[defaultFrom] : sourceFallback(values, now))
}

/**
 * Reads a cell by the rules of a request. An empty cell is null if the field is nullable, otherwise its default, otherwise the
 * empty string. A quoted empty string is the empty string for a text field, and an empty cell otherwise.
 */
export function cellReader({ spec, isRequired }: BulkField): (cell: Cell) => CellResult {
  const read = valueReader(spec)
  const emptyCell: CellResult = spec.nullable
    ? { value: null }
    : isManagedByServer(spec)
      ? 'nothing'
      : isRequired
        ? readValue(spec, '')
        : 'default'
  const emptyString = spec.kind === 'text' ? readValue(spec, '') : emptyCell
  return (cell) => (cell === null ? emptyCell : cell === '' ? emptyString : read(cell))
}

/** Converts a string to the JSON type of the field, and checks it like a value of a request. */
function valueReader(spec: FieldSpec): (text: string) => ReadResult {
  switch (spec.kind) {
    case 'identity':
    case 'reference':
    case 'integer':
    case 'number':
    case 'boolean':
      return (text) => {
        const result = readText(spec, text)
        return 'fault' in result ? result : readValue(spec, result.value)
      }
    default:
      return (text) => readValue(spec, text)
  }
}
