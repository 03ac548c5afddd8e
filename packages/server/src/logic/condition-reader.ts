/** Reads the conditions that the functions of a service file return, for custom filters and for visibility. */
import { type AnyLink, type AnyNoun, readValue, specOf, targetOf, type Value } from '@nomen/core'
import { Bounds } from '../define/bounds.ts'
import { Related, visibleTarget } from '../define/condition.ts'
import { hasPromise } from '../define/synchronous.ts'
import { quoted } from '../foundation/quoted.ts'
import type { Model } from '../store/model.ts'
import type { Condition } from '../store/plan.ts'

interface ConditionReaderDependencies {
  readonly model: Model
  /** The subject of error messages: `The filter "overdue" of "task"`. */
  readonly subject: string
  /** The conditions under which the caller sees a record of a noun. */
  readonly visible: (noun: AnyNoun) => readonly Condition[]
  /** Whether related records must be visible to the caller, so that a filter reveals nothing about hidden ones. */
  readonly relatedMustBeVisible: boolean
}

const orderedKinds = ['integer', 'number', 'decimal', 'date', 'timestamp']

/** Throws if a condition is invalid: the response is 500, because an invalid condition must never match all records. */
export class ConditionReader {
  readonly #dependencies: ConditionReaderDependencies

  constructor(dependencies: ConditionReaderDependencies) {
    this.#dependencies = dependencies
  }

  /** The conditions that a record must all satisfy; empty if every record matches. */
  read(noun: AnyNoun, where: unknown): readonly Condition[] {
    if (hasPromise(where)) throw this.#fault('returned a promise', 'Return the condition itself.')
    if (where === true) return []
    if (where === false) return [noRecords(noun)]
    if (!Array.isArray(where)) return this.#fields(noun, where)
    const alternatives = where.map((alternative) => this.#fields(noun, alternative))
    return alternatives.length === 1 ? (alternatives[0] ?? []) : [{ kind: 'any', fields: [], alternatives }]
  }

  #fields(noun: AnyNoun, where: unknown): readonly Condition[] {
    if (typeof where !== 'object' || where === null || Array.isArray(where) || where instanceof Related)
      throw this.#fault(
        `returned ${descriptionOf(where)} for "${noun.name}"`,
        'Return true, false, an object of fields and their values, or an array of such objects.',
      )
    const entries = Object.entries(where)
    if (entries.length === 0)
      throw this.#fault('returned an object without fields', 'Return true if every record matches.')
    return entries.flatMap(([field, value]) => this.#field(noun, field, value))
  }

  #field(noun: AnyNoun, field: string, expected: unknown): readonly Condition[] {
    if (!Object.hasOwn(noun.fields, field))
      throw this.#fault(`refers to the unknown field "${field}"`, `Use ${Object.keys(noun.fields).join(', ')}.`)
    if (expected instanceof Bounds) return [this.#range(noun, field, expected)]
    const options: readonly unknown[] = Array.isArray(expected) ? expected : [expected]
    if (options.includes(visibleTarget)) return this.#visibleTarget(noun, field, options)
    const relations = options.filter(isRelation).map((relation) => this.#relation(noun, field, relation))
    const values = options.filter((option) => !isRelation(option)).map((value) => this.#value(noun, field, value))
    const equal: readonly Condition[] =
      values.length > 0 || relations.length === 0 ? [{ kind: 'equal', fields: [field], values }] : []
    const alternatives = [...equal, ...relations]
    return alternatives.length === 1
      ? alternatives
      : [{ kind: 'any', fields: [], alternatives: alternatives.map((alternative) => [alternative]) }]
  }

  #range(noun: AnyNoun, field: string, { from, to }: Bounds<unknown>): Condition {
    if (!orderedKinds.includes(specOf(noun, field).kind))
      throw this.#fault(`has a range of "${field}"`, 'Use ranges for numbers, dates and timestamps only.')
    return {
      kind: 'range',
      fields: [field],
      ...(from !== undefined && { from: this.#value(noun, field, from) }),
      ...(to !== undefined && { to: this.#value(noun, field, to) }),
    }
  }

  #value(noun: AnyNoun, field: string, value: unknown): Value {
    const result = readValue(specOf(noun, field), value)
    if ('value' in result) return result.value
    throw this.#fault(
      `compares ${field} with ${descriptionOf(value)}, which ${result.fault}`,
      'Return a value of the type of the field.',
    )
  }

  /** A condition on an identity or a reference: on the referenced record itself, or on records that it is related to. */
  #relation(noun: AnyNoun, field: string, relation: object): Condition {
    const isReference = specOf(noun, field).kind === 'reference'
    if (!isReference && field !== noun.identity)
      throw this.#fault(
        `compares ${field} with ${descriptionOf(relation)}`,
        'Use conditions on other records for references and identities only.',
      )
    const comparedNoun = isReference ? targetOf(noun, field) : noun
    if (relation instanceof Related) return this.#related(comparedNoun, field, relation)
    if (!isReference)
      throw this.#fault(
        `compares ${field} with ${descriptionOf(relation)}`,
        'Put the fields of the record into the outer object.',
      )
    return {
      kind: 'related',
      fields: [field],
      noun: comparedNoun,
      select: comparedNoun.identity,
      conditions: this.#relatedConditions(comparedNoun, relation),
    }
  }

  #related(comparedNoun: AnyNoun, field: string, { noun, by, where }: Related): Condition {
    if (this.#dependencies.model.nouns.get(noun.name)?.noun !== noun)
      throw this.#fault(
        `uses the noun "${noun.name}"`,
        'Use a declaration that an API of the service shows or references.',
      )
    const conditions = this.#relatedConditions(noun, where)
    if (typeof by === 'string') {
      const isReferencing = noun.fields[by]?.spec.kind === 'reference' && targetOf(noun, by) === comparedNoun
      if (!isReferencing)
        throw this.#fault(
          `uses "${by}" of "${noun.name}", which does not reference "${comparedNoun.name}"`,
          'Use a reference that does.',
        )
      return { kind: 'related', fields: [field], noun, select: by, conditions }
    }
    if (!this.#isLinking(by, comparedNoun, noun))
      throw this.#fault(
        `uses the link "${by.name}", which does not link "${comparedNoun.name}" and "${noun.name}"`,
        'Use a link of these two nouns.',
      )
    return { kind: 'related', fields: [field], noun, select: noun.identity, conditions, link: by }
  }

  #isLinking(link: AnyLink, comparedNoun: AnyNoun, relatedNoun: AnyNoun): boolean {
    return (
      comparedNoun !== relatedNoun &&
      this.#dependencies.model.links.includes(link) &&
      [comparedNoun, relatedNoun].every((noun) => link.nouns.includes(noun))
    )
  }

  #relatedConditions(noun: AnyNoun, where: unknown): readonly Condition[] {
    const { visible, relatedMustBeVisible } = this.#dependencies
    return [...this.read(noun, where), ...(relatedMustBeVisible ? visible(noun) : [])]
  }

  #visibleTarget(noun: AnyNoun, field: string, values: readonly unknown[]): readonly Condition[] {
    const { kind, managed } = specOf(noun, field)
    if (
      kind !== 'reference' ||
      managed !== undefined ||
      values.some((value) => value !== visibleTarget && value !== null)
    )
      throw this.#fault(
        `compares ${field} with visibleTarget`,
        'Use it for a reference that requests can set, alone or together with null: [visibleTarget, null].',
      )
    return referenceConditions(noun, field, this.#dependencies.visible(targetOf(noun, field)), values.includes(null))
  }

  #fault(fault: string, fix: string): Error {
    return new Error(`${this.#dependencies.subject} ${fault}. ${fix}`)
  }
}

/** The condition that the record of a reference satisfies these conditions; empty if every record does. */
export function referenceConditions(
  noun: AnyNoun,
  field: string,
  conditions: readonly Condition[],
  allowsNull: boolean,
): readonly Condition[] {
  // If all referenced records are visible, only a record without a reference can be hidden.
  const matchesAll = conditions.length === 0 && (allowsNull || specOf(noun, field).nullable !== true)
  return matchesAll ? [] : [{ kind: 'reference', fields: [field], noun: targetOf(noun, field), conditions, allowsNull }]
}

function isRelation(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function noRecords(noun: AnyNoun): Condition {
  return { kind: 'equal', fields: [noun.identity], values: [] }
}

function descriptionOf(value: unknown): string {
  if (value instanceof Related) return 'a relation'
  return typeof value === 'symbol' ? 'a symbol' : quoted(value)
}
