/** The operations of nouns with history: changes of all records, reads of the past, restore and erase. */
import type { FieldSpec } from '../field/field.ts'
import { timestamp } from '../field/kinds.ts'
import { hasHistory } from '../noun/change.ts'
import { completeShape } from '../resource/shape.ts'
import { listParameters, recordedParameters } from './list.ts'
import { type Context, makeOperation, parameterAt } from './make-operation.ts'
import type { Level, ListParts, Operation } from './operation.ts'
import { historyProblems } from './problem.ts'

/** Lists the changes of all records of a root resource: `GET /user/change`. */
export function changesOfAll({ api, resource: changes, ancestorLevels }: Context, list: Operation): Operation {
  const { resource, parameter } = ancestorLevels[0] as Level
  const parameters = recordedParameters({ resource, changes }, api.options.pageSize)
  const names = new Set(parameters.map(({ name }) => name))
  const recordsOnly = listParameters(resource).flatMap(({ name }) => (names.has(name) ? [] : [name]))
  return {
    ...list,
    id: `${list.id}-all`,
    path: list.path.replace(`/{${parameter}}`, ''),
    levels: [{ ...(list.levels.at(-1) as Level), relations: [] }],
    list: { ...(list.list as ListParts), parameters, recordsOnly },
    changesOf: resource,
    problems: list.problems.filter((code) => code !== 'record-not-found'),
  }
}

/** Brings a deleted record back: `POST /user/{userId}/restoration`. */
export function restoration(context: Context): Operation {
  const { resource, ancestorLevels } = context
  const recordPath = `/{${parameterAt(resource, ancestorLevels, true)}}`
  const location = makeOperation(context, 'read', 'read', 'GET', recordPath, completeShape(resource)).path
  return { ...belowRecord(context, 'restore', 'restoration'), location }
}

/** A POST at a path below a record. */
export function belowRecord(context: Context, kind: 'restore' | 'erase', segment: string): Operation {
  const { resource, ancestorLevels } = context
  const parameter = parameterAt(resource, ancestorLevels, false)
  const operation = makeOperation(context, kind, kind, 'POST', `/{${parameter}}/${segment}`, completeShape(resource))
  return { ...operation, levels: [...ancestorLevels, { ...(operation.levels.at(-1) as Level), parameter }] }
}

const atSpec: FieldSpec = timestamp().spec

/** A record with history can also be read as it was at a time. */
export function withTimeParameter(operation: Operation): Operation {
  if (!hasHistory(operation.resource.noun) || operation.deprecation?.gone) return operation
  return { ...operation, at: atSpec, problems: [...operation.problems, ...historyProblems] }
}
