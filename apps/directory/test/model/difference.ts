/** Compares an answer with what the model expects. */

import { statusOf } from './refusal.ts'
import type { Reply, Request } from './request.ts'
import type { Answered, Model, Refused } from './turn.ts'

/** What differs, as sentences; nothing where the two agree. */
export function differences(model: Model, request: Request, reply: Reply, expected: Answered | Refused): string[] {
  const found = 'codes' in expected ? inProblem(request, reply, expected) : inAnswer(model, request, reply, expected)
  if (!reply.headers['x-request-id']) found.push('X-Request-Id is missing')
  if (expected.allow) found.push(...inAllow(reply, expected.allow))
  return found
}

function inProblem({ method }: Request, { status, headers, json, text }: Reply, { codes, names }: Refused): string[] {
  if (method === 'HEAD')
    return codes.some((code) => statusOf(code) === status) && text === '' ? [] : [`status ${status}`]
  const problem = (json ?? {}) as Record<string, unknown>
  const code = codes.find((one) => one === problem.code)
  if (!code || statusOf(code) !== status) return [`status ${status}, code ${problem.code}`]
  const found: string[] = []
  if (!String(headers['content-type']).startsWith('application/problem+json'))
    found.push(`type ${headers['content-type']}`)
  if (problem.status !== status) found.push(`status in the body: ${problem.status}`)
  for (const part of ['type', 'title', 'detail']) if (typeof problem[part] !== 'string') found.push(`no ${part}`)
  for (const { pointer, parameter } of (problem.errors ?? []) as Record<string, string | undefined>[]) {
    const name = pointer?.slice(1).replaceAll('~1', '/').replaceAll('~0', '~') ?? parameter
    if (name && !names.includes(name)) found.push(`${name} is blamed and is not at fault`)
  }
  return found
}

function inAnswer({ tags }: Model, { method }: Request, reply: Reply, expected: Answered): string[] {
  const { status, body, record, location, isReplayed, complaints } = expected
  const { headers } = reply
  if (reply.status !== status) return [`status ${reply.status}`]
  const found = [...complaints]
  const isBare = method === 'HEAD' || body === undefined
  if (isBare && reply.text !== '') found.push(`a body: ${reply.text}`)
  if (!isBare) found.push(...unlike(body, reply.json, ''))
  if (!isBare && !String(headers['content-type']).startsWith('application/json'))
    found.push(`type ${headers['content-type']}`)
  if (expected.tag !== undefined && headers.etag !== expected.tag) found.push(`ETag ${headers.etag}`)
  const wrongTag = record && !isReplayed && tags.learn(record.face, record.id, record.version, headers.etag)
  if (wrongTag) found.push(wrongTag)
  if (!record && headers.etag !== undefined) found.push(`ETag ${headers.etag} on what is no single record`)
  if (location !== headers.location) found.push(`Location ${headers.location}`)
  if ((isReplayed && 'true') !== headers['idempotency-replayed']) {
    found.push(`Idempotency-Replayed ${headers['idempotency-replayed']}`)
  }
  return found
}

/** GET brings HEAD, and every path takes OPTIONS, whether the header says so or not. */
function inAllow({ headers }: Reply, allow: readonly string[]): string[] {
  const given = String(headers.allow)
    .split(/, */)
    .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
  return given.sort().join() === [...allow].sort().join() ? [] : [`Allow ${headers.allow}`]
}

/** Where two JSON values differ. */
function unlike(expected: unknown, actual: unknown, path: string): string[] {
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    return Object.is(expected, actual) ? [] : [`${path || 'body'} is ${show(actual)}, not ${show(expected)}`]
  }
  if (Array.isArray(expected) !== Array.isArray(actual)) return [`${path || 'body'} is ${show(actual)}`]
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...names].flatMap((name) =>
    unlike((expected as Record<string, unknown>)[name], (actual as Record<string, unknown>)[name], `${path}/${name}`),
  )
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'missing'
}
