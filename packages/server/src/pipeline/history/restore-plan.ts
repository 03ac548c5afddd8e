/** The plans of a restoration: they create records, set references and add links, without the checks of requests. */
import { type AnyLink, type AnyNoun, type Operation, resource, type Value } from '@nomen/core'
import { readOperations, unofferedOperations } from '../../logic/record-reads.ts'
import type { ChangePlan, CreatePlan, LinkPlan, Origin, RowFilter, Values } from '../../store/plan.ts'
import { type DeletedRecord, identityIn } from './deleted-record.ts'

/** The time and the origin of all changes of a restoration. */
export interface ChangeStamp {
  readonly now: string
  readonly origin: Origin
}

export function createPlan(
  { noun, values, version }: DeletedRecord,
  stamp: ChangeStamp,
  rowFilter: RowFilter | undefined,
): CreatePlan {
  return {
    kind: 'create',
    operation: { ...readOperations(noun).read, kind: 'create', method: 'POST' },
    ancestors: [],
    values,
    version: version + 1,
    check: undefined,
    ...stamp,
    ...(rowFilter && { rowFilter }),
  }
}

export function referencePlan(noun: AnyNoun, identity: Value, values: Values, stamp: ChangeStamp): ChangePlan {
  return {
    kind: 'change',
    operation: { ...readOperations(noun).read, kind: 'update', method: 'PATCH' },
    ancestors: [],
    key: identity,
    values,
    meetsPreconditions: undefined,
    check: undefined,
    ...stamp,
  }
}

/** Adds a link between two records, which history entries name. */
export function linkPlan(link: AnyLink, record: string, linked: string, stamp: ChangeStamp): LinkPlan {
  const [firstNoun, secondNoun] = link.nouns
  return {
    kind: 'link',
    operation: linkOperation(link),
    ancestors: [identityIn(firstNoun, record)],
    key: identityIn(secondNoun, linked),
    meetsPreconditions: undefined,
    mustBeLinked: false,
    check: undefined,
    ...stamp,
  }
}

const linkOperations = new WeakMap<AnyLink, Operation>()

/** An operation that no api offers. */
function linkOperation(link: AnyLink): Operation {
  const cachedOperation = linkOperations.get(link)
  if (cachedOperation) return cachedOperation
  const [firstNoun, secondNoun] = link.nouns
  const linkedResource = resource(secondNoun, {
    via: link,
    offers: ['link'],
    complete: [secondNoun.identity],
  } as object)
  const parent = resource(firstNoun, {
    children: [linkedResource],
    offers: ['read'],
    complete: [firstNoun.identity],
  } as object)
  const operation = unofferedOperations('restored links', parent).find(({ kind }) => kind === 'link') as Operation
  linkOperations.set(link, operation)
  return operation
}
