/** The declaration of a service: its apis, and the functions that implement its own logic. */
import { change, checkAll, internalOperations, type Operation, operations, webhook } from '@nomen/core'
import { schemaOf } from '../store/migrate/schema/model-schema.ts'
import { type Model, modelOf } from '../store/model.ts'
import { checkAssignments } from './assign.ts'
import { checkCallers } from './caller/caller-noun.ts'
import { checkTenant } from './caller/tenant.ts'
import { checkComputations } from './compute.ts'
import { checkFilters } from './filter.ts'
import { checkHandlers } from './handle.ts'
import { checkDurableHooks } from './hook.ts'
import {
  checkApis,
  checkExposed,
  checkOptions,
  checkPaths,
  checkRules,
  checkVisibility,
  checkWebhooks,
} from './service-check.ts'
import type { ServiceOptions } from './service-options.ts'

/** A declared service: pass it to `open`, or export it as the default of a service file. */
export interface Service extends ServiceOptions {
  /** The operations of all apis that callers are offered. */
  readonly operations: readonly Operation[]
  /** The operations that only handlers may call. */
  readonly internalOperations: readonly Operation[]
  /** The nouns and links that a store must have for the apis. */
  readonly model: Model
}

/**
 * Declares a service: its apis, and the functions that implement its own logic. The result is the default export of a
 * service file.
 *
 * @example
 * ```ts
 * export default service({ name: 'directory', apis: [directory], callers: callerNoun(user, 'email') })
 * ```
 *
 * @throws DeclarationError with all mistakes that it finds: an unknown option, two operations on one path, a custom
 * operation without a handler, and others.
 */
export function service(options: ServiceOptions): Service {
  const subject = `service "${options.name}"`
  let publicOperations: readonly Operation[] = []
  let internal: readonly Operation[] = []
  checkAll([
    () => checkOptions(subject, options),
    () => checkApis(subject, options.apis),
    () => {
      publicOperations = options.apis.flatMap((api) => operations(api))
      internal = options.apis.flatMap((api) => internalOperations(api))
    },
  ])
  const table = [...publicOperations, ...internal]
  checkPaths(subject, table)
  // Throws if no database could store the nouns.
  const model = modelOf(table)
  schemaOf(model)
  // Nomen implements the operations of webhooks.
  const ownTable = table.filter(({ resource }) => resource.noun !== webhook)
  const {
    rules = [],
    assignments = [],
    after,
    filters = [],
    computed = [],
    handlers = [],
    visibility = [],
    tenant,
    callers,
  } = options
  checkAll([
    () => checkTenant(subject, tenant, model),
    () => checkRules(subject, rules, table, model),
    () => checkExposed(subject, 'an assignment', assignments, table),
    () => checkAssignments(subject, assignments, publicOperations),
    () => checkExposed(subject, 'a hook', after, table),
    () => checkDurableHooks(subject, after ?? [], model.nouns.get(change.name)?.noun === change),
    () => checkFilters(subject, filters, table),
    () => checkComputations(subject, computed, ownTable),
    () => checkHandlers(subject, handlers, ownTable, model),
    () => checkWebhooks(subject, model),
    () => checkVisibility(subject, visibility, model),
    () => callers && checkCallers(subject, callers, new Set(table.map(({ resource }) => resource.noun))),
  ])
  return { ...options, operations: publicOperations, internalOperations: internal, model }
}
