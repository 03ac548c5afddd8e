/** Targets and referrers as logs have them: without the values of credentials. */

/** Query parameters whose values are credentials, by their names. A service does not read them, and clients send them all the same. */
const credential = /([?&](?:(?:access_|id_|refresh_)?token|client_secret|api_key|password)=)[^&#]*/gi

/**
 * Replaces the values of credentials in the query of a URL.
 *
 * @example
 * redacted('/user?access_token=eyJ0&pageSize=2') // '/user?access_token=[redacted]&pageSize=2'
 */
export function redacted(url: string): string {
  return url.includes('?') ? url.replace(credential, '$1[redacted]') : url
}
