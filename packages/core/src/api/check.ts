/** The checks of an api. */
import { checkAll } from '../declaration/collect.ts'
import { checkContact, checkLicense } from '../declaration/contact.ts'
import { checkDeprecation } from '../declaration/deprecation.ts'
import { checkDescription } from '../declaration/description.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkIgnored } from '../declaration/ignored-rule.ts'
import { checkOneOf, checkOptionNames } from '../declaration/known-option.ts'
import { isKebabCase } from '../naming/kebab-case.ts'
import { suggestedKebabCase } from '../naming/suggested-name.ts'
import { checkPageSize, checkResourceArray } from '../resource/check.ts'
import type { ApiOptions } from './api-option.ts'
import { checkResources, checkVersion } from './resource-check.ts'

const optionNames = [
  ...['description', 'contact', 'license', 'version', 'versioning', 'writes', 'pageSize', 'deprecated', 'ignore'],
  'resources',
]

export function checkApi(name: string, options: ApiOptions): void {
  const subject = `api "${name}"`
  checkAll([
    () => checkName(subject, name),
    () => checkVersion(subject, options.version),
    () => checkOptionNames(subject, options, optionNames),
    () => checkDescription(subject, options.description),
    () => checkContact(subject, options.contact),
    () => checkLicense(subject, options.license),
    () => checkOneOf(subject, 'versioning', options.versioning, ['whole', 'per-noun']),
    () => checkOneOf(subject, 'writes', options.writes, ['nested', 'flat']),
    () => checkPageSize(subject, options.pageSize, 1000),
    () => checkVersioning(subject, options),
    () => options.deprecated && checkDeprecation(subject, options.deprecated),
    () => checkIgnored(subject, options.ignore),
    () => checkResourceArray(subject, 'resources', options.resources),
    () => checkResources(name, options),
  ])
}

function checkName(subject: string, name: string): void {
  if (isKebabCase(name)) return
  const newName = suggestedKebabCase(name)
  throw new DeclarationError(
    subject,
    'the name of an API must be in lower kebab-case.',
    newName ? `rename it to "${newName}".` : 'use letters a to z, digits and single hyphens, such as "time-sheet".',
  )
}

function checkVersioning(subject: string, { versioning, version }: ApiOptions): void {
  if (versioning === 'whole' && version === undefined)
    throw new DeclarationError(subject, "versioning is 'whole', but there is no version.", 'add version: 1.')
}
