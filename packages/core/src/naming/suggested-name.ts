/** Suggests a valid name in place of an invalid one. */
import { camelCase, isCamelCase, isKebabCase } from './kebab-case.ts'
import { wordsOf } from './words.ts'

/** The name in kebab-case: `cost-center` for `CostCenter`. Undefined if its words are not valid, such as `2nd`. */
export function suggestedKebabCase(name: string): string | undefined {
  const kebab = wordsOf(name).join('-')
  return isKebabCase(kebab) ? kebab : undefined
}

/** The name in camelCase: `dueDate` for `Due_Date`. Undefined if its words are not valid, such as `2nd`. */
export function suggestedCamelCase(name: string): string | undefined {
  const camel = camelCase(wordsOf(name).join('-'))
  return isCamelCase(camel) ? camel : undefined
}
