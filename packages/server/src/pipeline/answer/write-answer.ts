/** The last stage of the request line: an outcome becomes status, headers and body text. */
import { type Operation, type Page, pageInfo, type Value } from '@nomen/core'
import type { Answer } from '../../message/answer.ts'
import type { Outcome } from '../../store/outcome.ts'
import { entityTag, matchesWeakly } from '../entity-tag.ts'
import type { Ask } from '../read/ask.ts'
import { checkRead } from './read-condition.ts'
import { missingRecord, refusalProblem } from './refusal-problem.ts'

const json = 'application/json; charset=utf-8'

/** Specialises the answering of one operation at start; `hash` identifies the shape of its response. Throws the problem of what is missing or refused. */
export function answerWriter(operation: Operation, hash: string): (ask: Ask, outcome: Outcome) => Answer {
  const { status, list } = operation
  const isPaginated = list?.isPaginated === true
  const isRead = operation.method === 'GET'
  const locate = operation.kind === 'create' ? locator(operation) : undefined
  return (ask, outcome) => {
    switch (outcome.kind) {
      case 'list':
        checkRead(operation, ask)
        return { status, mediaType: json, body: isPaginated ? envelope(ask.list?.page as Page, outcome) : outcome.json }
      case 'record': {
        const tag = entityTag(outcome.identity, outcome.version, hash)
        if (isRead) checkRead(operation, ask, tag)
        if (isRead && ask.ifNoneMatch && matchesWeakly(ask.ifNoneMatch, tag))
          return { status: 304, mediaType: json, body: outcome.json, tag }
        if (locate) return created(locate(ask.raw.path, outcome.identity), outcome, tag)
        // What was deleted or unlinked has no present version.
        if (operation.kind === 'delete' || operation.kind === 'unlink')
          return { status, mediaType: json, body: outcome.json }
        return { status, mediaType: json, body: outcome.json, tag }
      }
      case 'missing':
        throw missingRecord(operation, ask.raw.parameters, outcome.level)
      case 'refused':
        throw refusalProblem(operation, ask, outcome.refusal)
    }
  }
}

function created(location: string, { json: body, isReplay }: Outcome & { kind: 'record' }, tag: string): Answer {
  const headers = { location, ...(isReplay && { 'idempotency-replayed': 'true' }) }
  return { status: 201, mediaType: json, body, tag, headers }
}

/** Where a new record is read, as a path with the prefix that the service is mounted at. */
function locator({ path, location = '' }: Operation): (requested: string, identity: Value) => string {
  const template = path.split('/')
  return (requested, identity) => {
    const given = requested.replace(/\/+$/, '').split('/')
    const prefix = given.splice(0, given.length - template.length + 1)
    const named = new Map(template.slice(1).map((segment, index) => [segment, given[index]]))
    const segments = location.split('/').slice(1, -1)
    return [...prefix, ...segments.map((segment) => named.get(segment) ?? segment), identity].join('/')
  }
}

/** The store gives the records as text, so the envelope is text around it. */
function envelope(page: Page, { json: results, numberOfRecords }: Outcome & { kind: 'list' }): string {
  const { pageSize, pageNumber, numberOfPages } = pageInfo(page, numberOfRecords)
  return `{"pageInfo":{"pageSize":${pageSize},"pageNumber":${pageNumber},"numberOfPages":${numberOfPages},"numberOfRecords":${numberOfRecords}},"results":${results}}`
}
