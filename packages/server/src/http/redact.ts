/** Removes credentials from URLs for logs. */

/** Query parameters with credentials. The service does not read them, but some clients send them. */
const credentialName = /[?&](?:(?:access_|id_|refresh_)?token|client_secret|api_key|password)=/i
const credentialValue = new RegExp(`(?<=${credentialName.source})[^&#]*`, 'gi')

/**
 * Replaces the values of credentials in the query of a URL.
 *
 * @example
 * redacted('/user?access_token=eyJ0&pageSize=2') // '/user?access_token=[redacted]&pageSize=2'
 */
export function redacted(url: string): string {
  // Nearly all URLs have none, and a test takes a fifth of the time of a replacement.
  return url.includes('?') && credentialName.test(url) ? url.replace(credentialValue, '[redacted]') : url
}
