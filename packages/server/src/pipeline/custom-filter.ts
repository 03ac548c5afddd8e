/** Custom filters: adds the conditions that they define to the plan of a list. */
import type { CustomParameter, Operation, Value } from '@nomen/core'
import type { Caller } from '../define/caller/caller.ts'
import { customParameters, type FilterDefinition, isFilterOf } from '../define/filter.ts'
import type { Visibility } from '../define/visibility.ts'
import { ConditionReader } from '../logic/condition-reader.ts'
import type { Model } from '../store/model.ts'
import type { Condition } from '../store/plan.ts'
import type { PlanStep } from './plan.ts'
import { visibleConditions } from './visible/row-filter.ts'

interface CustomFilterDependencies {
  readonly filters: readonly FilterDefinition[]
  readonly visibility: readonly Visibility[]
  readonly model: Model
}

/** Undefined if the operation has no custom filter. */
export function customFilterStep(
  operation: Operation,
  { filters, visibility, model }: CustomFilterDependencies,
): PlanStep | undefined {
  if (customParameters(operation).length === 0) return undefined
  const { noun } = operation.shape
  const conditionsOf = (parameter: CustomParameter, value: Value, caller: Caller): readonly Condition[] => {
    const implementation = filters.find((definition) =>
      isFilterOf(definition, operation, parameter),
    ) as FilterDefinition
    const reader = new ConditionReader({
      model,
      subject: `The filter "${parameter.name}" of "${noun.name}"`,
      visible: visibleConditions(visibility, model, caller),
      relatedMustBeVisible: true,
    })
    return reader.read(noun, implementation.find(value as never, caller))
  }
  return (plan, request, { caller }) => {
    const requested = request.list?.custom
    if (!requested || plan.kind !== 'list') return plan
    const customConditions = requested.flatMap(({ parameter, value }) => conditionsOf(parameter, value, caller))
    return { ...plan, conditions: [...plan.conditions, ...customConditions] }
  }
}
