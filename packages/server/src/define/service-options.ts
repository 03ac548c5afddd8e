/** The options of a service. */
import type { AnyApi } from '@nomen/core'
import type { LoadPart } from '../store/store.ts'
import type { Assignment } from './assign.ts'
import type { CallerNoun } from './caller/caller-noun.ts'
import type { TenantOptions } from './caller/tenant.ts'
import type { Computation } from './compute.ts'
import type { FilterDefinition } from './filter.ts'
import type { Handler } from './handle.ts'
import type { Hook } from './hook.ts'
import type { Rule } from './rule.ts'
import type { Visibility } from './visibility.ts'

/** The parts of a service: its apis, and the functions that implement its rules, filters, operations and hooks. */
export interface ServiceOptions {
  /**
   * The name of the service, in kebab-case. Also the name of its database file.
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
