/** The stage `respond` of the pipeline: turns an outcome into status, headers and body. */
import { type Operation, type Page, pageInfo, type Value } from '@nomen/core'
import type { TextResponse } from '../../message/text-response.ts'
import type { Outcome } from '../../store/outcome.ts'
import { entityTag, matchesWeakly } from '../entity-tag.ts'
import type { ParsedRequest } from '../read/parsed-request.ts'
import { checkIfMatch } from './check-if-match.ts'
import { missingRecord, rejectionProblem } from './rejection-problem.ts'

const json = 'application/json; charset=utf-8'

/**
 * Creates the response writer of one operation at start; `shapeHash` identifies the shape of its response. The writer throws a
 * problem if the record is missing or the write was rejected.
 */
export function responseWriter(
  operation: Operation,
  shapeHash: string,
): (request: ParsedRequest, outcome: Outcome) => TextResponse {
  const { status, list } = operation
  const isPaginated = list?.isPaginated === true
  const isRead = operation.method === 'GET'
  const locate = operation.location === undefined ? undefined : locator(operation)
  return (request, outcome) => {
    switch (outcome.kind) {
      case 'list':
        checkIfMatch(operation, request)
        return {
          status,
          mediaType: json,
          body: isPaginated ? envelope(request.list?.page as Page, outcome) : outcome.json,
          ...(outcome.next !== undefined && { headers: { link: nextLink(request.raw.query, outcome.next) } }),
        }
      case 'record': {
        // The past state of a record is not what a change would be compared with.
        if (request.at !== undefined) {
          checkIfMatch(operation, request)
          return { status, mediaType: json, body: outcome.json }
        }
        const tag = entityTag(outcome.identity, outcome.version, shapeHash, outcome.variant)
        if (isRead) checkIfMatch(operation, request, tag)
        if (isRead && request.ifNoneMatch && matchesWeakly(request.ifNoneMatch, tag))
          return { status: 304, mediaType: json, body: outcome.json, etag: tag }
        if (locate) return createdResponse(locate(request.raw.path, outcome.identity), outcome, tag)
        // A deleted or unlinked record has no current ETag.
        if (operation.kind === 'delete' || operation.kind === 'unlink')
          return { status, mediaType: json, body: outcome.json }
        return { status, mediaType: json, body: outcome.json, etag: tag }
      }
      case 'erased':
        return { status, mediaType: json, body: '' }
      case 'missing':
        throw missingRecord(operation, request.raw.parameters, outcome.level)
      case 'rejected':
        throw rejectionProblem(operation, request, outcome.rejection)
    }
  }
}

/** The Link header with the URL at which a client continues to follow changes. */
function nextLink(query: string, next: number): string {
  const parameters = new URLSearchParams(query)
  parameters.set('afterId', `${next}`)
  return `<?${parameters}>; rel="next"`
}

function createdResponse(
  location: string,
  { json: body, isReplay }: Outcome & { kind: 'record' },
  tag: string,
): TextResponse {
  const headers = { location, ...(isReplay && { 'idempotency-replayed': 'true' }) }
  return { status: 201, mediaType: json, body, etag: tag, headers }
}

/** Builds the path of a new record, with the prefix that the service is mounted at. */
function locator({ path, location = '' }: Operation): (requestPath: string, identity: Value) => string {
  const template = path.split('/')
  return (requestPath, identity) => {
    const requestedSegments = requestPath.replace(/\/+$/, '').split('/')
    const prefix = requestedSegments.splice(0, requestedSegments.length - template.length + 1)
    const values = new Map(template.slice(1).map((segment, index) => [segment, requestedSegments[index]]))
    const segments = location.split('/').slice(1, -1)
    return [...prefix, ...segments.map((segment) => values.get(segment) ?? segment), identity].join('/')
  }
}

/** The store returns the records as JSON strings, so the envelope is written around them. */
function envelope(page: Page, { json: results, numberOfRecords }: Outcome & { kind: 'list' }): string {
  const { pageSize, pageNumber, numberOfPages } = pageInfo(page, numberOfRecords)
  return `{"pageInfo":{"pageSize":${pageSize},"pageNumber":${pageNumber},"numberOfPages":${numberOfPages},"numberOfRecords":${numberOfRecords}},"results":${results}}`
}
