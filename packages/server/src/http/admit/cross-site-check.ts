/** Refuses unsafe requests that a page of another site has a browser send: such a page needs no token where anyone may call. */
import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import { type Answer, problemAnswer } from '../../message/answer.ts'
import type { Check } from './gate.ts'

const safeMethods: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']

/** Passes requests of no page, of a page of the service itself, and of origins that are allowed. */
export function crossSiteCheck(isAllowed: (origin: string) => boolean, publicUrl: string | undefined): Check {
  const publicOrigin = publicUrl === undefined ? undefined : URL.parse(publicUrl)?.origin
  return ({ method, headers }) => {
    if (safeMethods.includes(method)) return undefined
    const { origin, 'sec-fetch-site': site } = headers
    // A page cannot set either header, and a browser sends at least one of them with what a page sends elsewhere.
    if (origin === undefined) return site === 'cross-site' ? refusal('another site') : undefined
    const isOwn = site === 'same-origin' || origin === publicOrigin || isOriginOf(origin, headers)
    return isOwn || isAllowed(origin) ? undefined : refusal(quoted(origin))
  }
}

/** Whether an origin names the host that the request is for. A proxy may have taken https away: the scheme does not count. */
function isOriginOf(origin: string, { host }: IncomingHttpHeaders): boolean {
  const page = URL.parse(origin)
  return page !== null && page.host !== '' && URL.parse(`${page.protocol}//${host}`)?.host === page.host
}

function refusal(page: string): Answer {
  const document = problem('cross-site-request', {
    detail: `The request comes from a page of ${page}, which may not change anything here.`,
    hint: 'If the page is yours, allow its origin by CORS_ORIGIN or --cors-origin.',
  })
  return problemAnswer(document)
}
