/** Shrinks a request that reproduces a fault. */
import { isObject } from '@nomen/core/openapi'
import type { WireRequest } from './wire-request.ts'

/** Maximum number of requests. */
const maxRequests = 120

/** `reproduces` sends a smaller request, and returns whether it shows the fault. */
export async function shrink(
  request: WireRequest,
  reproduces: (smaller: WireRequest) => Promise<boolean>,
): Promise<WireRequest> {
  let best = request
  let remaining = maxRequests
  for (let isBetter = true; isBetter && remaining > 0; ) {
    isBetter = false
    for (const smaller of smallerThan(best)) {
      if (remaining-- <= 0) break
      if (!(await reproduces(smaller))) continue
      best = smaller
      isBetter = true
      break
    }
  }
  return best
}

function* smallerThan(request: WireRequest): Generator<WireRequest> {
  const { query, headers, body, bytes, mode } = request
  // Invalid HTTP is not shortened: a part is different input, and the service may wait for the rest.
  if (bytes) return
  if (mode === 'slow' || mode === 'twice') yield { ...request, mode: 'plain' }
  if (headers.length > 20)
    yield { ...request, headers: [...headers.slice(0, 2), ...headers.slice(2 + headers.length / 2)] }
  for (const index of headers.keys())
    if (headers[index]?.[0] !== 'host') yield { ...request, headers: headers.toSpliced(index, 1) }
  if (query.length > 8) yield { ...request, query: query.slice(0, query.length / 2) }
  for (const index of query.keys()) yield { ...request, query: query.toSpliced(index, 1) }
  if (body) for (const smaller of smallerBodies(body)) yield { ...request, body: smaller }
  for (const [index, part] of query.entries())
    if (part.length > 24) yield { ...request, query: query.with(index, part.slice(0, part.length / 2)) }
  for (const [index, [name, value]] of headers.entries())
    if (value.length > 24 && name !== 'authorization')
      yield { ...request, headers: headers.with(index, [name, value.slice(0, value.length / 2)]) }
  if (request.path.length > 200) yield { ...request, path: request.path.slice(0, request.path.length / 2) }
}

function* smallerBodies(body: Buffer): Generator<Buffer | undefined> {
  yield undefined
  const value = objectIn(body)
  if (value) {
    for (const name of Object.keys(value)) {
      const { [name]: _, ...others } = value
      yield Buffer.from(JSON.stringify(others))
    }
    return
  }
  if (body.length > 1) yield body.subarray(0, body.length / 2)
}

/** Undefined if the JSON does not survive parsing and serialization. */
function objectIn(body: Buffer) {
  const text = body.toString()
  try {
    const value = JSON.parse(text)
    return isObject(value) && JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
