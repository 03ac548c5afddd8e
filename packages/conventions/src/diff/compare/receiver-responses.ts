/** Compares the responses of receivers to a request that the service sends. The service reads them, so they are judged like requests. */
import type { OperationChanges } from '../change-collector.ts'
import { below, childrenOf, type Location, objectAt } from '../location.ts'
import { mediaTypeFor, mediaTypesOf } from '../media-type.ts'
import type { Use } from '../pair.ts'
import { capitalize } from '../report/remark.ts'
import { compareContent } from './content.ts'

type Responses = ReadonlyMap<string, Location>

/** `name` is the name of the request in messages: `the webhook user.created`. */
export function compareReceiverResponses(old: Location, next: Location, name: string, changes: OperationChanges): void {
  const { addChange } = changes
  const was: Responses = new Map(childrenOf(below(old, 'responses')))
  const is: Responses = new Map(childrenOf(below(next, 'responses')))
  for (const [status, location] of was) {
    const response = `the response ${status} to ${name}`
    const counterpart = responseFor(is, status)
    if (counterpart) compareResponse(location, counterpart, response, changes)
    else addChange('webhook-response-removed', `${capitalize(name)} no longer lists the response ${status}.`, location)
  }
  for (const [status, location] of is)
    if (!responseFor(was, status))
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
  const was = mediaTypesOf(below(old, 'content'))
  const is = mediaTypesOf(below(next, 'content'))
  if (was.size === 0 && is.size > 0)
    addChange('webhook-response-body-added', `The service reads a body of ${name}.`, next)
  if (was.size > 0 && is.size === 0)
    addChange('webhook-response-body-removed', `The service no longer reads a body of ${name}.`, next)
  if (was.size === 0 || is.size === 0) return
  for (const [type, location] of was) {
    const counterpart = mediaTypeFor(is, type)
    if (counterpart) compareContent(location, counterpart, useOf(name), changes)
    else addChange('webhook-response-media-type-removed', `The body of ${name} may no longer be ${type}.`, location)
  }
  for (const [type, location] of is)
    if (!mediaTypeFor(was, type))
      addChange('webhook-response-media-type-added', `The body of ${name} may be ${type}.`, location)
}

/** Header names are case-insensitive. */
function compareHeaders(old: Location, next: Location, response: string, changes: OperationChanges): void {
  const { addChange } = changes
  const [was, is] = [headersOf(old), headersOf(next)]
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [oldHeader, header] = [was.get(key), is.get(key)]
    const name = `the header ${(header ?? oldHeader)?.[0]} of ${response}`
    const [before, after] = [oldHeader, header].map((named) => objectAt(named?.[1]).required === true)
    const locations = [header?.[1], oldHeader?.[1]] as const
    if (after && !before) addChange('webhook-response-header-required', `The service requires ${name}.`, ...locations)
    else if (before !== after || !oldHeader || !header)
      addChange('webhook-response-header-optional', `The service does not require ${name}.`, ...locations)
    if (oldHeader && header) compareContent(oldHeader[1], header[1], useOf(name), changes)
  }
}

function headersOf(response: Location): ReadonlyMap<string, readonly [string, Location]> {
  return new Map(childrenOf(below(response, 'headers')).map((header) => [header[0].toLowerCase(), header]))
}

function useOf(name: string): Use {
  return { kind: 'request', name, method: '' }
}
