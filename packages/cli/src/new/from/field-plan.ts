/** A field as it will be declared: the calls that make it, which can be written down and can be made. */
import * as core from '@nomen/core'
import { literal } from '../literal.ts'

export interface Call {
  readonly name: string
  readonly given: readonly unknown[]
}

/** The kind first, then the modifiers: `text({ maxLength: 80 })`, `.unique()`. */
export type FieldPlan = readonly [Call, ...Call[]]

/** The target of a reference, by what the files call it. */
export class Target {
  readonly noun: string
  readonly identifier: string

  constructor(noun: string, identifier: string) {
    this.noun = noun
    this.identifier = identifier
  }
}

export function call(name: string, ...given: readonly unknown[]): Call {
  return { name, given: given.filter((one) => one !== undefined && !isEmpty(one)) }
}

export function planText(plan: FieldPlan): string {
  return plan.map(({ name, given }) => `${name}(${given.map((one) => argument(one)).join(', ')})`).join('.')
}

/** The field itself, to see whether it may be declared. Where it points at is not asked for before an api is. */
export function planField([kind, ...modifiers]: FieldPlan): core.AnyField {
  const kinds = core as unknown as Record<string, (...given: readonly unknown[]) => core.AnyField>
  const made = kinds[kind.name]?.(...kind.given.map((one) => (one instanceof Target ? () => undefined : one)))
  return modifiers.reduce((field, { name, given }) => {
    const modifier = (field as unknown as Record<string, (...given: readonly unknown[]) => core.AnyField>)[name]
    return modifier?.(...given) as core.AnyField
  }, made as core.AnyField)
}

function argument(value: unknown): string {
  return value instanceof Target ? `() => ${value.identifier}` : literal(value)
}

/** Limits without any limit are left out. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Target) && Object.keys(value).length === 0
}
