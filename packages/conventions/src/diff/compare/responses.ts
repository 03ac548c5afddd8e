/** Compares the responses of an operation, status by status. */

import type { OperationChanges } from '../change-collector.ts'
import type { Code } from '../code.ts'
import { below, childrenOf, type Location, objectAt } from '../location.ts'
import { mediaTypesOf } from '../media-type.ts'
import type { Operation } from '../operation.ts'
import type { Use } from '../pair.ts'
import { compareContent } from './content.ts'
import { headersOf } from './headers.ts'

type Responses = ReadonlyMap<string, Location>

export function compareResponses(old: Operation, next: Operation, changes: OperationChanges): void {
  const { addChange } = changes
  const oldDeclared: Responses = new Map(childrenOf(below(old.location, 'responses')))
  const nextDeclared: Responses = new Map(childrenOf(below(next.location, 'responses')))
  const oldResponses = hasSuccess(nextDeclared) ? withSuccess(oldDeclared) : oldDeclared
  const nextResponses = hasSuccess(oldDeclared) ? withSuccess(nextDeclared) : nextDeclared
  for (const [status, location] of oldResponses) {
    const matches = responsesFor(nextResponses, status)
    for (const match of matches) compareResponse(status, location, match, old.method, changes)
    if (matches.length === 0) addChange(statusCode(status, 'removed'), `The response ${status} was removed.`, location)
  }
  for (const [status, location] of nextResponses)
    if (responsesFor(oldResponses, status).length === 0)
      addChange(statusCode(status, 'added'), `The response ${status} was added.`, location)
}

function statusCode(status: string, change: 'removed' | 'added'): Code {
  const kind = isSuccess(status) ? 'response' : status.startsWith('3') ? 'redirect' : 'error'
  return `${kind}-status-${change}`
}

export function isSuccess(status: string): boolean {
  return status.startsWith('2')
}

function hasSuccess(responses: Responses): boolean {
  return [...responses.keys()].some(isSuccess)
}

/** Without a success status, `default` describes the success too. */
function withSuccess(responses: Responses): Responses {
  const fallback = responses.get('default')
  return hasSuccess(responses) || !fallback ? responses : new Map([...responses, ['2XX', fallback]])
}

/** `2XX` and every status of its class match each other, and `default` matches all other errors. */
function responsesFor(responses: Responses, status: string): readonly Location[] {
  const exactResponse = responses.get(status) ?? responses.get(`${status[0]}XX`) ?? responses.get(`${status[0]}xx`)
  if (exactResponse) return [exactResponse]
  const isClass = /^\dxx$/i.test(status)
  const members = [...responses].filter(([name]) => isClass && name[0] === status[0]).map(([, location]) => location)
  const fallback = isSuccess(status) ? undefined : responses.get('default')
  return members.length > 0 || !fallback ? members : [fallback]
}

function compareResponse(
  status: string,
  old: Location,
  next: Location,
  method: string,
  changes: OperationChanges,
): void {
  const { addChange } = changes
  compareHeaders(status, old, next, method, changes)
  const oldTypes = mediaTypesOf(below(old, 'content'))
  const nextTypes = mediaTypesOf(below(next, 'content'))
  if (oldTypes.size > 0 && nextTypes.size === 0)
    addChange('response-body-removed', `Response ${status} no longer has a body.`, next)
  for (const [type, location] of oldTypes)
    if (!nextTypes.has(type) && nextTypes.size > 0)
      addChange('response-media-type-removed', `Response ${status} is no longer available as ${type}.`, location)
  for (const [type, location] of nextTypes) {
    const oldType = oldTypes.get(type)
    if (!oldType) addChange('response-media-type-added', `Response ${status} is available as ${type}.`, location)
    else compareContent(oldType, location, { kind: 'response', name: `response ${status}`, method }, changes)
  }
}

function compareHeaders(
  status: string,
  old: Location,
  next: Location,
  method: string,
  changes: OperationChanges,
): void {
  const { addChange } = changes
  const [oldHeaders, nextHeaders] = [headersOf(old), headersOf(next)]
  for (const [key, { name, location }] of oldHeaders)
    if (!nextHeaders.has(key))
      addChange('response-header-removed', `The header ${name} of response ${status} was removed.`, location)
  for (const [key, { name, location }] of nextHeaders) {
    const oldHeader = oldHeaders.get(key)
    if (!oldHeader) {
      addChange('response-header-added', `The header ${name} of response ${status} was added.`, location)
      continue
    }
    const [before, after] = [objectAt(oldHeader.location).required === true, objectAt(location).required === true]
    if (before && !after)
      addChange('response-header-made-optional', `The header ${name} of response ${status} became optional.`, location)
    if (!before && after)
      addChange('response-header-made-required', `The header ${name} of response ${status} became required.`, location)
    const use: Use = { kind: 'response', name: `the header ${name} of response ${status}`, method }
    compareContent(oldHeader.location, location, use, changes)
  }
}
