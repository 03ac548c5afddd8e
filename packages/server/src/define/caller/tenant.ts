/** Multi-tenancy: records belong to a tenant, and a claim of the token names the tenant of the caller. */
import {
  type AnyNoun,
  change,
  DeclarationError,
  delivery,
  ProblemError,
  problem,
  readValue,
  specOf,
  targetOf,
  tenantField,
  webhook,
} from '@nomen/core'
import type { Model } from '../../store/model.ts'
import type { Visibility } from '../visibility.ts'
import { type Caller, unrestrictedCaller } from './caller.ts'

/** Multi-tenancy: the token claim with the tenant, and the nouns that all tenants share. */
export interface TenantOptions {
  /**
   * The token claim that names the tenant of the caller.
   *
   * @example
   * claim: 'tenant'
   */
  readonly claim: string
  /**
   * Nouns whose records all tenants share. All other nouns need a `tenant()` field.
   *
   * @example
   * shared: [country]
   *
   * @default no nouns
   */
  readonly shared?: readonly AnyNoun[]
}

/** The maximum length of a tenant, in characters. */
const maxLength = 200

/** The tenant of a caller. Throws `tenant-required` if the caller has none. */
export function tenantOf({ claim }: TenantOptions, caller: Caller): string {
  const tenant = tenantIn(claim, caller.claims)
  if (tenant !== undefined) return tenant
  const texts =
    caller === unrestrictedCaller
      ? {
          detail: 'Records of this service belong to tenants, but its requests are not authenticated.',
          hint: 'Start the service with --auth jwt, or with --auth dev to try it.',
        }
      : {
          detail: `The claim "${claim}" of the token is missing, or not a string of 1 to ${maxLength} characters.`,
          hint: `Configure the issuer to send the tenant as the claim "${claim}".`,
        }
  throw new ProblemError(problem('tenant-required', texts))
}

/** The tenant that a claim names. Undefined if the claim is missing or invalid. */
export function tenantIn(claim: string, claims: Caller['claims']): string | undefined {
  const result = readValue({ kind: 'text', minLength: 1, maxLength }, claims[claim])
  const value = 'value' in result ? result.value : undefined
  // Tallies separate the parts of their keys by control characters.
  return typeof value === 'string' && !/\p{Cc}/u.test(value) ? value : undefined
}

/** Callers see records of their own tenant only. */
export function tenantVisibility(tenant: TenantOptions | undefined, { nouns }: Model): readonly Visibility[] {
  if (!tenant) return []
  return [...nouns.values()].flatMap(({ noun }) => {
    const field = tenantField(noun)
    return field === undefined ? [] : [{ noun, filter: (caller: Caller) => ({ [field]: tenantOf(tenant, caller) }) }]
  })
}

/** Checks that every noun has a tenant or is shared, and that shared nouns do not reference records of one tenant. */
export function checkTenant(subject: string, tenant: TenantOptions | undefined, { nouns }: Model): void {
  for (const { noun } of nouns.values()) {
    // An entry of the history belongs to the tenant of its record, and a webhook to that of its user.
    if (noun === change || noun === webhook || noun === delivery) continue
    const field = tenantField(noun)
    const isShared = tenant?.shared?.includes(noun) === true
    if (!tenant && field !== undefined)
      throw new DeclarationError(
        subject,
        `"${noun.name}" has a tenant field, but the service has no tenant option.`,
        "add the option tenant: { claim: 'tenant' }, with the token claim that holds the tenant.",
      )
    if (!tenant) continue
    if ((field === undefined) !== isShared)
      throw new DeclarationError(
        subject,
        isShared ? `"${noun.name}" is shared but has a tenant field.` : `"${noun.name}" has no tenant field.`,
        isShared
          ? 'remove it from shared, or remove the field.'
          : `add tenant: tenant() to its fields, or share it: shared: [${noun.name}].`,
      )
    if (!isShared) continue
    const reference = Object.keys(noun.fields).find(
      (name) => specOf(noun, name).kind === 'reference' && tenantField(targetOf(noun, name)) !== undefined,
    )
    if (reference !== undefined)
      throw new DeclarationError(
        subject,
        `all tenants share "${noun.name}", but its field "${reference}" references records of one tenant.`,
        'give the noun a tenant() field, or remove the reference.',
      )
  }
  const unknown = tenant?.shared?.find((noun) => nouns.get(noun.name)?.noun !== noun)
  if (unknown)
    throw new DeclarationError(
      subject,
      `tenant.shared refers to "${unknown.name}", but no API of the service exposes that noun.`,
      'remove it from shared.',
    )
}
