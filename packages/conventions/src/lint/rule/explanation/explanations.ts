/**
 * The explanation of every rule with examples, for `nomen lint --explain`, SARIF and docs/lint-rules.md. The examples are paths
 * of an OpenAPI document; … is an operation whose content does not matter.
 */
import { documentExplanations } from './document.ts'
import { listExplanations } from './list.ts'
import { methodExplanations } from './method.ts'
import { nameExplanations } from './name.ts'

export const explanations = {
  ...nameExplanations,
  ...listExplanations,
  ...methodExplanations,
  ...documentExplanations,
}
