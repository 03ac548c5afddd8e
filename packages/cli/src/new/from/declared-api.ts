/** Builds the api that the files of an imported project declare, to compare its operations with the source. */
import { type AnyApi, type AnyNoun, api, noun as nounOf, type Operation, operations, resource } from '@nomen/core'
import { Code } from '../literal.ts'
import type { ChildDraft } from '../project.ts'
import { planField } from './field-plan.ts'
import { labelOf, type NounPlan } from './noun-plan.ts'

export interface DeclaredResource {
  readonly plan: NounPlan
  /** The options of `resource`. */
  readonly resource: object
  /** The nouns below it. */
  readonly children: readonly ChildDraft[]
  /** Identifier in the files. */
  readonly identifier: string
}

/** Throws a DeclarationError if the declarations are invalid. */
export function declaredOperations(
  resourcePlans: readonly DeclaredResource[],
  version: number | undefined,
): readonly Operation[] {
  const nouns = new Map<string, AnyNoun>()
  for (const { plan } of resourcePlans) {
    const fields = [...plan.fields].map(([name, field]) => [name, planField(field, (target) => nouns.get(target))])
    nouns.set(plan.name, nounOf(plan.name, Object.fromEntries(fields), optionsOf(plan)) as unknown as AnyNoun)
  }
  const nounsByIdentifier = new Map(
    resourcePlans.map(({ identifier, plan }) => [identifier, nouns.get(plan.name) as AnyNoun]),
  )
  const resources = resourcePlans.map(({ plan, resource: options, children }) => {
    const childResources = children.map((child) =>
      resource(nounsByIdentifier.get(child.identifier) as AnyNoun, { ...child.options }),
    )
    return resource(nouns.get(plan.name) as AnyNoun, { ...withoutCode(options), children: childResources } as object)
  })
  const versioning = version === undefined ? { versioning: 'per-noun' } : { version, versioning: 'whole' }
  return operations(api('imported', { ...versioning, writes: 'flat', resources } as never) as unknown as AnyApi)
}

function optionsOf({ fields }: NounPlan): object {
  const label = labelOf(fields)
  return label === undefined ? {} : { label }
}

/** Removes filters, which are code and do not change paths. */
function withoutCode(options: object): object {
  const isPlain = (value: unknown) =>
    !(typeof value === 'object' && value !== null && Object.values(value).some(isCode))
  return Object.fromEntries(Object.entries(options).filter(([, value]) => isPlain(value)))
}

function isCode(value: unknown): boolean {
  return value instanceof Code
}
