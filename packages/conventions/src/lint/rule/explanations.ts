/**
 * The explanation of every rule with examples, for `nomen lint --explain`, SARIF and docs/lint-rules.md. The examples are paths
 * of an OpenAPI document; … is an operation whose content does not matter.
 */
import { documentExplanations } from './document-explanation.ts'
import { listExplanations } from './list-explanation.ts'
import { methodExplanations } from './method-explanation.ts'
import { nameExplanations } from './name-explanation.ts'

export const explanations = {
  ...nameExplanations,
  ...listExplanations,
  ...methodExplanations,
  ...documentExplanations,
}
