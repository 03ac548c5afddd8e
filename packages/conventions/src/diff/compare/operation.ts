/** Compares two versions of an operation: parameters, body, responses, credentials, callbacks. */

import type { OperationChanges } from '../change-collector.ts'
import { below, childrenOf, type Location, objectAt } from '../location.ts'
import { mediaTypeFor, mediaTypesOf } from '../media-type.ts'
import type { Operation } from '../operation.ts'
import type { Use } from '../pair.ts'
import { shapeOf } from '../shape.ts'
import { compareAnnouncement } from './announcement.ts'
import { compareContent } from './content.ts'
import { compareParameters } from './parameters.ts'
import { compareResponses, isSuccess } from './responses.ts'
import { compareSecurity } from './security.ts'
import { compareCallbacks } from './sent-request.ts'

export function compareOperation(old: Operation, next: Operation, changes: OperationChanges): void {
  const { addChange } = changes
  compareParameters(old, next, changes)
  compareBody(old, next, changes)
  compareResponses(old, next, changes)
  compareSecurity(old, next, addChange)
  compareAnnouncement(old.location, next.location, 'It', addChange, old.version === next.version)
  compareCallbacks(old.location, next.location, changes)
}

function compareBody(old: Operation, next: Operation, changes: OperationChanges): void {
  const { addChange } = changes
  const oldBody = below(old.location, 'requestBody')
  const nextBody = below(next.location, 'requestBody')
  if (!nextBody) {
    if (oldBody) addChange('request-body-removed', 'It no longer accepts a body.', oldBody)
    return
  }
  const isRequired = objectAt(nextBody).required === true
  const wasRequired = objectAt(oldBody).required === true
  if (!oldBody) {
    const code = isRequired ? 'required-request-body-added' : 'request-body-added'
    addChange(code, `It accepts a body${isRequired ? ', which is required' : ''}.`, nextBody)
    return
  }
  if (isRequired && !wasRequired) addChange('request-body-made-required', 'Its body became required.', nextBody)
  if (wasRequired && !isRequired) addChange('request-body-made-optional', 'Its body became optional.', nextBody)
  const responseFields = { old: responseFieldsOf(old.location), next: responseFieldsOf(next.location) }
  compareMedia(oldBody, nextBody, { kind: 'request', name: 'the request', method: old.method, responseFields }, changes)
}

function compareMedia(old: Location, next: Location, use: Use, changes: OperationChanges): void {
  const { addChange } = changes
  const oldTypes = mediaTypesOf(below(old, 'content'))
  const nextTypes = mediaTypesOf(below(next, 'content'))
  for (const [type, location] of oldTypes) {
    const counterpart = mediaTypeFor(nextTypes, type)
    if (!counterpart) addChange('request-media-type-removed', `It no longer accepts ${type}.`, location)
    else {
      compareContent(location, counterpart, use, changes)
      compareEncoding(location, counterpart, type, changes)
    }
  }
  for (const [type, location] of nextTypes)
    if (!mediaTypeFor(oldTypes, type)) addChange('request-media-type-added', `It accepts ${type}.`, location)
}

/** Compares how the parts of a multipart body are encoded. */
function compareEncoding(old: Location, next: Location, type: string, { addChange }: OperationChanges): void {
  const encodings = [old, next].map((media) => new Map(childrenOf(below(media, 'encoding'))))
  const [oldEncodings = new Map<string, Location>(), nextEncodings = new Map<string, Location>()] = encodings
  for (const name of new Set([...oldEncodings.keys(), ...nextEncodings.keys()])) {
    const [oldEncoding, nextEncoding] = [oldEncodings.get(name), nextEncodings.get(name)]
    if (JSON.stringify(objectAt(oldEncoding)) === JSON.stringify(objectAt(nextEncoding))) continue
    const code = !oldEncoding
      ? 'request-field-tightened'
      : !nextEncoding
        ? 'request-field-loosened'
        : 'request-field-retyped'
    addChange(code, `The encoding of ${name} in ${type} changed.`, nextEncoding, oldEncoding)
  }
}

/** The fields of the record in the response of an operation. */
function responseFieldsOf(operation: Location): ReadonlySet<string> {
  const media = childrenOf(below(operation, 'responses')).find(([status]) => isSuccess(status))?.[1]
  const schemas = childrenOf(media && below(media, 'content')).flatMap(([, media]) => below(media, 'schema') ?? [])
  return new Set(schemas.flatMap((schema) => [...shapeOf([schema]).fields.keys()]))
}
