/** Every rule there is; each is explained, and has a section in docs/conventions.md. */
import { type Explanation, explanations } from './explanation.ts'
import { filterRules } from './filter-rules.ts'
import { listRules } from './list-rules.ts'
import { methodRules } from './method-rules.ts'
import { pathRules } from './path-rules.ts'
import { propertyRules } from './property-rules.ts'
import type { Rule } from './rule.ts'
import { writeRules } from './write-rules.ts'

/** Findings about the lint itself: nothing of the api breaks these. */
export const upkeep = {
  unresolved: {
    code: 'unresolved-reference',
    severity: 'error',
    about: 'A reference leads to something.',
  },
  invalid: {
    code: 'invalid-ignore',
    severity: 'error',
    about: 'What is ignored is named by its code, with a reason.',
  },
  unused: {
    code: 'unused-ignore',
    severity: 'warning',
    about: 'What is ignored is there.',
  },
} as const

export const checks: readonly Rule[] = [
  ...pathRules,
  ...propertyRules,
  ...listRules,
  ...filterRules,
  ...methodRules,
  ...writeRules,
]

export interface RuleInfo extends Pick<Rule, 'code' | 'severity' | 'about'> {
  readonly explanation: Explanation
}

const all: readonly Pick<Rule, 'code' | 'severity' | 'about'>[] = [...checks, ...Object.values(upkeep)]

export const rules: readonly RuleInfo[] = all.map(({ code, severity, about }) => {
  const explanation = (explanations as Readonly<Record<string, Explanation>>)[code]
  if (!explanation) throw new Error(`The rule ${code} is not explained.`)
  return { code, severity, about, explanation }
})
