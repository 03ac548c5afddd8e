/** Deprecation: what is still served and should no longer be called, since when, until when, and what to call instead. */

import { readDate } from '../field/moment.ts'
import { DeclarationError } from './error.ts'
import { checkKnown } from './known-option.ts'

export interface Deprecation {
  /** The day from which on it should not be called any more: `since: '2026-03-01'`. */
  readonly since: string
  /** The day on which it will go: `sunset: '2026-12-31'`. */
  readonly sunset?: string
  /** The path of what takes its place: `successor: '/v2/user'`. */
  readonly successor?: string
  /** It is served no more, `gone: true`: 410, with the successor. */
  readonly gone?: true
}

/** Dates that are none, or in the wrong order, stop the start. */
export function checkDeprecation(subject: string, given: Deprecation): void {
  checkKnown(`${subject}, deprecated`, given, ['since', 'sunset', 'successor', 'gone'])
  const { since, sunset, successor } = given
  for (const [name, date] of Object.entries({ since, sunset })) {
    if ((date === undefined && name === 'sunset') || (typeof date === 'string' && readDate(date) !== undefined))
      continue
    throw new DeclarationError(
      subject,
      `is deprecated with ${name}: ${JSON.stringify(date)}.`,
      'give a day: 2026-03-01.',
    )
  }
  if (sunset !== undefined && sunset < since)
    throw new DeclarationError(
      subject,
      `goes on ${sunset}, before it is deprecated on ${since}.`,
      'give a later sunset.',
    )
  if (successor !== undefined && !/^(\/|https?:\/\/)[\x21-\x3b\x3d\x3f-\x7e]*$/.test(successor))
    throw new DeclarationError(
      subject,
      `has the successor ${JSON.stringify(successor)}.`,
      'give a path, such as /v2/user, or an address.',
    )
}

/**
 * The headers that tell callers: RFC 9745, RFC 8594, and the successor as a link.
 *
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
