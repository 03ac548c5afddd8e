/** The declaration of a service: its apis, and the functions that implement its own logic. */
import {
  type AnyApi,
  type AnyNoun,
  change,
  checkAll,
  DeclarationError,
  internalOperations,
  nearest,
  type Operation,
  operations,
  webhook,
} from '@nomen/core'
import { schemaOf } from '../store/migrate/schema/model-schema.ts'
import { type Model, modelOf } from '../store/model.ts'
import type { LoadPart } from '../store/store.ts'
import { type Assignment, checkAssignments } from './assign.ts'
import { type CallerNoun, checkCallers } from './caller-noun.ts'
import { type Computation, checkComputations } from './compute.ts'
import { checkFilters, type FilterDefinition } from './filter.ts'
import { checkHandlers, type Handler } from './handle.ts'
import { checkDurableHooks, type Hook } from './hook.ts'
import type { Rule } from './rule.ts'
import { checkTenant, type TenantOptions } from './tenant.ts'
import type { Visibility } from './visibility.ts'

/** The parts of a service: its apis, and the functions that implement its rules, filters, operations and hooks. */
export interface ServiceOptions {
  /**
   * The name of the service, in lower kebab-case. Also the name of its database file.
   *
   * @example
   * name: 'directory'
   */
  readonly name: string
  /**
   * The apis that the service serves.
   *
   * @example
   * apis: [directory, access]
   */
  readonly apis: readonly AnyApi[]
  /**
   * Validation rules, checked before every write.
   *
   * @example
   * rules: [rule(user, ['id', 'supervisor'], ({ id, supervisor }) => …)]
   *
   * @default no rules
   */
  readonly rules?: readonly Rule[]
  /**
   * Functions that set managed fields when a record is written.
   *
   * @example
   * assignments: [assign(loan, ['returnedAt'], ({ status }, previous, { now }) => …)]
   *
   * @default no assignments
   */
  readonly assignments?: readonly Assignment[]
  /**
   * Implementations of the custom filters that resources declare. Every declared filter needs one.
   *
   * @example
   * filters: [filter(task, overdue, (isOverdue) => …)]
   *
   * @default no filters
   */
  readonly filters?: readonly FilterDefinition[]
  /**
   * Functions that compute the values of computed fields. Every computed field needs one.
   *
   * @example
   * computed: [compute(user, 'fullName', ['firstName', 'lastName'], …)]
   *
   * @default no computed fields
   */
  readonly computed?: readonly Computation[]
  /**
   * Implementations of custom operations. Every declared custom operation needs one.
   *
   * @example
   * handlers: [handle(ticket, reopening, ({ key, call }) => …)]
   *
   * @default no handlers
   */
  readonly handlers?: readonly Handler[]
  /**
   * Row-level security: limits the records that a caller can see, for each noun that it names.
   *
   * @example
   * visibility: [visible(user, ({ claims }) => ({ department: claims.department }))]
   *
   * @default callers see all records
   */
  readonly visibility?: readonly Visibility[]
  /**
   * Multi-tenancy: callers see only records of the tenant that a claim of their token names.
   *
   * @example
   * tenant: { claim: 'tenant' }
   *
   * @default one tenant
   */
  readonly tenant?: TenantOptions
  /**
   * After-commit hooks: functions that run after a record was created, changed or deleted.
   *
   * @example
   * after: [after(user, ({ kind, record }) => …)]
   *
   * @default no hooks
   */
  readonly after?: readonly Hook[]
  /**
   * The noun whose records represent the callers. It is needed for `createdBy()` and `updatedBy()` fields.
   *
   * @example
   * callers: callerNoun(user, 'username')
   *
   * @default callers are not records
   */
  readonly callers?: CallerNoun
  /**
   * Returns sample rows, which are loaded if the database is empty. Missing fields get the same defaults as a created record.
   * A row without an identity gets the identity after that of the previous row.
   *
   * @example
   * sample: () => [{ noun: 'user', rows: [{ username: 'ada', email: 'ada@example.com' }] }]
   *
   * @default no sample rows
   */
  readonly sample?: () => Iterable<LoadPart>
}

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
    () => checkNames(subject, options),
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

const optionNames = [
  ...['name', 'apis', 'rules', 'assignments', 'filters', 'computed', 'handlers', 'visibility', 'tenant', 'after'],
  ...['callers', 'sample'],
]

function checkNames(subject: string, options: ServiceOptions): void {
  const isNamed = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(options.name)
  const unknown = Object.keys(options).filter((name) => !optionNames.includes(name))
  checkAll([
    ...unknown.map((name) => () => {
      const near = nearest(name, optionNames)
      throw new DeclarationError(
        subject,
        `unknown option "${name}".`,
        near === undefined ? `use one of ${optionNames.join(', ')}.` : `did you mean "${near}"?`,
      )
    }),
    () => {
      if (isNamed) return
      // The name is also the name of the database file.
      throw new DeclarationError(
        subject,
        'the name must be in lower kebab-case.',
        'use letters a to z, digits and single hyphens.',
      )
    },
  ])
}

function checkApis(subject: string, apis: ServiceOptions['apis']): void {
  if (!Array.isArray(apis) || apis.length === 0)
    throw new DeclarationError(subject, 'it has no apis.', 'add at least one: apis: [directory].')
  const names = apis.map(({ name, options: { version } }) => (version === undefined ? name : `${name} v${version}`))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new DeclarationError(subject, `two apis are named "${twice}".`, 'rename one, or give it another version.')
}

function checkPaths(subject: string, table: readonly Operation[]): void {
  const operationsByKey = new Map<string, Operation>()
  for (const operation of table) {
    const key = `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}')}`
    const existing = operationsByKey.get(key)
    if (existing) {
      throw new DeclarationError(
        subject,
        `the apis "${existing.api}" and "${operation.api}" both define ${operation.method} ${operation.path}.`,
        'give one of the apis a version, or one of the resources another path.',
      )
    }
    operationsByKey.set(key, operation)
  }
}

function checkRules(subject: string, rules: readonly Rule[], table: readonly Operation[], { links }: Model): void {
  checkExposed(
    subject,
    'a rule',
    rules.filter((rule) => 'noun' in rule),
    table,
  )
  const unused = rules.filter((rule) => 'link' in rule).find(({ link }) => !links.includes(link))
  if (!unused) return
  throw new DeclarationError(
    subject,
    `it has a rule on the link "${unused.link.name}", but no api of the service uses that link.`,
    'remove the rule, or use the same link object in an api: a second declaration is a different link.',
  )
}

/** Rejects functions of a noun that no api exposes, because they would never run. */
function checkExposed(
  subject: string,
  part: 'an assignment' | 'a hook' | 'a rule',
  attached: readonly { readonly noun: AnyNoun }[] = [],
  table: readonly Operation[],
): void {
  for (const { noun } of attached) {
    if (table.some(({ resource }) => resource.noun === noun)) continue
    throw new DeclarationError(
      subject,
      `it has ${part} on "${noun.name}", but no api of the service exposes that noun.`,
      'remove it, or use the same noun object in an api: a second declaration with the same name is a different noun.',
    )
  }
}

/** Rejects visibility of a noun that is not served, because it would hide nothing. */
function checkVisibility(subject: string, visibility: readonly Visibility[], { nouns }: Model): void {
  for (const { noun } of visibility) {
    if (nouns.get(noun.name)?.noun === noun) continue
    throw new DeclarationError(
      subject,
      `it has a visible() for "${noun.name}", but no api of the service exposes or references that noun.`,
      'remove it, or use the noun object that an api exposes.',
    )
  }
}

/** Webhooks send the entries of the history. */
function checkWebhooks(subject: string, { nouns }: Model): void {
  if (nouns.get(webhook.name)?.noun !== webhook || nouns.get(change.name)?.noun === change) return
  throw new DeclarationError(
    subject,
    'it has webhooks, but records no history.',
    'add history: true to the nouns whose changes are sent, and resource(change) to the api.',
  )
}
