/** Rejects cross-site writes of browsers (CSRF): without authentication, a page of another site could send them. */
import { problem } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import { hostOf } from '../../message/request-head.ts'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import type { Check } from './gate.ts'

const safeMethods: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']

/** Allows requests that no page sends, requests of the service's own pages, and those of allowed origins. */
export function crossSiteCheck(isAllowed: (origin: string) => boolean, publicUrl: string | undefined): Check {
  const publicOrigin = publicUrl === undefined ? undefined : URL.parse(publicUrl)?.origin
  return (request) => {
    if (safeMethods.includes(request.method)) return undefined
    const { origin, 'sec-fetch-site': site } = request.headers
    // A page cannot set these headers, and a browser sends at least one of them with a cross-site request.
    if (origin === undefined) return site === 'cross-site' ? rejection('another site') : undefined
    const isSameOrigin = site === 'same-origin' || origin === publicOrigin || isOriginOf(origin, hostOf(request))
    return isSameOrigin || isAllowed(origin) ? undefined : rejection(quoted(origin))
  }
}

/** Whether an origin has the host of the request. The scheme is ignored, because a proxy may have removed TLS. */
function isOriginOf(origin: string, host: string | undefined): boolean {
  const page = URL.parse(origin)
  return page !== null && page.host !== '' && URL.parse(`${page.protocol}//${host}`)?.host === page.host
}

function rejection(page: string): TextResponse {
  const document = problem('cross-site-request', {
    detail: `The request comes from a page of ${page}, which is not allowed to send writes.`,
    hint: 'If the page is yours, allow its origin with CORS_ORIGIN or --cors-origin.',
  })
  return problemResponse(document)
}
