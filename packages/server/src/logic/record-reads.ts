/** Reads of other records in the transaction of a write, for rules and assignments. */
import {
  type AnyNoun,
  type AnyResource,
  type Operation,
  type OperationKind,
  operations,
  type Page,
  resource,
  tenantField,
  type Value,
} from '@nomen/core'
import type { ListOptions, ReadRecords, RecordReads } from '../define/write-context.ts'
import type { MaybePromise } from '../foundation/maybe-promise.ts'
import type { Model } from '../store/model.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Condition, ListPlan, Order, ReadPlan } from '../store/plan.ts'
import { storedShape } from '../store/sql/record-query.ts'
import { ConditionReader } from './condition-reader.ts'

/** The maximum number of records in a list. */
const maxRecords = 1000

type RunRead = (plan: ListPlan | ReadPlan) => MaybePromise<Outcome>

/** Creates the reads. `run` executes their plans. With `tenant`, nouns with tenants are limited to its records. */
export function recordReads(model: Model, run: RunRead, tenant?: Value): ReadRecords {
  return <N extends AnyNoun>(noun: N): RecordReads<N> => {
    if (model.nouns.get(noun.name)?.noun !== noun)
      throw new Error(`"${noun.name}" cannot be read: no API of the service shows or references it.`)
    const reader = new ConditionReader({
      model,
      subject: `A read of "${noun.name}"`,
      visible: () => [],
      relatedMustBeVisible: false,
    })
    const tenantConditions = tenantConditionsOf(noun, tenant)
    const rowFilter = tenantConditions.length > 0 ? { [noun.name]: tenantConditions } : undefined
    const conditionsOf = (where: unknown = true) => [...reader.read(noun, where), ...tenantConditions]
    return {
      count: async (where) => (await readPage(run, noun, conditionsOf(where), [], 1)).numberOfRecords,
      list: async (where, { sort, limit }: ListOptions<N> = {}) => {
        checkLimit(limit)
        const [conditions, order] = [conditionsOf(where), orderOf(noun, sort)]
        const { json, numberOfRecords } = await readPage(run, noun, conditions, order, limit ?? maxRecords)
        if (limit === undefined && numberOfRecords > maxRecords)
          throw new Error(
            `${numberOfRecords} records of "${noun.name}" match, more than the maximum of ${maxRecords}. Use count(), or set a limit.`,
          )
        return JSON.parse(json)
      },
      get: async (identity) => {
        const { read: operation } = readOperations(noun)
        const key = identity as Value
        const outcome = await run({ kind: 'read', operation, ancestors: [], key, ...(rowFilter && { rowFilter }) })
        return outcome.kind === 'record' ? JSON.parse(outcome.json) : undefined
      },
    }
  }
}

function tenantConditionsOf(noun: AnyNoun, tenant: Value | undefined): readonly Condition[] {
  const field = tenantField(noun)
  return field === undefined || tenant === undefined ? [] : [{ kind: 'equal', fields: [field], values: [tenant] }]
}

async function readPage(
  run: RunRead,
  noun: AnyNoun,
  conditions: readonly Condition[],
  order: readonly Order[],
  pageSize: number,
) {
  const { list: operation } = readOperations(noun)
  const page: Page = { pageNumber: 1, pageSize }
  const outcome = await run({ kind: 'list', operation, ancestors: [], conditions, include: [], order, page })
  if (outcome.kind !== 'list') throw new Error(`A list of "${noun.name}" returned the outcome "${outcome.kind}".`)
  return outcome
}

function checkLimit(limit: number | undefined): void {
  if (limit === undefined || (Number.isInteger(limit) && limit > 0 && limit <= maxRecords)) return
  throw new Error(`The limit of a read must be an integer from 1 to ${maxRecords}, not ${limit}.`)
}

function orderOf(noun: AnyNoun, sort: string | undefined): readonly Order[] {
  if (sort === undefined) return []
  const field = sort.replace(/^-/, '')
  if (!Object.hasOwn(noun.fields, field))
    throw new Error(`"${noun.name}" has no field "${field}" to sort by. Use ${Object.keys(noun.fields).join(', ')}.`)
  return [{ field, isDescending: sort.startsWith('-') }]
}

interface ReadOperations {
  readonly list: Operation
  readonly read: Operation
}

const operationsByNoun = new WeakMap<AnyNoun, ReadOperations>()

/** A list and a read of all stored fields, which no api offers. */
export function readOperations(noun: AnyNoun): ReadOperations {
  const nounOperations = operationsByNoun.get(noun) ?? makeOperations(noun)
  operationsByNoun.set(noun, nounOperations)
  return nounOperations
}

function makeOperations(noun: AnyNoun): ReadOperations {
  const shape = storedShape(noun)
  const options = { offers: ['list', 'read'], complete: [noun.identity], list: [noun.identity] } as object
  const table = unofferedOperations('records of the service', resource(noun, options))
  const operationOf = (operationKind: OperationKind) => ({
    ...(table.find(({ kind }) => kind === operationKind) as Operation),
    shape,
  })
  return { list: operationOf('list'), read: operationOf('read') }
}

/** Operations that no api offers. `apiName` distinguishes them from others; no api of a service can have a name with spaces. */
export function unofferedOperations(apiName: string, resource: AnyResource): readonly Operation[] {
  return operations({
    name: apiName,
    options: { versioning: 'per-noun', writes: 'nested', resources: [resource] },
  })
}

/** The reads of a function that is not async. */
export const rejectReads: ReadRecords = () => {
  throw new Error('A function that reads records must be async. Declare it with async.')
}
