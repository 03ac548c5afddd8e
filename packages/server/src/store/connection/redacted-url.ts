/** Database URLs for messages. */
import { isPostgresUrl, readPostgresUrl } from './postgres-url.ts'

/** The URL without its password. */
export function redactedUrl(url: string): string {
  return isPostgresUrl(url) ? readPostgresUrl(url).redactedUrl : url
}
