/** Requests without a usable response, as problems. */
import { text } from '../language/language.ts'
import type { Problem } from '../model/service/problem.ts'

export function urlOutsideBase(url: string, base: string): Problem {
  const { notSent: title, notSentDetail, notSentHint } = text().problem
  return problemWithoutResponse(title, notSentDetail(url, base), notSentHint)
}

/** The browser cannot send the request, because a header or the token has characters that are not allowed there. */
export function notSendable(url: string, error: unknown): Problem {
  const { notSent: title, notSendableDetail, notSendableHint } = text().problem
  return problemWithoutResponse(title, notSendableDetail(url, reasonOf(error)), notSendableHint)
}

export function unreachable(base: string, error: unknown): Problem {
  const { unreachable: title, unreachableDetail, unreachableHint } = text().problem
  return problemWithoutResponse(title, unreachableDetail(base, reasonOf(error)), unreachableHint)
}

function reasonOf(error: unknown): string {
  return `${error instanceof Error ? error.message : error}`
}

export function redirected(url: string): Problem {
  const { redirect, redirectDetail, redirectHint } = text().problem
  return problemWithoutResponse(redirect, redirectDetail(url), redirectHint)
}

/** The service does not read a single record, and its list does not have the record. */
export function notListed(name: string, hasList: boolean): Problem {
  const { notListed: title, notListedDetail, notRead } = text().problem
  return { ...problemWithoutResponse(title, (hasList ? notListedDetail : notRead)(name)), status: 404 }
}

function problemWithoutResponse(title: string, detail: string, hint?: string): Problem {
  return { status: 0, title, detail, code: undefined, hint, errors: [], requestId: undefined, retryAfter: undefined }
}
