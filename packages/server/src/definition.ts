/** A service: the apis that are served together, and what computes beside their declarations. */
import { type AnyApi, DeclarationError, type Operation, operations } from '@nomen/core'
import type { Rule } from './rule.ts'
import type { LoadPart } from './store/plan.ts'

export interface ServiceOptions {
  readonly name: string
  readonly apis: readonly AnyApi[]
  readonly rules?: readonly Rule[]
  /** Rows for an empty database, in an order in which they can be inserted. */
  readonly sample?: () => Iterable<LoadPart>
}

export interface Service extends ServiceOptions {
  /** The operations of all apis. */
  readonly operations: readonly Operation[]
}

/**
 * Puts a service together; the default export of a service file.
 *
 * ```ts
 * export default service({ name: 'directory', apis: [directory, access], rules: [notOneself] })
 * ```
 */
export function service(options: ServiceOptions): Service {
  const table = options.apis.flatMap((api) => operations(api))
  const taken = new Map<string, Operation>()
  for (const operation of table) {
    const key = `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}')}`
    const other = taken.get(key)
    if (other) {
      throw new DeclarationError(
        `service "${options.name}"`,
        `${operation.method} ${operation.path} stands in the api "${other.api}" and in "${operation.api}".`,
        'give one of the apis a version, or one of the resources another path.',
      )
    }
    taken.set(key, operation)
  }
  return { ...options, operations: table }
}
