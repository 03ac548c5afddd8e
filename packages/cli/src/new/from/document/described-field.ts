/** The description and the example of a property, as modifiers of its field. */
import { readValue } from '@nomen/core'
import type { Shape } from '@nomen/core/openapi'
import { call, type FieldPlan, planField } from '../field-plan.ts'

export interface DescribedField {
  readonly plan: FieldPlan
  /** Why the example is not declared; undefined if it is, or if there is none. */
  readonly exampleNote?: string
}

export function describedField([kind, ...modifiers]: FieldPlan, shape: Shape): DescribedField {
  const describedPlan: FieldPlan = [kind, ...modifiers, ...descriptionCalls(shape, kind.name === 'choice')]
  const { example } = shape
  if (example === undefined || example === null || kind.name === 'reference') return { plan: describedPlan }
  const result = readValue(planField(describedPlan).spec, example)
  if ('fault' in result)
    return {
      plan: describedPlan,
      exampleNote: `Its example ${JSON.stringify(example)} is left out: it ${result.fault}.`,
    }
  return { plan: [...describedPlan, call('example', result.value)] }
}

function descriptionCalls({ description, valueDescriptions }: Shape, isChoice: boolean) {
  const text = description?.trim()
  if (text === undefined || text === '') return []
  return [call('description', text, isChoice ? Object.fromEntries(valueDescriptions) : undefined)]
}
