/** What a resource must satisfy by itself; every breach stops the start with the rule and its fix. */

import { checkDeprecation, type Deprecation } from '../declaration/deprecation.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkIgnored, type IgnoredRule } from '../declaration/ignored-rule.ts'
import { checkKnown, refuseUnknown } from '../declaration/known-option.ts'
import { type FieldSpec, isStored } from '../field/field.ts'
import { isCamelCase, isKebabCase } from '../naming/kebab-case.ts'
import { singularOf } from '../naming/plural.ts'
import { checkPropertyName } from '../noun/check.ts'
import { type AnyNoun, declaredSpecs } from '../noun/noun.ts'
import type { CustomFilter, Filter } from './filter.ts'
import { checkFilters } from './filter-check.ts'
import type { NamedOperations } from './operation.ts'
import { checkOperations } from './operation-check.ts'

/** The parts of a resource that can be judged without knowing the api around it. */
interface Declared {
  readonly noun: AnyNoun
  readonly rename: { readonly [shown: string]: string }
  readonly options: {
    readonly path?: string
    readonly parameter?: string
    readonly complete?: readonly string[]
    readonly list?: readonly string[]
    readonly summary?: readonly string[]
    readonly detail?: true | readonly string[]
    readonly display?: readonly string[]
    readonly by?: readonly string[]
    readonly search?: readonly string[]
    readonly defaultFilter?: { readonly [name: string]: unknown }
    readonly filters?: { readonly [name: string]: Filter | CustomFilter }
    readonly pageSize?: { readonly default?: number; readonly maximum?: number }
    readonly offers?: readonly string[]
    readonly ignore?: readonly IgnoredRule[]
    readonly operations?: NamedOperations
    readonly children?: readonly Below[]
    readonly deprecated?: Deprecation | { readonly [kind: string]: Deprecation | undefined }
  }
}

interface Below {
  readonly noun: AnyNoun
  readonly options: { readonly path?: string }
}

export function checkResource({ noun, rename, options }: Declared): void {
  const subject = `resource "${options.path ?? noun.name}"`
  checkPath(subject, options.path, noun)
  const fields = shownFields(subject, noun, rename)
  const known = (place: string, names: readonly string[] = []) => {
    for (const name of names) {
      if (!fields.has(name)) refuseUnknown(subject, place, name, fields.keys())
    }
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw new DeclarationError(subject, `${place} names "${twice}" twice.`, 'leave one out.')
  }
  for (const place of ['complete', 'list', 'summary', 'display', 'by', 'search'] as const) known(place, options[place])
  if (options.detail !== true) known('detail', options.detail)
  known('defaultFilter', Object.keys(options.defaultFilter ?? {}))
  checkStored(subject, options, fields)
  checkShapes(subject, options, [...fields.keys()], shownIdentity(noun, rename))
  checkUse(subject, noun, options, fields)
  checkFilters(subject, options.filters ?? {}, fields)
  checkPageSize(subject, options.pageSize)
  checkKnown(subject, options, optionNames)
  checkParameter(subject, options.parameter)
  checkDeprecated(subject, options.deprecated)
  checkIgnored(subject, options.ignore)
  checkOperations(subject, options.operations, { noun, children: (options.children ?? []).flatMap(segmentsOf) })
}

/** The segments of a child, with those of its list variants. */
function segmentsOf({ noun, options }: Below): readonly string[] {
  const segment = options.path ?? noun.name
  return [segment, `${segment}-summary`, `${segment}-detail`]
}

function checkPath(subject: string, path: string | undefined, noun: AnyNoun): void {
  if (path === undefined) return
  if (!isKebabCase(path)) {
    throw new DeclarationError(
      subject,
      `the path segment "${path}" is not lower kebab-case (spec 2.6 rule 2).`,
      'use letters a to z, digits and single hyphens.',
    )
  }
  const singular = singularOf(path)
  if (singular && !noun.options.isSingular) {
    throw new DeclarationError(
      subject,
      `the path segment "${path}" looks like a plural (spec 2.6 rule 1).`,
      `use "${singular}".`,
    )
  }
}

/** Shown name to the plain data of the field it stands for, in the noun's order. */
function shownFields(subject: string, noun: AnyNoun, rename: Declared['rename']): Map<string, FieldSpec> {
  const specs = declaredSpecs(noun)
  for (const [shown, stored] of Object.entries(rename)) {
    const spec = specs.get(stored)
    if (!spec) refuseUnknown(subject, 'rename', stored, specs.keys())
    checkPropertyName(subject, noun.name, shown, spec)
  }
  const shownAs = new Map<string, string>()
  for (const [shown, stored] of Object.entries(rename)) {
    const other = shownAs.get(stored)
    if (other !== undefined) {
      throw new DeclarationError(
        subject,
        `shows "${stored}" as both "${other}" and "${shown}".`,
        'leave one of the names out.',
      )
    }
    shownAs.set(stored, shown)
  }
  const fields = new Map<string, FieldSpec>()
  for (const [stored, spec] of specs) {
    const shown = shownAs.get(stored) ?? stored
    if (fields.has(shown))
      throw new DeclarationError(subject, `shows two fields as "${shown}".`, 'rename one of them to something else.')
    fields.set(shown, spec)
  }
  return fields
}

function shownIdentity(noun: AnyNoun, rename: Declared['rename']): string {
  return Object.keys(rename).find((shown) => rename[shown] === noun.identity) ?? noun.identity
}

function checkShapes(subject: string, options: Declared['options'], all: readonly string[], identity: string): void {
  const complete = options.complete ?? all
  const list = options.list ?? complete
  const detail = options.detail === true ? complete : options.detail
  const within = (small: string, smaller: readonly string[], large: string, larger: readonly string[]) => {
    const extra = smaller.find((name) => !larger.includes(name))
    if (extra === undefined) return
    throw new DeclarationError(
      subject,
      `${small} shows "${extra}", which ${large} does not: shapes must nest.`,
      `add it to ${large}, or leave it out of ${small}.`,
    )
  }
  if (options.summary) within('summary', options.summary, 'list', list)
  if (detail) within('list', list, 'detail', detail)
  within('list', list, 'complete', complete)
  if (detail) within('detail', detail, 'complete', complete)
  for (const [name, shape] of Object.entries({ complete, list, summary: options.summary ?? list })) {
    if (!shape.includes(identity)) {
      throw new DeclarationError(
        subject,
        `${name} leaves out the identity "${identity}".`,
        `add "${identity}" to ${name}: a client needs it to read the record.`,
      )
    }
  }
}

/** Databases know nothing of what is computed. */
function checkStored(subject: string, options: Declared['options'], fields: Map<string, FieldSpec>): void {
  const { display, by, search, defaultFilter = {}, filters = {} } = options
  const uses: [string, readonly string[] | undefined][] = Object.entries({ display, by, search })
  uses.push(['defaultFilter', Object.keys(defaultFilter)])
  for (const [name, filter] of Object.entries(filters))
    if (filter.kind !== 'custom') uses.push([`the filter "${name}"`, filter.properties])
  for (const [place, names = []] of uses) {
    const computed = names.find((name) => !isStored(fields.get(name) ?? { kind: 'text' }))
    if (computed === undefined) continue
    throw new DeclarationError(
      subject,
      `${place} names "${computed}", which is computed: it is shown, and nothing else.`,
      'name stored fields, such as those that it is computed of.',
    )
  }
}

function checkUse(subject: string, noun: AnyNoun, options: Declared['options'], fields: Map<string, FieldSpec>): void {
  const complete = options.complete ?? [...fields.keys()]
  for (const name of options.by ?? []) {
    if (!fields.get(name)?.unique) {
      throw new DeclarationError(
        subject,
        `by-lookup on "${name}", which is not unique.`,
        `declare the field of "${noun.name}" with unique().`,
      )
    }
    if (!complete.includes(name)) {
      throw new DeclarationError(
        subject,
        `by-lookup on "${name}", which the resource does not show.`,
        `add "${name}" to complete.`,
      )
    }
  }
  for (const name of options.search ?? []) {
    if (!['text', 'email', 'url'].includes(fields.get(name)?.kind ?? '')) {
      throw new DeclarationError(
        subject,
        `search looks in "${name}", which holds no text.`,
        'search only in text, email and url.',
      )
    }
  }
  for (const name of options.display ?? []) {
    if (fields.get(name)?.kind !== 'reference') {
      throw new DeclarationError(
        subject,
        `display names "${name}", which is no reference.`,
        'only a reference has a label to show.',
      )
    }
  }
}

/** Checks page sizes by themselves; what is left out is taken from the api, or is 10 and 1,000. */
export function checkPageSize(subject: string, pageSize: Declared['options']['pageSize']): void {
  const { default: size = 1, maximum = Number.MAX_SAFE_INTEGER } = pageSize ?? {}
  if (Number.isSafeInteger(size) && Number.isSafeInteger(maximum) && size >= 1 && size <= maximum) return
  throw new DeclarationError(
    subject,
    `a default page size of ${pageSize?.default ?? Math.min(10, maximum)} with a maximum of ${pageSize?.maximum ?? 1000}.`,
    'use integers from 1, the default not above the maximum.',
  )
}

const optionNames = [
  ...[
    'path',
    'parameter',
    'version',
    'complete',
    'list',
    'summary',
    'detail',
    'display',
    'by',
    'defaultFilter',
    'filters',
  ],
  ...['search', 'paginated', 'pageSize', 'offers', 'operations', 'ifMatch', 'deprecated', 'ignore', 'via'],
  ...['children', 'rename'],
]

/** Of the resource, or of single operations. */
function checkDeprecated(subject: string, given: Declared['options']['deprecated']): void {
  if (given === undefined) return
  if (Object.keys(given).length === 0)
    throw new DeclarationError(subject, 'is deprecated since never.', 'say since when.')
  if ('since' in given) checkDeprecation(subject, given as Deprecation)
  else {
    checkKnown(`${subject}, deprecated`, given, ['list', 'read', 'create', 'replace', 'update', 'delete', 'link'])
    for (const [kind, one] of Object.entries(given)) if (one) checkDeprecation(`${subject}, ${kind}`, one)
  }
}

function checkParameter(subject: string, parameter: string | undefined): void {
  if (parameter === undefined || isCamelCase(parameter)) return
  throw new DeclarationError(subject, `the parameter "${parameter}" is no name.`, 'use camelCase, such as "userRef".')
}
