/** Compares a response with the expected response of the model. */

import { statusOf } from './refusal.ts'
import type { Reply, Request } from './request.ts'
import type { ExpectedProblem, ExpectedResponse, Model } from './turn.ts'

/** The differences as sentences; empty if there are none. */
export function differences(
  model: Model,
  request: Request,
  reply: Reply,
  expected: ExpectedResponse | ExpectedProblem,
): string[] {
  const differences =
    'codes' in expected
      ? problemDifferences(request, reply, expected)
      : responseDifferences(model, request, reply, expected)
  if (!reply.headers['x-request-id']) differences.push('X-Request-Id is missing')
  if (expected.allow) differences.push(...allowDifferences(reply, expected.allow))
  return differences
}

function problemDifferences(
  { method }: Request,
  { status, headers, json, text }: Reply,
  { codes, names }: ExpectedProblem,
): string[] {
  if (method === 'HEAD')
    return codes.some((code) => statusOf(code) === status) && text === '' ? [] : [`status ${status}`]
  const problem = (json ?? {}) as Record<string, unknown>
  const code = codes.find((code) => code === problem.code)
  if (!code || statusOf(code) !== status) return [`status ${status}, code ${problem.code}`]
  const differences: string[] = []
  if (!String(headers['content-type']).startsWith('application/problem+json'))
    differences.push(`type ${headers['content-type']}`)
  if (problem.status !== status) differences.push(`status in the body: ${problem.status}`)
  for (const member of ['type', 'title', 'detail'])
    if (typeof problem[member] !== 'string') differences.push(`no ${member}`)
  for (const { pointer, parameter } of (problem.errors ?? []) as Record<string, string | undefined>[]) {
    const name = pointer?.slice(1).replaceAll('~1', '/').replaceAll('~0', '~') ?? parameter
    if (name && !names.includes(name)) differences.push(`${name} is reported but has no fault`)
  }
  return differences
}

function responseDifferences({ tags }: Model, { method }: Request, reply: Reply, expected: ExpectedResponse): string[] {
  const { status, body, record, location, isReplayed, valueFaults } = expected
  const { headers } = reply
  if (reply.status !== status) return [`status ${reply.status}`]
  const differences = [...valueFaults]
  const hasNoBody = method === 'HEAD' || body === undefined
  if (hasNoBody && reply.text !== '') differences.push(`a body: ${reply.text}`)
  if (!hasNoBody) differences.push(...jsonDifferences(body, reply.json, ''))
  if (!hasNoBody && !String(headers['content-type']).startsWith('application/json'))
    differences.push(`type ${headers['content-type']}`)
  if (expected.tag !== undefined && headers.etag !== expected.tag) differences.push(`ETag ${headers.etag}`)
  const wrongTag = record && !isReplayed && tags.storeTag(record.view, record.id, record.version, headers.etag)
  if (wrongTag) differences.push(wrongTag)
  if (!record && headers.etag !== undefined)
    differences.push(`ETag ${headers.etag} on a response without a single record`)
  if (location !== headers.location) differences.push(`Location ${headers.location}`)
  if ((isReplayed && 'true') !== headers['idempotency-replayed']) {
    differences.push(`Idempotency-Replayed ${headers['idempotency-replayed']}`)
  }
  return differences
}

/** Ignores HEAD and OPTIONS, which every path supports. */
function allowDifferences({ headers }: Reply, allow: readonly string[]): string[] {
  const methods = String(headers.allow)
    .split(/, */)
    .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
  return methods.sort().join() === [...allow].sort().join() ? [] : [`Allow ${headers.allow}`]
}

/** The differences of two JSON values, with their paths. */
function jsonDifferences(expected: unknown, actual: unknown, path: string): string[] {
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    return Object.is(expected, actual) ? [] : [`${path || 'body'} is ${jsonText(actual)}, not ${jsonText(expected)}`]
  }
  if (Array.isArray(expected) !== Array.isArray(actual)) return [`${path || 'body'} is ${jsonText(actual)}`]
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...names].flatMap((name) =>
    jsonDifferences(
      (expected as Record<string, unknown>)[name],
      (actual as Record<string, unknown>)[name],
      `${path}/${name}`,
    ),
  )
}

function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'missing'
}
