/** Custom filters: adds the conditions that they define to the plan of a list. */
import { type AnyNoun, type CustomParameter, type Operation, readValue, specOf, type Value } from '@nomen/core'
import { Bounds } from '../define/bounds.ts'
import type { Caller } from '../define/caller.ts'
import { customParameters, type FilterDefinition, isFor } from '../define/filter.ts'
import { quoted } from '../foundation/quoted.ts'
import type { Condition } from '../store/plan.ts'
import type { PlanStage } from './plan.ts'

/** Undefined if the operation has no custom filter. */
export function applyCustomFilters(
  operation: Operation,
  definitions: readonly FilterDefinition[],
): PlanStage | undefined {
  if (customParameters(operation).length === 0) return undefined
  const { noun } = operation.shape
  const conditionsOf = (parameter: CustomParameter, value: Value, caller: Caller): readonly Condition[] => {
    const own = definitions.find((definition) => isFor(definition, operation, parameter)) as FilterDefinition
    return new Reader(noun, parameter.name).read(own.find(value as never, caller))
  }
  return (plan, ask, { caller }) => {
    const requested = ask.list?.custom
    if (!requested || plan.kind !== 'list') return plan
    const added = requested.flatMap(({ parameter, value }) => conditionsOf(parameter, value, caller))
    return { ...plan, conditions: [...plan.conditions, ...added] }
  }
}

const ordered = ['integer', 'number', 'decimal', 'date', 'timestamp']

/** Reads what the code of a service gives. What cannot be read is a fault of the service: it must not find everything. */
class Reader {
  readonly #noun: AnyNoun
  readonly #name: string

  constructor(noun: AnyNoun, name: string) {
    this.#noun = noun
    this.#name = name
  }

  read(given: unknown): readonly Condition[] {
    if (given === true) return []
    if (given === false) return [{ kind: 'equal', fields: [this.#noun.identity], values: [] }]
    if (!Array.isArray(given)) return this.#where(given)
    return [{ kind: 'any', fields: [], alternatives: given.map((one) => this.#where(one)) }]
  }

  #where(given: unknown): readonly Condition[] {
    if (typeof given !== 'object' || given === null || given instanceof Promise || Array.isArray(given))
      throw this.#wrong(`gives ${given instanceof Promise ? 'a promise' : quoted(given)}`, 'Give fields, at once.')
    const wanted = Object.entries(given)
    if (wanted.length === 0) throw this.#wrong('names no field', 'Give true where everything fits.')
    return wanted.map(([field, one]) => this.#condition(field, one))
  }

  #condition(field: string, given: unknown): Condition {
    if (!Object.hasOwn(this.#noun.fields, field))
      throw this.#wrong(`names "${field}"`, `Use ${Object.keys(this.#noun.fields).join(', ')}.`)
    if (!(given instanceof Bounds)) {
      const several: readonly unknown[] = Array.isArray(given) ? given : [given]
      return { kind: 'equal', fields: [field], values: several.map((one) => this.#value(field, one)) }
    }
    if (!ordered.includes(specOf(this.#noun, field).kind))
      throw this.#wrong(`gives bounds of "${field}"`, 'Only numbers, dates and timestamps have an order.')
    return {
      kind: 'range',
      fields: [field],
      ...(given.from !== undefined && { from: this.#value(field, given.from) }),
      ...(given.to !== undefined && { to: this.#value(field, given.to) }),
    }
  }

  #value(field: string, given: unknown): Value {
    const reading = readValue(specOf(this.#noun, field), given)
    if ('value' in reading) return reading.value
    throw this.#wrong(`wants ${field} to be ${quoted(given)}, which ${reading.fault}`, 'Give a value of its kind.')
  }

  #wrong(fault: string, fix: string): Error {
    return new Error(`What "${this.#name}" finds of "${this.#noun.name}" cannot be told: the filter ${fault}. ${fix}`)
  }
}
