/** History: the origin of writes, and the order and the fields of entries in responses. */
import { change, delivery, type Operation, webhook } from '@nomen/core'
import { callerOf } from '@nomen/core/usage'
import { type Caller, hasScope } from '../../define/caller/caller.ts'
import type { Model } from '../../store/model.ts'
import type { Outcome } from '../../store/outcome.ts'
import { type Condition, isRead, type ListPlan } from '../../store/plan.ts'
import type { PlanStep } from '../plan.ts'
import type { RawRequest } from '../read/parsed-request.ts'

/** Whether the service records a history. */
export function hasEntries(model: Model): boolean {
  return model.nouns.get(change.name)?.noun === change
}

/** Whether the service has webhooks. */
export function hasWebhooks(model: Model): boolean {
  return model.nouns.get(webhook.name)?.noun === webhook
}

/** Adds the origin to the plans of writes; undefined if the service records no history. */
export function originStep({ method }: Operation, model: Model): PlanStep | undefined {
  if (method === 'GET' || !hasEntries(model)) return undefined
  return (plan, { raw }, { caller }) => (isRead(plan) ? plan : { ...plan, origin: originOf(raw, caller) })
}

/** The user, the application and the ID of a request. */
export function originOf({ headers, requestId }: RawRequest, caller: Caller) {
  const [userAgent, referrer] = [headers['user-agent'], headers.referer].map((header) =>
    typeof header === 'string' ? header : undefined,
  )
  const application = callerOf({ userAgent, referrer, user: undefined }).name
  return { user: caller.user, application: application === '' ? undefined : application, request: requestId }
}

/** Lists history entries and deliveries from the newest to the oldest, unless the request sorts them. */
export function newestFirstStep({ kind, shape }: Operation): PlanStep | undefined {
  const { noun } = shape
  if (kind !== 'list' || (noun !== change && noun !== delivery)) return undefined
  return (plan) => {
    const list = plan as ListPlan
    return list.order.length > 0 ? list : { ...list, order: [{ field: noun.identity, isDescending: true }] }
  }
}

/** Limits the changes of all records of a noun to that noun. Undefined for other operations. */
export function nounOfChangesStep({ changesOf }: Operation): PlanStep | undefined {
  if (!changesOf) return undefined
  const condition: Condition = { kind: 'equal', fields: ['noun'], values: [changesOf.noun.name] }
  return (plan) => ({ ...(plan as ListPlan), conditions: [...(plan as ListPlan).conditions, condition] })
}

/** The fields that entries of a noun may show, with the scope that each of them requires. */
export type EntryFields = ReadonlyMap<string, ReadonlyMap<string, string | undefined>>

/** The fields that at least one operation shows. Others, such as a hash of a password, are stored but never returned. */
export function entryFieldsOf(operations: readonly Operation[]): EntryFields {
  const fields = new Map<string, Map<string, string | undefined>>()
  for (const { shape } of operations) {
    const shownFields = fields.get(shape.noun.name) ?? new Map()
    fields.set(shape.noun.name, shownFields)
    for (const { field } of shape.properties) shownFields.set(field, shape.noun.fields[field]?.spec.scope)
  }
  return fields
}

/**
 * Limits the filter `changedField` to fields that the caller may see: others would reveal that a hidden field was changed. Undefined
 * for other operations.
 */
export function changedFieldStep({ kind, shape }: Operation, entryFields: EntryFields): PlanStep | undefined {
  if (kind !== 'list' || shape.noun !== change) return undefined
  return (plan, _request, { caller }) => {
    const list = plan as ListPlan
    return { ...list, conditions: list.conditions.map((condition) => limitCondition(condition, entryFields, caller)) }
  }
}

function limitCondition(condition: Condition, entryFields: EntryFields, caller: Caller): Condition {
  if (condition.kind !== 'changed-field') return condition
  const alternatives = [...entryFields].flatMap(([noun, fields]): (readonly Condition[])[] => {
    const names = condition.names.filter((name) => isFieldVisible(fields, name, caller))
    return names.length === 0
      ? []
      : [
          [
            { kind: 'equal', fields: ['noun'], values: [noun] },
            { ...condition, names },
          ],
        ]
  })
  return alternatives.length === 0
    ? { kind: 'equal', fields: ['noun'], values: [] }
    : { kind: 'any', fields: [], alternatives }
}

/** The scopes of a caller that decide which fields of entries the caller sees. */
export function visibleScopes(entryFields: EntryFields, caller: Caller): string {
  const scopes = new Set([...entryFields.values()].flatMap((fields) => [...fields.values()]))
  return [...scopes].filter((scope) => scope !== undefined && hasScope(caller, scope)).join()
}

/** Whether the caller may see a field. */
export function isFieldVisible(fields: ReadonlyMap<string, string | undefined>, name: string, caller: Caller): boolean {
  const scope = fields.get(name)
  return fields.has(name) && (scope === undefined || hasScope(caller, scope))
}

/** Removes fields from history entries that the caller may not see. Undefined for operations on other nouns. */
export function entryFieldFilter({ shape }: Operation, entryFields: EntryFields) {
  if (shape.noun !== change) return undefined
  return (outcome: Outcome, caller: Caller): Outcome => {
    if (outcome.kind !== 'list' && outcome.kind !== 'record') return outcome
    const parsed = JSON.parse(outcome.json) as Entry | Entry[]
    const visible = (entry: Entry) => visibleEntry(entry, entryFields, caller)
    return { ...outcome, json: JSON.stringify(Array.isArray(parsed) ? parsed.map(visible) : visible(parsed)) }
  }
}

interface Entry {
  readonly noun?: string
  readonly kind?: string
  readonly fields?: string | null
  readonly before?: string | null
  readonly after?: string | null
}

function visibleEntry(entry: Entry, entryFields: EntryFields, caller: Caller): Entry {
  const shownFields = entryFields.get(entry.noun ?? '') ?? new Map<string, string | undefined>()
  const isShown = (field: string) => isFieldVisible(shownFields, field, caller)
  const shownValues = (json: string) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).filter(([field]) => isShown(field))))
  return {
    ...entry,
    ...(entry.fields && { fields: entry.fields.split(',').filter(isShown).join() }),
    // The values of a STARTED entry are for the service itself.
    ...(entry.before && { before: entry.kind === 'STARTED' ? null : shownValues(entry.before) }),
    ...(entry.after && { after: shownValues(entry.after) }),
  }
}
