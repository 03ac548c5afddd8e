/** A service: the apis that are served together, and what computes beside their declarations. */
import { type AnyApi, type AnyNoun, DeclarationError, type Operation, operations } from '@nomen/core'
import { schemaOf } from '../store/migrate/schema.ts'
import { modelOf } from '../store/model.ts'
import type { LoadPart } from '../store/store.ts'
import { type CallerNoun, checkCallers } from './caller-noun.ts'
import { type Computation, checkComputations } from './compute.ts'
import { checkFindings, type FilterDefinition } from './filter.ts'
import { checkHandlers, type Handler } from './handle.ts'
import type { Hook } from './hook.ts'
import type { Rule } from './rule.ts'
import type { Visibility } from './visibility.ts'

export interface ServiceOptions {
  /** Lower kebab-case; also the name of its database file: `name: 'directory'`. */
  readonly name: string
  /** What is served together: `apis: [directory, access]`. */
  readonly apis: readonly AnyApi[]
  /** What records must satisfy beyond their kinds: `rules: [rule(user, ['id', 'supervisor'], ({ id, supervisor }) => …)]`. */
  readonly rules?: readonly Rule[]
  /** What custom filters mean: `filters: [filter(task, overdue, (isOverdue) => …)]`. */
  readonly filters?: readonly FilterDefinition[]
  /** How computed fields come about: `computed: [compute(user, 'fullName', ['firstName', 'lastName'], …)]`. */
  readonly computed?: readonly Computation[]
  /** What operations of its own do: `handlers: [handle(ticket, reopening, ({ key, call }) => …)]`. */
  readonly handlers?: readonly Handler[]
  /** Which records a caller may see, all where nothing is said of a noun: `visibility: [visible(user, ({ user }) => …)]`. */
  readonly visibility?: readonly Visibility[]
  /** What is done after a record has changed: `after: [after(user, ({ record }) => …)]`. */
  readonly after?: readonly Hook[]
  /** Whose records the callers are: `callers: callerNoun(user, 'username')`. */
  readonly callers?: CallerNoun
  /**
   * Rows for an empty database: `sample: () => [{ noun: 'user', rows }]`. What a row leaves out is filled in as for a created
   * record; identities are counted on from the row before.
   */
  readonly sample?: () => Iterable<LoadPart>
}

export interface Service extends ServiceOptions {
  /** The operations of all apis. */
  readonly operations: readonly Operation[]
}

/**
 * Puts a service together; the default export of a service file.
 *
 * ```ts
 * export default service({ name: 'directory', apis: [directory, access], rules: [notOneself] })
 * ```
 */
export function service(options: ServiceOptions): Service {
  checkOptions(options)
  const table = options.apis.flatMap((api) => operations(api))
  const taken = new Map<string, Operation>()
  for (const operation of table) {
    const key = `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}')}`
    const other = taken.get(key)
    if (other) {
      throw new DeclarationError(
        `service "${options.name}"`,
        `${operation.method} ${operation.path} stands in the api "${other.api}" and in "${operation.api}".`,
        'give one of the apis a version, or one of the resources another path.',
      )
    }
    taken.set(key, operation)
  }
  // What no database could keep is told where it is declared.
  const model = modelOf(table)
  schemaOf(model)
  checkShown(options.name, 'a rule on', options.rules, table)
  checkShown(options.name, 'a hook on', options.after, table)
  checkFindings(`service "${options.name}"`, options.filters ?? [], table)
  checkComputations(`service "${options.name}"`, options.computed ?? [], table)
  checkHandlers(`service "${options.name}"`, options.handlers ?? [], table, model)
  if (options.visibility) checkVisibility(options, table)
  if (options.callers) {
    const shown = new Set(table.map(({ resource }) => resource.noun))
    checkCallers(`service "${options.name}"`, options.callers, shown)
  }
  return { ...options, operations: table }
}

function checkOptions(options: ServiceOptions): void {
  const subject = `service "${options.name}"`
  const known = [
    ...['name', 'apis', 'rules', 'filters', 'computed', 'handlers', 'visibility', 'after', 'callers', 'sample'],
  ]
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new DeclarationError(
      subject,
      `its declaration names "${unknown}", which it does not have.`,
      `use ${known.join(', ')}.`,
    )
  }
  if (!Array.isArray(options.apis) || options.apis.length === 0) {
    throw new DeclarationError(subject, 'has no apis.', 'give at least one: apis: [directory].')
  }
  // It is also the name of a file.
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(options.name)) {
    throw new DeclarationError(
      subject,
      'a service is named in lower kebab-case.',
      'use letters a to z, digits and single hyphens.',
    )
  }
  const names = options.apis.map(({ name, options: { version } }) =>
    version === undefined ? name : `${name} v${version}`,
  )
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new DeclarationError(subject, `has two apis "${twice}".`, 'give one another name or version.')
}

/** What is attached to a noun that nobody serves would never be asked. */
function checkShown(
  name: string,
  what: string,
  attached: readonly { readonly noun: AnyNoun }[] = [],
  table: readonly Operation[],
): void {
  for (const { noun } of attached) {
    if (table.some(({ resource }) => resource.noun === noun)) continue
    throw new DeclarationError(
      `service "${name}"`,
      `has ${what} "${noun.name}", which none of its apis shows.`,
      'leave it out, or show the noun by the declaration that it is attached to.',
    )
  }
}

/** What is said of another declaration than the one that is served would hide nothing. */
function checkVisibility({ name, visibility = [] }: ServiceOptions, table: readonly Operation[]): void {
  const { nouns } = modelOf(table)
  for (const { noun } of visibility) {
    if (nouns.get(noun.name)?.noun === noun) continue
    throw new DeclarationError(
      `service "${name}"`,
      `says what is visible of "${noun.name}", which none of its apis shows or points at.`,
      'leave it out, or use the declaration that the apis show.',
    )
  }
}
