/** Compares the responses of receivers to a request that the service sends. The service reads them, so they are judged like requests. */
import type { OperationChanges } from '../change-collector.ts'
import { below, childrenOf, type Location, objectAt } from '../location.ts'
import { mediaTypeFor, mediaTypesOf } from '../media-type.ts'
import type { Use } from '../pair.ts'
import { capitalize } from '../report/remark.ts'
import { compareContent } from './content.ts'
import { headersOf } from './headers.ts'

type Responses = ReadonlyMap<string, Location>

/** `name` is the name of the request in messages: `the webhook user.created`. */
export function compareReceiverResponses(old: Location, next: Location, name: string, changes: OperationChanges): void {
  const { addChange } = changes
  const oldResponses: Responses = new Map(childrenOf(below(old, 'responses')))
  const nextResponses: Responses = new Map(childrenOf(below(next, 'responses')))
  for (const [status, location] of oldResponses) {
    const response = `the response ${status} to ${name}`
    const counterpart = responseFor(nextResponses, status)
    if (counterpart) compareResponse(location, counterpart, response, changes)
    else addChange('webhook-response-removed', `${capitalize(name)} no longer lists the response ${status}.`, location)
  }
  for (const [status, location] of nextResponses)
    if (!responseFor(oldResponses, status))
      addChange('webhook-response-added', `${capitalize(name)} also lists the response ${status}.`, location)
}

/** The response that includes a status: the status itself, its class, or `default`. */
function responseFor(responses: Responses, status: string): Location | undefined {
  const statusClass = status[0] ?? ''
  return (
    responses.get(status) ??
    responses.get(`${statusClass}XX`) ??
    responses.get(`${statusClass}xx`) ??
    responses.get('default')
  )
}

function compareResponse(old: Location, next: Location, name: string, changes: OperationChanges): void {
  const { addChange } = changes
  compareHeaders(old, next, name, changes)
  const oldTypes = mediaTypesOf(below(old, 'content'))
  const nextTypes = mediaTypesOf(below(next, 'content'))
  if (oldTypes.size === 0 && nextTypes.size > 0)
    addChange('webhook-response-body-added', `The service now reads the body of ${name}.`, next)
  if (oldTypes.size > 0 && nextTypes.size === 0)
    addChange('webhook-response-body-removed', `The service no longer reads the body of ${name}.`, next)
  if (oldTypes.size === 0 || nextTypes.size === 0) return
  for (const [type, location] of oldTypes) {
    const counterpart = mediaTypeFor(nextTypes, type)
    if (counterpart) compareContent(location, counterpart, useOf(name), changes)
    else addChange('webhook-response-media-type-removed', `The body of ${name} may no longer be ${type}.`, location)
  }
  for (const [type, location] of nextTypes)
    if (!mediaTypeFor(oldTypes, type))
      addChange('webhook-response-media-type-added', `The body of ${name} may be ${type}.`, location)
}

function compareHeaders(old: Location, next: Location, response: string, changes: OperationChanges): void {
  const { addChange } = changes
  const [oldHeaders, nextHeaders] = [headersOf(old), headersOf(next)]
  for (const key of new Set([...oldHeaders.keys(), ...nextHeaders.keys()])) {
    const [oldHeader, header] = [oldHeaders.get(key), nextHeaders.get(key)]
    const name = `the header ${(header ?? oldHeader)?.name} of ${response}`
    const [before, after] = [oldHeader, header].map((declared) => objectAt(declared?.location).required === true)
    const locations = [header?.location, oldHeader?.location] as const
    if (after && !before) addChange('webhook-response-header-required', `The service requires ${name}.`, ...locations)
    else if (before !== after || !oldHeader || !header)
      addChange('webhook-response-header-optional', `The service does not require ${name}.`, ...locations)
    if (oldHeader && header) compareContent(oldHeader.location, header.location, useOf(name), changes)
  }
}

function useOf(name: string): Use {
  return { kind: 'request', name, method: '' }
}
