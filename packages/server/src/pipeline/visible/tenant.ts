/** Tenants: new records and Idempotency-Keys belong to the tenant of the caller. */
import { type Operation, tenantField } from '@nomen/core'
import { type TenantOptions, tenantOf } from '../../define/caller/tenant.ts'
import { sha256 } from '../../foundation/sha256.ts'
import type { PlanStep } from '../plan.ts'

/** Sets the tenant of new records; undefined if the operation does not create records of a tenant. */
export function tenantStep({ kind, shape }: Operation, tenant: TenantOptions | undefined): PlanStep | undefined {
  const field = tenantField(shape.noun)
  if (!tenant || kind !== 'create' || field === undefined) return undefined
  return (plan, _request, { caller }) => {
    if (plan.kind !== 'create') return plan
    const tenantValue = tenantOf(tenant, caller)
    const { idempotency } = plan
    return {
      ...plan,
      values: { ...plan.values, [field]: tenantValue },
      ...(idempotency && { idempotency: { ...idempotency, key: sha256(`${tenantValue} ${idempotency.key}`) } }),
    }
  }
}
