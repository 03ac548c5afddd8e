/** The operation table: every operation of an api, with its path, parameters, shapes and problems. */
import type { AnyApi } from '../api/api.ts'
import { DeclarationError } from '../declaration/error.ts'
import type { Offers } from '../resource/offer.ts'
import { relationsOf } from '../resource/relation.ts'
import type { AnyResource } from '../resource/resource.ts'
import { childrenOf } from '../resource/shape.ts'
import { parameterAt } from './make-operation.ts'
import type { Level, Operation } from './operation.ts'
import { resourceOperations } from './resource-operation.ts'

/**
 * Derives the operation table (route table) of an api: the public operations, one for each method and path.
 *
 * @example
 * ```ts
 * operations(directory).map(({ method, path }) => `${method} ${path}`) // ['GET /user', 'GET /user/{id}', …]
 * ```
 *
 * @throws DeclarationError if two operations have the same method and path
 */
export function operations(api: AnyApi): readonly Operation[] {
  return tableOf(api, 'public')
}

/**
 * Derives the operation table of the operations that only handlers of the service may call (option `internal` of a resource).
 *
 * @example
 * ```ts
 * internalOperations(directory).map(({ method, path }) => `${method} ${path}`) // ['POST /loan']
 * ```
 *
 * @throws DeclarationError if two operations have the same method and path
 */
export function internalOperations(api: AnyApi): readonly Operation[] {
  return tableOf(api, 'internal')
}

function tableOf(api: AnyApi, access: keyof Offers): readonly Operation[] {
  const table: Operation[] = []
  const idsByKey = new Map<string, string>()
  const addOperations = (resource: AnyResource, ancestorLevels: readonly Level[]) => {
    const relations = relationsOf(
      resource,
      ancestorLevels.map((level) => level.resource),
    )
    for (const operation of resourceOperations({ api, resource, ancestorLevels, relations, access })) {
      const key = `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}')}`
      const existing = idsByKey.get(key)
      if (existing !== undefined) {
        throw new DeclarationError(
          `api "${api.name}"`,
          `${operation.method} ${operation.path} is declared twice, as ${existing} and ${operation.id}.`,
          'remove one of them, or change its path.',
        )
      }
      idsByKey.set(key, operation.id)
      table.push(operation)
    }
    const level = { resource, parameter: parameterAt(resource, ancestorLevels, false), relations }
    for (const child of childrenOf(resource)) addOperations(child, [...ancestorLevels, level])
  }
  for (const resource of api.options.resources) addOperations(resource, [])
  return table
}
