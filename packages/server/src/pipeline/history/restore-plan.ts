/** The plans of a restoration: they create records, set references and add links, without the checks of requests. */
import { type AnyApi, type AnyLink, type AnyNoun, type Operation, operations, resource, type Value } from '@nomen/core'
import { readOperations } from '../../logic/record-reads.ts'
import type { ChangePlan, CreatePlan, LinkPlan, Origin, RowFilter, Values } from '../../store/plan.ts'
import { type Deleted, identityIn } from './deleted-record.ts'

/** The time and the origin of all changes of a restoration. */
export interface ChangeStamp {
  readonly now: string
  readonly origin: Origin
}

export function createPlan(
  { noun, values, version }: Deleted,
  moment: ChangeStamp,
  rowFilter: RowFilter | undefined,
): CreatePlan {
  return {
    kind: 'create',
    operation: { ...readOperations(noun).read, kind: 'create', method: 'POST' },
    ancestors: [],
    values,
    version: version + 1,
    check: undefined,
    ...moment,
    ...(rowFilter && { rowFilter }),
  }
}

export function referencePlan(noun: AnyNoun, identity: Value, values: Values, moment: ChangeStamp): ChangePlan {
  return {
    kind: 'change',
    operation: { ...readOperations(noun).read, kind: 'update', method: 'PATCH' },
    ancestors: [],
    key: identity,
    values,
    match: undefined,
    check: undefined,
    ...moment,
  }
}

/** Adds a link between two records, which history entries name. */
export function linkPlan(link: AnyLink, record: string, linked: string, moment: ChangeStamp): LinkPlan {
  const [near, far] = link.nouns
  return {
    kind: 'link',
    operation: linkOperation(link),
    ancestors: [identityIn(near, record)],
    key: identityIn(far, linked),
    match: undefined,
    mustBeLinked: false,
    check: undefined,
    ...moment,
  }
}

const linkOperations = new WeakMap<AnyLink, Operation>()

/** An operation that no api offers. */
function linkOperation(link: AnyLink): Operation {
  const known = linkOperations.get(link)
  if (known) return known
  const [near, far] = link.nouns
  const linked = resource(far, { via: link, offers: ['link'], complete: [far.identity] } as object)
  const parent = resource(near, { children: [linked], offers: ['read'], complete: [near.identity] } as object)
  // No api of a service can have this name.
  const api: AnyApi = {
    name: 'restored links',
    options: { versioning: 'per-noun', writes: 'nested', resources: [parent] },
  }
  const operation = operations(api).find(({ kind }) => kind === 'link') as Operation
  linkOperations.set(link, operation)
  return operation
}
