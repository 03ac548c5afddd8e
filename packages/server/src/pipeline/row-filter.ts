/** Row filters: which records a caller sees in one operation, from the visibility functions of a service. */
import { type AnyNoun, type Operation, readValue, specOf, targetOf, type Value } from '@nomen/core'
import type { Caller } from '../define/caller.ts'
import { type Visibility, visibleTarget } from '../define/visibility.ts'
import { quoted } from '../foundation/quoted.ts'
import type { Model } from '../store/model.ts'
import type { Condition, RowFilter } from '../store/plan.ts'
import { touchedNouns } from './touched-noun.ts'

/** Undefined where the caller sees everything that the operation touches. */
export type RowFilterOf = (caller: Caller) => RowFilter | undefined

/** Specialises what callers see for one operation at start; undefined where all of them see everything. */
export function rowFilterFor(
  operation: Operation,
  visibility: readonly Visibility[],
  model: Model,
): RowFilterOf | undefined {
  const touched = touchedNouns(operation, model).filter((noun) => isNarrowed(noun, visibility, model))
  if (touched.length === 0) return undefined
  return (caller) => {
    const eye = new VisibilityReader(visibility, model, caller)
    const narrowed = touched.map((noun) => [noun.name, eye.conditions(noun)] as const)
    const hiding = narrowed.filter(([, conditions]) => conditions.length > 0)
    return hiding.length === 0 ? undefined : Object.fromEntries(hiding)
  }
}

/** Whether a noun has a filter, or belongs to one that has. */
function isNarrowed(noun: AnyNoun, visibility: readonly Visibility[], model: Model): boolean {
  const owners = new Set<AnyNoun>([noun])
  for (const one of owners) {
    const owner = model.nouns.get(one.name)?.owner
    if (owner !== undefined) owners.add(targetOf(one, owner))
  }
  return visibility.some((one) => owners.has(one.noun))
}

/** The filters of a service, as one caller of one request has them. */
class VisibilityReader {
  readonly #visibility: readonly Visibility[]
  readonly #model: Model
  readonly #caller: Caller
  /** Undefined while a noun is looked at. */
  readonly #known = new Map<AnyNoun, readonly Condition[] | undefined>()

  constructor(visibility: readonly Visibility[], model: Model, caller: Caller) {
    this.#visibility = visibility
    this.#model = model
    this.#caller = caller
  }

  /** What records of the noun must satisfy; nothing where all are seen. */
  conditions(noun: AnyNoun): readonly Condition[] {
    if (this.#known.has(noun)) return this.#known.get(noun) ?? inCircle(noun)
    this.#known.set(noun, undefined)
    const conditions = this.#visibility
      .filter((one) => one.noun === noun)
      .flatMap(({ filter }) => this.#read(noun, filter(this.#caller)))
    const all = [...conditions, ...this.#owned(noun)]
    this.#known.set(noun, all)
    return all
  }

  /** What belongs to a record is seen with it; records that belong to others of their kind are seen one by one. */
  #owned(noun: AnyNoun): readonly Condition[] {
    const owner = this.#model.nouns.get(noun.name)?.owner
    if (owner === undefined) return []
    const target = targetOf(noun, owner)
    const isBeingRead = this.#known.has(target) && this.#known.get(target) === undefined
    return isBeingRead ? [] : this.#pointing(noun, owner, false)
  }

  #read(noun: AnyNoun, given: unknown): readonly Condition[] {
    if (given === true) return []
    if (given === false) return [nothing(noun)]
    if (typeof given !== 'object' || given === null || given instanceof Promise || Array.isArray(given)) {
      throw wrong(noun, `is ${shown(given)}`, 'Give true, false, or an object of fields and their values, at once.')
    }
    const wanted = Object.entries(given)
    if (wanted.length === 0) throw wrong(noun, 'names no field', 'Give true where everything may be seen.')
    return wanted.flatMap(([field, value]) => this.#condition(noun, field, value))
  }

  #condition(noun: AnyNoun, field: string, given: unknown): readonly Condition[] {
    if (!Object.hasOwn(noun.fields, field)) {
      throw wrong(noun, `names "${field}"`, `Use ${Object.keys(noun.fields).join(', ')}.`)
    }
    const several = Array.isArray(given) ? given : [given]
    if (several.includes(visibleTarget)) return this.#seen(noun, field, several)
    const spec = specOf(noun, field)
    const values = several.map((one): Value => {
      const reading = readValue(spec, one)
      if ('value' in reading) return reading.value
      throw wrong(
        noun,
        `wants ${field} to be ${shown(one)}, which ${reading.fault}`,
        'Nothing is shown until it is fixed.',
      )
    })
    return [{ kind: 'equal', fields: [field], values }]
  }

  #seen(noun: AnyNoun, field: string, given: readonly unknown[]): readonly Condition[] {
    const { kind, managed } = specOf(noun, field)
    if (kind !== 'reference' || managed !== undefined || given.some((one) => one !== visibleTarget && one !== null)) {
      throw wrong(
        noun,
        `wants ${field} to be what is seen`,
        'Say so of a reference that requests can set, alone or together with null: [visibleTarget, null].',
      )
    }
    return this.#pointing(noun, field, given.includes(null))
  }

  #pointing(noun: AnyNoun, field: string, isNullFitting: boolean): readonly Condition[] {
    const target = targetOf(noun, field)
    const conditions = this.conditions(target)
    // Where all targets are seen, only what points at none may be hidden.
    const isAll = conditions.length === 0 && (isNullFitting || specOf(noun, field).nullable !== true)
    return isAll ? [] : [{ kind: 'points', fields: [field], noun: target, conditions, isNullFitting }]
  }
}

function nothing(noun: AnyNoun): Condition {
  return { kind: 'equal', fields: [noun.identity], values: [] }
}

function inCircle(noun: AnyNoun): never {
  throw wrong(noun, 'leads back to itself', `Let no row of references that are to be seen end where it began.`)
}

/** A fault of the service, answered 500: what nobody can read must never show everything. */
function wrong(noun: AnyNoun, fault: string, fix: string): Error {
  return new Error(`What a caller may see of "${noun.name}" cannot be told: the filter ${fault}. ${fix}`)
}

function shown(given: unknown): string {
  return given instanceof Promise ? 'a promise' : typeof given === 'symbol' ? 'a symbol' : quoted(given)
}
