/** Recognizes versions of PostgreSQL that are not supported. */

/** The first supported version. */
export const firstVersion = 14

/**
 * The version in the text of `version()`, if it is too old. CockroachDB and YugabyteDB report older versions than their
 * features suggest, so they are not rejected here, but later if a feature is missing.
 */
export function oldVersionIn(text: string): string | undefined {
  const [, version = '', major = ''] = /^PostgreSQL ((\d+)\S*)/.exec(text) ?? []
  const isOther = version === '' || version.includes('-YB-')
  return isOther || Number(major) >= firstVersion ? undefined : version
}
