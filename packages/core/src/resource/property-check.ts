/** Checks of the options of a resource that refer to properties: shapes, lookups, search, labels and filters. */
import { checkAll } from '../declaration/collect.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkNameArray, unknownProperty } from '../declaration/known-option.ts'
import { type FieldSpec, isStored } from '../field/field.ts'
import { checkPropertyName } from '../noun/field-check/field-check.ts'
import { type AnyNoun, declaredSpecs } from '../noun/noun.ts'
import type { CustomFilter, Filter } from './filter.ts'
import { checkFilterKinds, checkFilters } from './filter-check.ts'

/** The parts of a resource that refer to properties. */
export interface PropertyDeclaration {
  readonly noun: AnyNoun
  readonly rename: { readonly [shown: string]: string }
  readonly options: {
    readonly complete?: readonly string[]
    readonly list?: readonly string[]
    readonly summary?: readonly string[]
    readonly detail?: true | readonly string[]
    readonly display?: readonly string[]
    readonly by?: readonly string[]
    readonly search?: readonly string[]
    readonly defaultFilter?: { readonly [name: string]: unknown }
    readonly filters?: { readonly [name: string]: Filter | CustomFilter }
  }
}

const propertyListOptions = ['complete', 'list', 'summary', 'display', 'by', 'search'] as const

/** Checks the options that refer to properties: first that these exist, then how they are used. */
export function checkProperties(subject: string, { noun, rename, options }: PropertyDeclaration): void {
  const fields = shownFields(subject, noun, rename)
  const checkNames = (option: string, names: readonly string[] = []) => {
    checkNameArray(subject, option, names)
    for (const name of names) {
      if (!fields.has(name)) throw unknownProperty(subject, option, name, fields.keys())
    }
    const duplicate = names.find((name, index) => names.indexOf(name) !== index)
    if (duplicate !== undefined)
      throw new DeclarationError(subject, `${option} has "${duplicate}" twice.`, 'remove one of them.')
  }
  checkAll([
    ...propertyListOptions.map((option) => () => checkNames(option, options[option])),
    () => checkNames('detail', options.detail === true ? [] : options.detail),
    () => checkNames('defaultFilter', Object.keys(options.defaultFilter ?? {})),
    () => checkFilterKinds(subject, options.filters ?? {}),
  ])
  checkAll([
    () => checkStored(subject, options, fields),
    () => checkShapes(subject, options, [...fields.keys()], shownIdentity(noun, rename)),
    () => checkLookups(subject, noun, options, fields),
    () => checkSearch(subject, options, fields),
    () => checkDisplay(subject, options, fields),
    () => checkFilters(subject, options.filters ?? {}, fields),
    () => checkDefaultFilterScope(subject, noun, rename, options.defaultFilter),
  ])
}

/** The specs of all fields by property name, in the order of the noun. */
function shownFields(subject: string, noun: AnyNoun, rename: PropertyDeclaration['rename']): Map<string, FieldSpec> {
  const specs = declaredSpecs(noun)
  for (const [propertyName, field] of Object.entries(rename)) {
    const spec = specs.get(field)
    if (!spec) throw unknownProperty(subject, 'rename', field, specs.keys())
    checkPropertyName(subject, noun.name, propertyName, spec)
  }
  const nameByField = new Map<string, string>()
  for (const [propertyName, field] of Object.entries(rename)) {
    const existing = nameByField.get(field)
    if (existing !== undefined) {
      throw new DeclarationError(
        subject,
        `rename maps both "${existing}" and "${propertyName}" to the field "${field}".`,
        'remove one of them.',
      )
    }
    nameByField.set(field, propertyName)
  }
  const fields = new Map<string, FieldSpec>()
  for (const [field, spec] of specs) {
    const propertyName = nameByField.get(field) ?? field
    if (fields.has(propertyName))
      throw new DeclarationError(subject, `two fields have the property name "${propertyName}".`, 'rename one of them.')
    fields.set(propertyName, spec)
  }
  return fields
}

function shownIdentity(noun: AnyNoun, rename: PropertyDeclaration['rename']): string {
  return Object.keys(rename).find((propertyName) => rename[propertyName] === noun.identity) ?? noun.identity
}

function checkShapes(
  subject: string,
  options: PropertyDeclaration['options'],
  allNames: readonly string[],
  identity: string,
): void {
  const complete = options.complete ?? allNames
  const list = options.list ?? complete
  const detail = options.detail === true ? complete : options.detail
  const defaultOf = (name: string) =>
    name === 'list' && !options.list ? ', which are those of complete by default' : ''
  const checkContains = (
    small: string,
    smallNames: readonly string[],
    large: string,
    largeNames: readonly string[],
  ) => {
    const extra = smallNames.find((name) => !largeNames.includes(name))
    if (extra === undefined) return
    throw new DeclarationError(
      subject,
      `${small} has "${extra}", but ${large} does not: ${large} must have all properties of ${small}${defaultOf(small)}.`,
      `add "${extra}" to ${large}, or ${defaultOf(small) ? `declare ${small} without it` : `remove it from ${small}`}.`,
    )
  }
  if (options.summary) checkContains('summary', options.summary, 'list', list)
  if (detail) checkContains('list', list, 'detail', detail)
  checkContains('list', list, 'complete', complete)
  if (detail) checkContains('detail', detail, 'complete', complete)
  for (const [name, shape] of Object.entries({ complete, list, summary: options.summary ?? list })) {
    if (!shape.includes(identity)) {
      throw new DeclarationError(
        subject,
        `"${name}" does not contain the identity "${identity}", which clients need to read the record.`,
        `add "${identity}" to "${name}".`,
      )
    }
  }
}

/** Checks that queries use stored fields only: the database does not have computed fields. */
function checkStored(subject: string, options: PropertyDeclaration['options'], fields: Map<string, FieldSpec>): void {
  const { display, by, search, defaultFilter = {}, filters = {} } = options
  const uses: [string, readonly string[] | undefined][] = Object.entries({ display, by, search })
  uses.push(['defaultFilter', Object.keys(defaultFilter)])
  for (const [name, filter] of Object.entries(filters))
    if (filter.kind !== 'custom') uses.push([`the filter "${name}"`, filter.properties])
  for (const [option, names = []] of uses) {
    const computed = names.find((name) => !isStored(fields.get(name) ?? { kind: 'text' }))
    if (computed === undefined) continue
    throw new DeclarationError(
      subject,
      `${option} uses "${computed}", which is computed and not stored.`,
      'use stored fields, such as the fields that it is computed from.',
    )
  }
}

function checkLookups(
  subject: string,
  noun: AnyNoun,
  options: PropertyDeclaration['options'],
  fields: Map<string, FieldSpec>,
): void {
  const complete = options.complete ?? [...fields.keys()]
  for (const name of options.by ?? []) {
    if (!fields.get(name)?.unique) {
      throw new DeclarationError(
        subject,
        `"by" contains "${name}", which is not unique.`,
        `add unique() to the field in the noun "${noun.name}".`,
      )
    }
    if (!complete.includes(name)) {
      throw new DeclarationError(
        subject,
        `"by" contains "${name}", which the resource does not show.`,
        `add "${name}" to "complete".`,
      )
    }
  }
}

function checkSearch(
  subject: string,
  { search = [] }: PropertyDeclaration['options'],
  fields: Map<string, FieldSpec>,
): void {
  const unsearchable = search.find((name) => !['text', 'email', 'url'].includes(fields.get(name)?.kind ?? ''))
  if (unsearchable === undefined) return
  throw new DeclarationError(
    subject,
    `search has "${unsearchable}", which is not a text, email or url field.`,
    'use fields of the types text, email and url.',
  )
}

function checkDisplay(
  subject: string,
  { display = [] }: PropertyDeclaration['options'],
  fields: Map<string, FieldSpec>,
): void {
  const otherField = display.find((name) => fields.get(name)?.kind !== 'reference')
  if (otherField === undefined) return
  throw new DeclarationError(
    subject,
    `display has "${otherField}", which is not a reference.`,
    'use only references: display shows the label of the referenced record.',
  )
}

/** Checks that no default filter uses a field with a scope: the result would reveal its value. */
function checkDefaultFilterScope(
  subject: string,
  noun: AnyNoun,
  rename: PropertyDeclaration['rename'],
  defaults: PropertyDeclaration['options']['defaultFilter'] = {},
): void {
  for (const name of Object.keys(defaults)) {
    if (noun.fields[rename[name] ?? name]?.spec.scope === undefined) continue
    throw new DeclarationError(
      subject,
      `"${name}" has visibleTo(), so it cannot be used in defaultFilter.`,
      'remove it from defaultFilter.',
    )
  }
}
