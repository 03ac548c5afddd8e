/**
 * The logic of a write: assignments, then rules. If a rule is async, all rules run as the `asyncLogic` of the plan, in the
 * transaction of the write. If an assignment is async, all assignments run there, too. Otherwise the calls are synchronous.
 */
import { type AnyLink, type AnyNoun, readValue, specOf, tenantField, type Value } from '@nomen/core'
import type { Assignment } from '../define/assign.ts'
import type { Caller } from '../define/caller/caller.ts'
import { firstBreach, type Rule, rulesFor, synchronousCheck } from '../define/rule.ts'
import { hasPromise } from '../define/synchronous.ts'
import type { ReadRecords, WriteContext } from '../define/write-context.ts'
import { quoted } from '../foundation/quoted.ts'
import type { Model } from '../store/model.ts'
import type { Assign, AsyncLogic, Check, Values } from '../store/plan.ts'
import { recordReads, rejectReads } from './record-reads.ts'

export interface WriteLogic {
  readonly check: Check | undefined
  readonly assign?: Assign
  readonly asyncLogic?: AsyncLogic
}

/** The logic of a write of some fields. */
export type WriteLogicOf = (writtenValues: object, context: LogicContext) => WriteLogic

/** The time and the caller of a write. */
export interface LogicContext {
  readonly now: string
  readonly caller: Caller
}

export interface ServiceLogic {
  readonly rules: readonly Rule[]
  readonly assignments: readonly Assignment[]
  readonly model: Model
}

/** Creates the logic of one noun at start. */
export function writeLogic(noun: AnyNoun, { rules, assignments, model }: ServiceLogic): WriteLogicOf {
  const nounRules = rules.filter((rule) => 'noun' in rule).filter((rule) => rule.noun === noun)
  const nounAssignments = assignments.filter((assignment) => assignment.noun === noun)
  if (nounRules.length + nounAssignments.length === 0) return () => noLogic
  const field = tenantField(noun)
  const assignedFields = Object.fromEntries(
    nounAssignments.flatMap(({ fields }) => fields.map((field) => [field, true])),
  )
  const mayBeAsync = [...nounRules, ...nounAssignments].some(({ isAsync }) => isAsync)
  const areAssignmentsSync = !nounAssignments.some(({ isAsync }) => isAsync)
  return (writtenValues, { caller, now }) => {
    const applicableRules = rulesFor(nounRules, { ...writtenValues, ...assignedFields })
    const context = { caller, now, read: rejectReads }
    // The store calls it before every other check of the values, because visibility may depend on assigned values.
    const assign: Assign = (next, previous) => assignSync(nounAssignments, next, previous, context)
    const syncAssignment = areAssignmentsSync && nounAssignments.length > 0 ? { assign } : {}
    if (mayBeAsync && [...applicableRules, ...nounAssignments].some(({ isAsync }) => isAsync)) {
      const asyncLogic: AsyncLogic = async (next, previous, run) => {
        const tenant = field === undefined ? undefined : (next[field] ?? undefined)
        const readContext = { caller, now, read: recordReads(model, run, tenant) }
        const values = areAssignmentsSync
          ? Object.fromEntries(Object.entries(next).filter(([name]) => name in assignedFields))
          : await assignAsync(nounAssignments, next, previous, readContext)
        const breach = await firstBreach(applicableRules, { ...next, ...values }, previous, readContext)
        return breach ? { breach } : { values }
      }
      return { check: undefined, asyncLogic, ...syncAssignment }
    }
    return { check: synchronousCheck(applicableRules, context), ...syncAssignment }
  }
}

/** Creates the logic of one link at start: the rules that run before records are linked, or before they are unlinked. */
export function linkLogic(link: AnyLink, on: 'link' | 'unlink', { rules, model }: ServiceLogic): WriteLogicOf {
  const linkRules = rules.filter((rule) => 'link' in rule).filter((rule) => rule.link === link && rule.on === on)
  if (linkRules.length === 0) return () => noLogic
  const hasAsyncRule = linkRules.some(({ isAsync }) => isAsync)
  return (_, { caller, now }) => {
    if (!hasAsyncRule) return { check: synchronousCheck(linkRules, { caller, now, read: rejectReads }) }
    const asyncLogic: AsyncLogic = async (pair, _previous, run) => {
      const read = recordReads(model, run, await tenantOfPair(link, pair, recordReads(model, run)))
      const breach = await firstBreach(linkRules, pair, undefined, { caller, now, read })
      return breach ? { breach } : { values: {} }
    }
    return { check: undefined, asyncLogic }
  }
}

async function tenantOfPair({ nouns }: AnyLink, pair: Values, read: ReadRecords): Promise<Value | undefined> {
  for (const noun of nouns) {
    const field = tenantField(noun)
    if (field === undefined) continue
    const record = (await read(noun).get(pair[noun.name] as never)) as Values | undefined
    return record?.[field]
  }
  return undefined
}

const noLogic: WriteLogic = { check: undefined }

/** Each assignment sees the values of those before it. */
async function assignAsync(
  assignments: readonly Assignment[],
  next: Values,
  previous: Values | undefined,
  context: WriteContext,
): Promise<Values> {
  let values: Values = {}
  for (const assignment of assignments) {
    const record = { ...next, ...values }
    const result = assignment.assign(record, previous, context)
    values = { ...values, ...assignedValues(assignment, assignment.isAsync ? await result : result, record) }
  }
  return values
}

function assignSync(
  assignments: readonly Assignment[],
  next: Values,
  previous: Values | undefined,
  context: WriteContext,
): Values {
  let values: Values = {}
  for (const assignment of assignments) {
    const record = { ...next, ...values }
    values = { ...values, ...assignedValues(assignment, assignment.assign(record, previous, context), record) }
  }
  return values
}

/** Checks the result of an assignment. Throws if it has anything but valid values of the declared fields. */
function assignedValues({ noun, fields }: Assignment, result: unknown = {}, record: Values): Values {
  if (hasPromise(result))
    throw new Error(`An assignment of "${noun.name}" returned a promise. Declare its function with async.`)
  if (typeof result !== 'object' || result === null)
    throw new Error(`An assignment of "${noun.name}" returned ${quoted(result)}. Return fields and their values.`)
  const values: Record<string, Value> = {}
  for (const [field, value] of Object.entries(result)) {
    if (value === undefined) continue
    if (!fields.includes(field))
      throw new Error(`An assignment of "${noun.name}" sets "${field}", but declares only ${fields.join(', ')}.`)
    const readResult = readValue(specOf(noun, field), value)
    if ('fault' in readResult)
      throw new Error(
        `An assignment of "${noun.name}" sets "${field}" to ${quoted(value)}, which is not valid: it ${readResult.fault}.`,
      )
    values[field] = readResult.value
  }
  const emptyField = fields.find((field) => ({ ...record, ...values })[field] == null && !specOf(noun, field).nullable)
  if (emptyField !== undefined)
    throw new Error(
      `An assignment of "${noun.name}" leaves "${emptyField}" without a value, but the field is not nullable.`,
    )
  return values
}
