/** The rights of a webhook: those of the user who last changed it. */
import type { FindRecord } from '../auth/assumed-caller.ts'
import { type Caller, unrestrictedCaller } from '../define/caller/caller.ts'
import type { WebhookRecord } from './records.ts'

/** The stored rights of a caller; null for a service without authentication. */
export function rightsOf(caller: Caller): string | null {
  if (caller === unrestrictedCaller) return null
  const { user, scopes, claims, record } = caller
  return JSON.stringify({ user, scopes, claims, hasRecord: record !== null })
}

/** The caller on whose behalf a webhook reads changes, or why there is none. */
export async function callerOf(
  { rights }: Pick<WebhookRecord, 'rights'>,
  {
    requiresAuthentication,
    findRecord,
  }: { readonly requiresAuthentication: boolean; readonly findRecord: FindRecord | undefined },
): Promise<Caller | { readonly reason: string }> {
  if (rights === null)
    return requiresAuthentication
      ? { reason: 'The webhook was last changed while authentication was off. Save it again with a token.' }
      : unrestrictedCaller
  const { user, scopes, claims, hasRecord } = JSON.parse(rights) as Pick<Caller, 'user' | 'scopes' | 'claims'> & {
    readonly hasRecord: boolean
  }
  const record = user === undefined ? null : ((await findRecord?.(user, claims)) ?? null)
  if (hasRecord && record === null)
    return { reason: 'The user who last changed the webhook no longer exists. Save it as another user.' }
  return { user, scopes, claims, record }
}
