/** The operations of nouns with history: changes of all records, reads of the past, restore and erase. */
import type { FieldSpec } from '../field/field.ts'
import { timestamp } from '../field/kinds.ts'
import { hasHistory } from '../noun/change.ts'
import { listParameters, recordedParameters } from './list.ts'
import { makeOperation, type OperationContext, parameterAt, pathOf, recordPath } from './make-operation.ts'
import type { Level, ListParts, Operation } from './operation.ts'
import { historyProblems } from './problem.ts'

/** Lists the changes of all records of a root resource: `GET /user/change`. */
export function changesOfAll({ api, resource: changes, ancestorLevels }: OperationContext, list: Operation): Operation {
  const { resource, parameter } = ancestorLevels[0] as Level
  const parameters = recordedParameters({ resource, changes }, api.options.pageSize)
  const names = new Set(parameters.map(({ name }) => name))
  const unsupportedParameters = listParameters(resource).flatMap(({ name }) => (names.has(name) ? [] : [name]))
  return {
    ...list,
    id: `${list.id}-all`,
    path: list.path.replace(`/{${parameter}}`, ''),
    levels: [{ ...(list.levels.at(-1) as Level), relations: [] }],
    list: { ...(list.list as ListParts), parameters, unsupportedParameters },
    changesOf: resource,
    problems: list.problems.filter((code) => code !== 'record-not-found'),
  }
}

/** Brings a deleted record back: `POST /user/{userId}/restoration`. */
export function restoration(context: OperationContext): Operation {
  const location = pathOf(context, 'read', recordPath(context))
  return { ...postBelowRecord(context, 'restore', 'restoration'), location }
}

/** Deletes the history of a record: `POST /user/{userId}/erasure`. */
export function erasure(context: OperationContext): Operation {
  return { ...postBelowRecord(context, 'erase', 'erasure'), status: 204 }
}

function postBelowRecord(context: OperationContext, kind: 'restore' | 'erase', segment: string): Operation {
  const parameter = parameterAt(context.resource, context.ancestorLevels, false)
  return makeOperation(context, kind, 'POST', `/{${parameter}}/${segment}`)
}

const atSpec: FieldSpec = timestamp().spec

/** A record with history can also be read as it was at a time. */
export function withTimeParameter(operation: Operation): Operation {
  if (!hasHistory(operation.resource.noun) || operation.deprecation?.gone) return operation
  return { ...operation, at: atSpec, problems: [...operation.problems, ...historyProblems] }
}
