/** Apis: sets of resources with one version, one versioning policy, and either flat or nested writes. */
import { declare } from '../declaration/collect.ts'
import type { ApiOptions } from './api-option.ts'
import { checkApi } from './check.ts'

/** An API declaration, as `api()` returns it. */
export interface Api<Name extends string, O extends ApiOptions> {
  readonly name: Name
  readonly options: O
}

/** Any API declaration, whatever its resources. */
export type AnyApi = Api<string, ApiOptions>

/**
 * Declares an API: a set of resources (endpoints) with one version, and either flat or nested writes. Pass it to
 * `service` of `@nomen/server` to serve it, and its type to `client` to call it.
 *
 * @example
 * ```ts
 * export const access = api('access', {
 *   version: 1, // paths begin with /v1
 *   versioning: 'whole',
 *   writes: 'flat',
 *   resources: [resource(role), resource(action)],
 * })
 * ```
 *
 * @throws DeclarationError if the name, an option or a resource is invalid
 */
export function api<const Name extends string, const O extends ApiOptions>(
  name: Name,
  options: O & Versioned<O>,
): Api<Name, O> {
  const declaration = { name, options }
  return declare(declaration, options.resources ?? [], () => checkApi(name, options))
}

/** A compile error if `versioning: 'whole'` has no version: the compiler prints the message. */
type Versioned<O> = O extends { readonly versioning: 'whole' }
  ? O extends { readonly version: number }
    ? unknown
    : { readonly versioning: Mistake<"versioning 'whole' needs a version, such as version: 1"> }
  : unknown
interface Mistake<Text> {
  readonly '~mistake': Text
}
