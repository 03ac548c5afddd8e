/** Compares two operations that are the same: parameters, body, answers, credentials. */

import type { Notebook } from '../ledger.ts'
import type { Operation } from '../operation.ts'
import type { Use } from '../pair.ts'
import { below, childrenOf, objectAt, type Place } from '../place.ts'
import { shapeOf } from '../shape.ts'
import { compareSunset } from '../sunset.ts'
import { compareParameters } from './parameters.ts'
import { compareResponses, successOf } from './responses.ts'
import { compareSchema } from './schema.ts'
import { compareSecurity } from './security.ts'

export function compareOperation(old: Operation, next: Operation, book: Notebook): void {
  const { note } = book
  compareParameters(old, next, book)
  compareBody(old, next, book)
  compareResponses(old, next, book)
  compareSecurity(old, next, note)
  compareSunset(old, next, note)
  const [was, is] = [objectAt(old.place), objectAt(next.place)]
  if (is.deprecated === true && was.deprecated !== true)
    note('operation-deprecated', 'It is deprecated.', below(next.place, 'deprecated'))
  if (was.deprecated === true && is.deprecated !== true)
    note('operation-undeprecated', 'It is no longer deprecated.', next.place)
  const [before, after] = [was.operationId, is.operationId].map((id) => (typeof id === 'string' ? id : 'none'))
  if (before !== after && old.version === next.version) {
    const places = [below(next.place, 'operationId'), next.place] as const
    note('operation-id-changed', `Its operationId was ${before}, is ${after}.`, ...places)
  }
}

function compareBody(old: Operation, next: Operation, book: Notebook): void {
  const { note } = book
  const was = below(old.place, 'requestBody')
  const is = below(next.place, 'requestBody')
  if (!is) {
    if (was) note('request-body-removed', 'It takes no body any more.', was)
    return
  }
  const isRequired = objectAt(is).required === true
  const wasRequired = objectAt(was).required === true
  if (!was) {
    const code = isRequired ? 'required-request-body-added' : 'request-body-added'
    note(code, `It takes a body${isRequired ? ', and requires it' : ''}.`, is)
    return
  }
  if (isRequired && !wasRequired) note('request-body-made-required', 'Its body was optional, is required.', is)
  if (wasRequired && !isRequired) note('request-body-made-optional', 'Its body was required, is optional.', is)
  const answered = { old: answeredFields(old.place), next: answeredFields(next.place) }
  compareMedia(was, is, { kind: 'request', name: 'the request', method: old.method, answered }, book)
}

function compareMedia(old: Place, next: Place, use: Use, book: Notebook): void {
  const { note } = book
  const was = new Map(childrenOf(below(old, 'content')))
  const is = new Map(childrenOf(below(next, 'content')))
  for (const [type, place] of was)
    if (!is.has(type)) note('request-media-type-removed', `It takes no ${type} any more.`, place)
  for (const [type, place] of is) {
    const known = was.get(type)
    if (!known) note('request-media-type-added', `It takes ${type}.`, place)
    const [before, after] = [known && below(known, 'schema'), below(place, 'schema')]
    if (before && after) compareSchema([before], [after], use, book)
  }
}

/** The fields of the record that an operation answers with. */
function answeredFields(operation: Place): ReadonlySet<string> {
  const media = childrenOf(below(operation, 'responses')).find(([status]) => successOf(status))?.[1]
  const schemas = childrenOf(media && below(media, 'content')).flatMap(([, one]) => below(one, 'schema') ?? [])
  return new Set(schemas.flatMap((schema) => [...shapeOf([schema]).fields.keys()]))
}
