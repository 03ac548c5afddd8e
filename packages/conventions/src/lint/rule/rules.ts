/** All rules. Each has an explanation, and a section in docs/lint-rules.md. */
import type { Explanation } from './explanation/explanation.ts'
import { explanations } from './explanation/explanations.ts'
import { filterRules } from './filter-rules.ts'
import { flatRecordRules } from './flat-record-rules.ts'
import { listRules } from './list-rules.ts'
import { methodRules } from './method-rules.ts'
import { pathRules } from './path-rules.ts'
import { propertyRules } from './property-rules.ts'
import type { Rule } from './rule.ts'
import { writeRules } from './write-rules.ts'

/** Rules that do not read the operation table. They read declarations, files and exceptions. */
export const otherRules = {
  hidden: {
    code: 'hidden-reference',
    severity: 'warning',
    about: 'The target of a reference must have a resource.',
  },
  unresolved: {
    code: 'unresolved-reference',
    severity: 'error',
    about: 'Every $ref must have a target.',
  },
  invalid: {
    code: 'invalid-ignore',
    severity: 'error',
    about: 'An exception must have the code of a rule and a reason.',
  },
  unused: {
    code: 'unused-ignore',
    severity: 'warning',
    about: 'Every exception must match a violation.',
  },
} as const

/** Rules that read the operation table. */
export const tableRules: readonly Rule[] = [
  ...pathRules,
  ...propertyRules,
  ...flatRecordRules,
  ...listRules,
  ...filterRules,
  ...methodRules,
  ...writeRules,
]

/** A lint rule: its code, severity and explanation. */
export interface RuleInfo extends Pick<Rule, 'code' | 'severity' | 'about'> {
  readonly explanation: Explanation
}

const all: readonly Pick<Rule, 'code' | 'severity' | 'about'>[] = [...tableRules, ...Object.values(otherRules)]

/**
 * All lint rules, with their explanations.
 *
 * @example
 * ```ts
 * for (const { code, about } of rules) console.log(code, about)
 * ```
 */
export const rules: readonly RuleInfo[] = all.map(({ code, severity, about }) => {
  const explanation = (explanations as Readonly<Record<string, Explanation>>)[code]
  if (!explanation) throw new Error(`The rule ${code} has no explanation.`)
  return { code, severity, about, explanation }
})
