/** An api: a set of resources under one version prefix, with one versioning policy and one form of writes. */
import { type ApiOptions, checkApi } from './check.ts'

export interface Api<Name extends string, O extends ApiOptions> {
  readonly name: Name
  readonly options: O
}

export type AnyApi = Api<string, ApiOptions>

/**
 * Declares an api.
 *
 * ```ts
 * export const access = api('access', { version: 1, versioning: 'whole', writes: 'flat', resources: [resource(role)] })
 * ```
 */
export function api<const Name extends string, const O extends ApiOptions>(
  name: Name,
  options: O & Versioned<O>,
): Api<Name, O> {
  checkApi(name, options)
  return { name, options }
}

/** What is versioned as a whole must say which version it is: the compiler quotes the text. */
type Versioned<O> = O extends { readonly versioning: 'whole' }
  ? O extends { readonly version: number }
    ? unknown
    : { readonly versioning: Mistake<"versioning 'whole' needs a version, such as version: 1"> }
  : unknown
interface Mistake<Text> {
  readonly '~mistake': Text
}
