/** Compares requests that the service sends, of webhooks and callbacks. Receivers read the request, so it is judged like a response. */
import type { OperationChanges } from '../change-collector.ts'
import { below, childrenOf, followReference, type Location, objectAt } from '../location.ts'
import { mediaTypesOf } from '../media-type.ts'
import { type SentRequest, sentRequestsAt } from '../operation.ts'
import { capitalize } from '../report/remark.ts'
import { compareAnnouncement } from './announcement.ts'
import { compareContent } from './content.ts'
import { parametersAt } from './parameters.ts'
import { compareReceiverResponses } from './receiver-responses.ts'
import { compareSentSecurity } from './security.ts'

/** `name` is the name in messages: `the webhook user.created`. */
export function compareSentRequest(old: SentRequest, next: SentRequest, name: string, changes: OperationChanges): void {
  compareParameters(old, next, name, changes)
  compareBody(old, next, name, changes)
  compareReceiverResponses(old.location, next.location, name, changes)
  compareSentSecurity(old.location, next.location, name, changes.addChange)
  compareAnnouncement(old.location, next.location, name, changes.addChange)
}

/** Compares the callbacks of an operation: requests that the service sends to a URL of the caller. */
export function compareCallbacks(old: Location, next: Location, changes: OperationChanges): void {
  const { addChange } = changes
  const [oldCallbacks, nextCallbacks] = [callbacksOf(old), callbacksOf(next)]
  for (const [key, callback] of oldCallbacks) {
    const counterpart = nextCallbacks.get(key)
    if (counterpart) compareSentRequest(callback.request, counterpart.request, callback.name, changes)
    else addChange('callback-removed', `${capitalize(callback.name)} was removed.`, callback.request.location)
  }
  for (const [key, { name, request }] of nextCallbacks)
    if (!oldCallbacks.has(key)) addChange('callback-added', `${capitalize(name)} was added.`, request.location)
}

interface Callback {
  readonly name: string
  readonly request: SentRequest
}

/** By name, expression of the URL, and method. */
function callbacksOf(operation: Location): ReadonlyMap<string, Callback> {
  return new Map(
    childrenOf(below(operation, 'callbacks')).flatMap(([callback, paths]) =>
      sentRequestsAt(paths).map((request) => {
        const name = `the callback ${callback} (${request.method.toUpperCase()} ${request.path})`
        return [name, { name, request }] as const
      }),
    ),
  )
}

function compareParameters(old: SentRequest, next: SentRequest, name: string, changes: OperationChanges): void {
  const { addChange } = changes
  const [oldParameters, nextParameters] = [parametersOf(old), parametersOf(next)]
  for (const [key, { label, location }] of oldParameters)
    if (!nextParameters.has(key)) addChange('webhook-parameter-removed', `${label} of ${name} was removed.`, location)
  for (const [key, { label, location, isRequired }] of nextParameters) {
    const oldParameter = oldParameters.get(key)
    if (!oldParameter) {
      addChange('webhook-parameter-added', `${label} of ${name} was added.`, location)
      continue
    }
    if (oldParameter.isRequired && !isRequired)
      addChange('webhook-parameter-made-optional', `${label} of ${name} became optional.`, location)
    if (!oldParameter.isRequired && isRequired)
      addChange('webhook-parameter-made-required', `${label} of ${name} became required.`, location)
    compareContent(
      oldParameter.location,
      location,
      { kind: 'response', name: `${label} of ${name}`, method: '' },
      changes,
    )
  }
}

interface SentParameter {
  readonly label: string
  readonly location: Location
  readonly isRequired: boolean
}

function parametersOf({ pathItems: items, location }: SentRequest): ReadonlyMap<string, SentParameter> {
  return new Map(
    parametersAt(items, location).map((element) => {
      const target = followReference(element)
      const { name, in: sort, required } = objectAt(target)
      const key = `${sort} ${sort === 'header' ? `${name}`.toLowerCase() : name}`
      return [key, { label: `${sort} parameter ${name}`, location: target, isRequired: required === true }]
    }),
  )
}

function compareBody(old: SentRequest, next: SentRequest, name: string, changes: OperationChanges): void {
  const { addChange } = changes
  const [oldBody, nextBody] = [below(old.location, 'requestBody'), below(next.location, 'requestBody')]
  if (oldBody && !nextBody) addChange('webhook-body-removed', `${capitalize(name)} no longer has a body.`, oldBody)
  if (!oldBody && nextBody) addChange('webhook-body-added', `${capitalize(name)} has a body.`, nextBody)
  if (!oldBody || !nextBody) return
  const [before, after] = [oldBody, nextBody].map((body) => objectAt(body).required === true)
  if (before && !after) addChange('webhook-body-made-optional', `The body of ${name} became optional.`, nextBody)
  if (!before && after) addChange('webhook-body-made-required', `The body of ${name} became required.`, nextBody)
  const [types, nextTypes] = [mediaTypesOf(below(oldBody, 'content')), mediaTypesOf(below(nextBody, 'content'))]
  for (const [type, location] of types)
    if (!nextTypes.has(type))
      addChange('webhook-media-type-removed', `${capitalize(name)} is no longer sent as ${type}.`, location)
  for (const [type, location] of nextTypes) {
    const oldType = types.get(type)
    if (!oldType) addChange('webhook-media-type-added', `${capitalize(name)} may be sent as ${type}.`, location)
    else compareContent(oldType, location, { kind: 'response', name: `the body of ${name}`, method: '' }, changes)
  }
}
