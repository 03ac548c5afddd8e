/** A planned field: the calls of its declaration, which can be written as code or executed. */
import * as core from '@nomen/core'
import { literal } from '../literal.ts'

export interface Call {
  readonly name: string
  readonly args: readonly unknown[]
}

/** The kind first, then the modifiers: `text({ maxLength: 80 })`, `.unique()`. */
export type FieldPlan = readonly [Call, ...Call[]]

/** The target of a reference, with its identifier in the files. */
export class Target {
  readonly noun: string
  readonly identifier: string

  constructor(noun: string, identifier: string) {
    this.noun = noun
    this.identifier = identifier
  }
}

export function call(name: string, ...values: readonly unknown[]): Call {
  return { name, args: values.filter((argument) => argument !== undefined && !isEmpty(argument)) }
}

export function planText(plan: FieldPlan): string {
  return plan.map(({ name, args }) => `${name}(${args.map((argument) => argumentText(argument)).join(', ')})`).join('.')
}

/** Creates the field, to check whether it is valid. `nounOf` finds the target of a reference, which only an api needs. */
export function planField(
  [kind, ...modifiers]: FieldPlan,
  nounOf: (name: string) => core.AnyNoun | undefined = () => undefined,
): core.AnyField {
  const kinds = core as unknown as Record<string, (...args: readonly unknown[]) => core.AnyField>
  const base = kinds[kind.name]?.(
    ...kind.args.map((argument) => (argument instanceof Target ? () => nounOf(argument.noun) : argument)),
  )
  return modifiers.reduce((field, { name, args }) => {
    const modifier = (field as unknown as Record<string, (...args: readonly unknown[]) => core.AnyField>)[name]
    return modifier?.(...args) as core.AnyField
  }, base as core.AnyField)
}

function argumentText(value: unknown): string {
  return value instanceof Target ? `() => ${value.identifier}` : literal(value)
}

/** An options object without options is left out. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Target) && Object.keys(value).length === 0
}
