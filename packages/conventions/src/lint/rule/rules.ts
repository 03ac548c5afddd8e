/** Every rule there is; each has a section in docs/conventions.md. */
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
    severity: 'warning',
    about: 'A reference leads to something: what it leads to is linted.',
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

export type RuleInfo = Pick<Rule, 'code' | 'severity' | 'about'>

export const rules: readonly RuleInfo[] = [
  ...checks.map(({ code, severity, about }) => ({ code, severity, about })),
  ...Object.values(upkeep),
]
