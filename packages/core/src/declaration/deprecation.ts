/** The deprecation of endpoints: its date, the date of removal, and the replacement. */

import { readDate } from '../field/read-date.ts'
import { DeclarationError } from './error.ts'
import { checkOptionNames } from './known-option.ts'

/** The deprecation of an api, a resource or an operation. The service sends it as `Deprecation`, `Sunset` and `Link` headers. */
export interface Deprecation {
  /** The date from which clients should no longer call the endpoint: `since: '2026-03-01'`. */
  readonly since: string
  /** The date on which the endpoint will be removed: `sunset: '2026-12-31'`. */
  readonly sunset?: string
  /** The path or URL of the replacement: `successor: '/v2/user'`. */
  readonly successor?: string
  /**
   * Removes the endpoint: `gone: true`. Requests get 410 with the successor.
   *
   * @default false
   */
  readonly gone?: true
}

/** Checks that the dates are valid and in order, and that the successor is a path or a URL. */
export function checkDeprecation(subject: string, deprecation: Deprecation): void {
  checkOptionNames(`${subject}, deprecated`, deprecation, ['since', 'sunset', 'successor', 'gone'])
  const { since, sunset, successor } = deprecation
  for (const [name, date] of Object.entries({ since, sunset })) {
    if ((date === undefined && name === 'sunset') || (typeof date === 'string' && readDate(date) !== undefined))
      continue
    throw new DeclarationError(
      subject,
      `deprecated.${name} must be a date, not ${JSON.stringify(date)}.`,
      'write a date such as 2026-03-01.',
    )
  }
  if (sunset !== undefined && sunset < since)
    throw new DeclarationError(
      subject,
      `the sunset ${sunset} is before the deprecation date ${since}.`,
      'use a later sunset.',
    )
  if (successor !== undefined && !/^(\/|https?:\/\/)[\x21-\x3b\x3d\x3f-\x7e]*$/.test(successor))
    throw new DeclarationError(
      subject,
      `the successor must be a path or a URL, not ${JSON.stringify(successor)}.`,
      'write a path such as /v2/user, or an http or https URL.',
    )
}

/**
 * Returns the HTTP headers of a deprecation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` to the successor.
 *
 * @example
 * ```ts
 * deprecationHeaders({ since: '2026-03-01', successor: '/v2/user' }) // { deprecation: '@1772323200', link: … }
 * ```
 */
export function deprecationHeaders({ since, sunset, successor }: Deprecation): { readonly [name: string]: string } {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
    ...(successor !== undefined && { link: `<${successor}>; rel="successor-version"` }),
  }
}
