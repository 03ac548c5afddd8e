/** Compares what an operation answers, status by status. */

import type { Notebook } from '../ledger.ts'
import type { Operation } from '../operation.ts'
import type { Use } from '../pair.ts'
import { below, childrenOf, objectAt, type Place } from '../place.ts'
import { compareSchema } from './schema.ts'

type Answers = ReadonlyMap<string, Place>

export function compareResponses(old: Operation, next: Operation, book: Notebook): void {
  const { note } = book
  const was: Answers = new Map(childrenOf(below(old.place, 'responses')))
  const is: Answers = new Map(childrenOf(below(next.place, 'responses')))
  for (const [status, place] of was) {
    const match = answerFor(is, status)
    if (match) compareResponse(status, place, match, old.method, book)
    else
      note(
        successOf(status) ? 'response-status-removed' : 'error-status-removed',
        `It never answers ${status} now.`,
        place,
      )
  }
  for (const [status, place] of is)
    if (!answerFor(was, status))
      note(successOf(status) ? 'response-status-added' : 'error-status-added', `It may answer ${status}.`, place)
}

export function successOf(status: string): boolean {
  return status.startsWith('2')
}

/** `2XX` speaks for every status of its class that is not named, `default` for errors that nothing else speaks for. */
function answerFor(answers: Answers, status: string): Place | undefined {
  const named = answers.get(status) ?? answers.get(`${status[0]}XX`) ?? answers.get(`${status[0]}xx`)
  return named ?? (successOf(status) ? undefined : answers.get('default'))
}

function compareResponse(status: string, old: Place, next: Place, method: string, book: Notebook): void {
  const { note } = book
  compareHeaders(status, old, next, method, book)
  const was = new Map(childrenOf(below(old, 'content')))
  const is = new Map(childrenOf(below(next, 'content')))
  if (was.size > 0 && is.size === 0) note('response-body-removed', `Answer ${status} has no body now.`, next)
  for (const [type, place] of was)
    if (!is.has(type) && is.size > 0)
      note('response-media-type-removed', `Answer ${status} is no longer given as ${type}.`, place)
  for (const [type, place] of is) {
    const known = was.get(type)
    if (!known) note('response-media-type-added', `Answer ${status} is given as ${type}.`, place)
    const [before, after] = [known && below(known, 'schema'), below(place, 'schema')]
    const use: Use = { kind: 'response', name: `answer ${status}`, method }
    if (before && after) compareSchema([before], [after], use, book)
    else if (before) note('response-field-retyped', `Answer ${status} had a schema, is anything.`, place)
  }
}

/** Names of headers are the same in any case. */
function compareHeaders(status: string, old: Place, next: Place, method: string, book: Notebook): void {
  const { note } = book
  const headersOf = (place: Place) =>
    new Map(childrenOf(below(place, 'headers')).map(([name, header]) => [name.toLowerCase(), { name, header }]))
  const [was, is] = [headersOf(old), headersOf(next)]
  for (const [key, { name, header }] of was)
    if (!is.has(key)) note('response-header-removed', `Answer ${status} has no header ${name} now.`, header)
  for (const [key, { name, header }] of is) {
    const known = was.get(key)
    if (!known) {
      note('response-header-added', `Answer ${status} has the header ${name}.`, header)
      continue
    }
    const [before, after] = [objectAt(known.header).required === true, objectAt(header).required === true]
    if (before && !after)
      note('response-header-made-optional', `The header ${name} of answer ${status} may be missing.`, header)
    if (!before && after)
      note('response-header-made-required', `The header ${name} of answer ${status} is always there.`, header)
    const schemas = [below(known.header, 'schema'), below(header, 'schema')] as const
    const use: Use = { kind: 'response', name: `the header ${name} of answer ${status}`, method }
    if (schemas[0] && schemas[1]) compareSchema([schemas[0]], [schemas[1]], use, book)
  }
}
