/** Computed fields: the store fetches the fields that the functions need, and their results complete its records. */
import { isStored, type Operation, readValue, type Shape, specOf, type Value } from '@nomen/core'
import type { Computation } from '../define/compute.ts'
import { quoted } from '../foundation/quoted.ts'
import { TooLarge } from '../store/error.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Values } from '../store/plan.ts'

/** Lists with computed fields are taken apart and put together while others wait, so that less of them is allowed. */
const maxBytes = 2 * 1024 * 1024

export interface Computing {
  /** The operation for the store: without what is computed, and with what the functions see beyond what is shown. */
  readonly fetched: Operation
  /** Makes of what the store gives what is shown; absent where that is the same. */
  readonly complete?: (outcome: Outcome) => Outcome
}

/** Specialises one operation at start; nothing is added to the way of those that show nothing computed. */
export function applyComputed(operation: Operation, computations: readonly Computation[]): Computing {
  const { shape, kind } = operation
  if (shape.properties.every(({ spec }) => isStored(spec)))
    return kind === 'create' ? { fetched: operation, complete: withoutHidden } : { fetched: operation }
  const { fetched, shown } = showing(shape, computations)
  return {
    fetched: { ...operation, shape: fetched },
    complete: (outcome) => {
      if (outcome.kind === 'list') {
        if (outcome.json.length > maxBytes) throw new TooLarge(maxBytes)
        return { ...outcome, json: JSON.stringify((JSON.parse(outcome.json) as Record<string, Value>[]).map(shown)) }
      }
      if (outcome.kind !== 'record') return outcome
      const record = JSON.parse(outcome.json) as Record<string, Value>
      const isWhole = !outcome.isReplay || fetched.properties.every(({ name }) => name in record)
      // An answer that was kept before the service was changed is given again as it was.
      // It may hold what functions saw that are no longer asked.
      return withoutHidden(isWhole ? { ...outcome, json: JSON.stringify(shown(record)) } : outcome)
    },
  }
}

/** No property can bear such a name. */
const hidden = '~'

/** An answer that was kept while something was computed holds what the functions saw. */
function withoutHidden(outcome: Outcome): Outcome {
  if (outcome.kind !== 'record' || !outcome.isReplay || !outcome.json.includes(`"${hidden}`)) return outcome
  const entries = Object.entries(JSON.parse(outcome.json) as Values)
  return { ...outcome, json: JSON.stringify(Object.fromEntries(entries.filter(([name]) => !name.startsWith(hidden)))) }
}

/** What a property of a record is, from the others. */
type Part = (record: Values) => Value

/** The shape to fetch, and how a record of it is shown. */
function showing(shape: Shape, computations: readonly Computation[]) {
  const { noun, properties } = shape
  const fetched = properties.filter(({ spec }) => isStored(spec))
  const isLast = properties.slice(0, fetched.length).every(({ spec }) => isStored(spec))
  const unseen: string[] = []
  /** The property that holds the value of a field. */
  const sourceOf = (field: string): string => {
    // A label is no value.
    const known = fetched.find((property) => property.field === field && !property.label)
    if (known) return known.name
    const name = `${hidden}${field}`
    fetched.push({ name, field, spec: specOf(noun, field) })
    unseen.push(name)
    return name
  }
  const parts = properties.flatMap(({ name, field, spec }): [string, Part][] => {
    if (isStored(spec)) return []
    const own = computations.find((one) => one.noun === noun && one.field === field) as Computation
    return [[name, partOf(own, sourceOf)]]
  })
  const shown = (record: Record<string, Value | undefined>) => {
    for (const [name, part] of parts) record[name] = part(record as Values)
    // Quicker than a delete, and written no more than what is deleted.
    for (const name of unseen) record[name] = undefined
    return isLast ? record : Object.fromEntries(properties.map(({ name }) => [name, record[name]]))
  }
  return { fetched: { ...shape, properties: fetched }, shown }
}

/** What a function gives, read as a value of its kind. What cannot be read is a fault of the service. */
function partOf({ noun, field, sources, compute }: Computation, sourceOf: (field: string) => string): Part {
  const spec = specOf(noun, field)
  const seen = sources.map((source) => [source, sourceOf(source)] as const)
  const identity = sourceOf(noun.identity)
  const fault = (record: Values, what: string, cause?: unknown) =>
    new Error(`The computed field "${field}" of ${noun.name} ${record[identity]} ${what}`, { cause })
  return (record) => {
    const values: Record<string, Value> = {}
    for (const [source, at] of seen) values[source] = record[at] as Value
    let given: unknown
    try {
      given = compute(values as never)
    } catch (error) {
      throw fault(record, 'cannot be computed: its function throws.', error)
    }
    const reading = readValue(spec, given)
    if ('value' in reading) return reading.value
    if (!(given instanceof Promise)) throw fault(record, `comes to ${quoted(given)}, and ${reading.fault}.`)
    given.catch(() => {})
    throw fault(record, 'comes to a promise. Give its value at once.')
  }
}
