/** Checks of a service: its options, its paths, and functions that would never run. */
import { type AnyNoun, change, checkAll, DeclarationError, nearest, type Operation, webhook } from '@nomen/core'
import type { Model } from '../store/model.ts'
import { checkName } from './name-check.ts'
import type { Rule } from './rule.ts'
import type { ServiceOptions } from './service-options.ts'
import type { Visibility } from './visibility.ts'

const optionNames = [
  ...['name', 'apis', 'rules', 'assignments', 'filters', 'computed', 'handlers', 'visibility', 'tenant', 'after'],
  ...['callers', 'sample'],
]

/** The name of the service is also the name of its database file. */
export function checkOptions(subject: string, options: ServiceOptions): void {
  const unknown = Object.keys(options).filter((name) => !optionNames.includes(name))
  checkAll([
    ...unknown.map((name) => () => {
      const suggestion = nearest(name, optionNames)
      throw new DeclarationError(
        subject,
        `unknown option "${name}".`,
        suggestion === undefined ? `use one of ${optionNames.join(', ')}.` : `did you mean "${suggestion}"?`,
      )
    }),
    () => checkName(subject, options.name, 'the name'),
  ])
}

export function checkApis(subject: string, apis: ServiceOptions['apis']): void {
  if (!Array.isArray(apis) || apis.length === 0)
    throw new DeclarationError(subject, 'it has no apis.', 'add at least one: apis: [directory].')
  const names = apis.map(({ name, options: { version } }) => (version === undefined ? name : `${name} v${version}`))
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined)
    throw new DeclarationError(subject, `two APIs are named "${duplicate}".`, 'rename one, or give it another version.')
}

export function checkPaths(subject: string, table: readonly Operation[]): void {
  const operationsByKey = new Map<string, Operation>()
  for (const operation of table) {
    const key = `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}')}`
    const existing = operationsByKey.get(key)
    if (existing) {
      throw new DeclarationError(
        subject,
        `the APIs "${existing.api}" and "${operation.api}" both define ${operation.method} ${operation.path}.`,
        'give one of the APIs a version, or one of the resources another path.',
      )
    }
    operationsByKey.set(key, operation)
  }
}

export function checkRules(
  subject: string,
  rules: readonly Rule[],
  table: readonly Operation[],
  { links }: Model,
): void {
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
    `it has a rule on the link "${unused.link.name}", but no API of the service uses that link.`,
    'remove the rule, or use the same link object in an API: a second declaration is a different link.',
  )
}

/** Rejects functions of a noun that no api exposes, because they would never run. */
export function checkExposed(
  subject: string,
  kind: 'an assignment' | 'a hook' | 'a rule',
  declarations: readonly { readonly noun: AnyNoun }[] = [],
  table: readonly Operation[],
): void {
  for (const { noun } of declarations) {
    if (table.some(({ resource }) => resource.noun === noun)) continue
    throw new DeclarationError(
      subject,
      `it has ${kind} on "${noun.name}", but no API of the service exposes that noun.`,
      'remove it, or use the same noun object in an API: a second declaration with the same name is a different noun.',
    )
  }
}

/** Rejects visibility of a noun that is not served, because it would hide nothing. */
export function checkVisibility(subject: string, visibility: readonly Visibility[], { nouns }: Model): void {
  for (const { noun } of visibility) {
    if (nouns.get(noun.name)?.noun === noun) continue
    throw new DeclarationError(
      subject,
      `it has a visible() for "${noun.name}", but no API of the service exposes or references that noun.`,
      'remove it, or use the noun object that an API exposes.',
    )
  }
}

/** Webhooks send the entries of the history. */
export function checkWebhooks(subject: string, { nouns }: Model): void {
  if (nouns.get(webhook.name)?.noun !== webhook || nouns.get(change.name)?.noun === change) return
  throw new DeclarationError(
    subject,
    'it has webhooks, but no history to send.',
    'add history: true to the nouns whose changes are sent, and resource(change) to the API.',
  )
}
