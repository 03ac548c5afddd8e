/** The contact and the license of an api. */
import { DeclarationError } from './error.ts'
import { checkOptionNames, formatValue } from './known-option.ts'

/** The contact of an API, as `info.contact` of its OpenAPI document. */
export interface Contact {
  readonly name?: string
  readonly url?: string
  readonly email?: string
}

/** The license of an API, as `info.license` of its OpenAPI document. */
export interface License {
  readonly name: string
  /** An SPDX expression, such as `Apache-2.0`. */
  readonly identifier?: string
  /** The text of the license, if there is no identifier. */
  readonly url?: string
}

export function checkContact(subject: string, contact: Contact | undefined): void {
  checkMembers(subject, 'contact', contact, ['name', 'url', 'email'])
}

export function checkLicense(subject: string, license: License | undefined): void {
  checkMembers(subject, 'license', license, ['name', 'identifier', 'url'])
  if (license === undefined) return
  if (license.name === undefined) throw new DeclarationError(subject, 'the license has no name.', 'add its name.')
  if (license.identifier !== undefined && license.url !== undefined)
    throw new DeclarationError(subject, 'the license has an identifier and a url.', 'remove one of them.')
}

/** Checks that every member is known and a string. */
function checkMembers(subject: string, option: string, value: object = {}, names: readonly string[]): void {
  checkOptionNames(`${subject}, ${option}`, value, names)
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && member.trim() !== '') continue
    const mistake = `${name} must be a non-empty string, not ${formatValue(member)}.`
    throw new DeclarationError(`${subject}, ${option}`, mistake, `write a string, or remove ${name}.`)
  }
}
