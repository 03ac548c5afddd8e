/** Rules of methods: what they take, what they answer, and that writes have one form. */
import type { SurfaceOperation } from '../surface.ts'
import { isIdentifier, isSingle, isSuccess, nounOf, patternOf, propertiesOf, successOf, type View } from '../view.ts'
import { listed } from '../words.ts'
import type { Rule } from './rule.ts'

const called = ({ method, path }: SurfaceOperation) => `${method.toUpperCase()} ${path}`
const withMethod = ({ surface }: View, ...methods: string[]) =>
  surface.operations.filter(({ method }) => methods.includes(method))

const getBody: Rule = {
  code: 'get-body',
  severity: 'error',
  about: 'A GET has no body.',
  *check(view) {
    for (const operation of withMethod(view, 'get')) {
      if (!operation.body) continue
      yield {
        place: operation.place,
        message: `${called(operation)} takes a body.`,
        mend: 'Take its values as query parameters.',
      }
    }
  },
}

const successStatus: Rule = {
  code: 'success-status',
  severity: 'error',
  about: 'A read, an update and a delete answer 200.',
  *check(view) {
    for (const operation of withMethod(view, 'get', 'put', 'patch', 'delete')) {
      const given = [...operation.responses.keys()].filter(isSuccess)
      if (given.length === 0 || given.some((status) => /^2(00|XX)$/i.test(status))) continue
      yield {
        place: operation.place,
        message: `${called(operation)} answers ${given.join(', ')}.`,
        mend: 'Answer 200.',
      }
    }
  },
}

const isToldOf404 = ({ responses }: SurfaceOperation) =>
  [...responses.keys()].some((status) => /^(404|4XX|default)$/i.test(status))

const notFoundResponse: Rule = {
  code: 'not-found-response',
  severity: 'warning',
  about: 'A read of one record tells of 404.',
  *check(view) {
    for (const operation of withMethod(view, 'get')) {
      if (!isSingle(operation) || isToldOf404(operation)) continue
      yield {
        place: operation.place,
        message: `${called(operation)} does not tell of 404.`,
        mend: 'Answer 404 where there is no such record, and say so.',
      }
    }
  },
}

const deleteConsistency: Rule = {
  code: 'delete-consistency',
  severity: 'warning',
  about: 'Deleting what is no longer there is 404 everywhere or nowhere.',
  *check(view) {
    const deletes = withMethod(view, 'delete')
    const told = deletes.filter(isToldOf404)
    const untold = deletes.filter((one) => !isToldOf404(one))
    if (told.length === 0 || untold.length === 0) return
    const isOdd = told.length < untold.length
    for (const operation of isOdd ? told : untold) {
      const others = deletes.length - (isOdd ? told : untold).length
      yield {
        place: operation.place,
        message: `${called(operation)} ${isOdd ? 'tells' : 'does not tell'} of 404, unlike ${others} of ${deletes.length} deletes.`,
        mend: 'Choose one for all.',
      }
    }
  },
}

const putRequired: Rule = {
  code: 'put-required',
  severity: 'error',
  about: 'A PUT requires every property that can be changed; where some may be left out, the method is PATCH.',
  *check(view) {
    for (const operation of withMethod(view, 'put')) {
      const shape = operation.body?.shape
      if (!shape || !operation.body || shape.isOpen || !isSingle(operation)) continue
      const optional = [...shape.properties.values()].filter(
        ({ name, shape: one, ...property }) =>
          !property.isRequired && !property.isReadOnly && !isIdentifier(name) && one.type !== undefined,
      )
      if (optional.length === 0) continue
      yield {
        place: operation.place,
        message: `${called(operation)} does not require ${listed(optional.map(({ name }) => name))}.`,
        mend: 'Require them, mark as readOnly what cannot be changed, or offer a PATCH instead.',
      }
    }
  },
}

const patchRequired: Rule = {
  code: 'patch-required',
  severity: 'error',
  about: 'A PATCH takes any part of what can be changed.',
  *check(view) {
    for (const operation of withMethod(view, 'patch')) {
      const properties = operation.body?.shape?.type === 'object' ? operation.body.shape.properties : new Map()
      const required = [...properties.values()].filter((one) => one.isRequired).map((one) => one.name)
      if (required.length === 0) continue
      yield {
        place: operation.place,
        message: `${called(operation)} requires ${listed(required)}.`,
        mend: required.length === properties.size ? 'Call it PUT, or require nothing.' : 'Require nothing.',
      }
    }
  },
}

const updateResponse: Rule = {
  code: 'update-response',
  severity: 'error',
  about: 'An update answers the whole record.',
  *check(view) {
    for (const operation of withMethod(view, 'put', 'patch')) {
      const single = view.find('get', patternOf(operation))
      const answer = successOf(operation)
      if (!isSingle(operation) || !answer) continue
      if (!answer.shape) {
        yield {
          place: operation.place,
          message: `${called(operation)} answers no record.`,
          mend: 'Answer the whole record as it is now.',
        }
        continue
      }
      const [shown, complete] = [propertiesOf(operation), propertiesOf(single)]
      const missing = shown && complete ? [...complete.keys()].filter((name) => !shown.has(name)) : []
      if (!single || missing.length === 0) continue
      yield {
        place: operation.place,
        message: `${called(operation)} answers without ${listed(missing)}, which ${called(single)} shows.`,
        mend: 'Answer the whole record as it is now.',
      }
    }
  },
}

const writeProperty: Rule = {
  code: 'write-property',
  severity: 'warning',
  about: 'What is sent is called as what is read.',
  *check(view) {
    for (const operation of withMethod(view, 'post', 'put', 'patch')) {
      const pattern = operation.method === 'post' ? `${patternOf(operation)}/{}` : patternOf(operation)
      const single = view.find('get', pattern)
      const complete = propertiesOf(single)
      const sent = operation.body?.shape
      if (!single || !complete || !sent || sent.isOpen || (operation.method !== 'post' && !isSingle(operation)))
        continue
      const unknown = [...sent.properties.values()].filter(
        ({ name, isWriteOnly }) => !isWriteOnly && !complete.has(name),
      )
      if (unknown.length === 0) continue
      yield {
        place: operation.place,
        message: `${called(operation)} takes ${listed(unknown.map(({ name }) => name))}, which ${called(single)} does not show.`,
        mend: 'Call a property the same everywhere; mark as writeOnly what is never shown.',
      }
    }
  },
}

/** A write of a noun's own properties. Without a body it makes or removes a link, which has a URL of its own. */
const isWrite = ({ method, body }: SurfaceOperation) => ['post', 'put', 'patch'].includes(method) && body !== undefined

/** Whether the noun of the operation stands below a record of another. */
function isBelow(operation: SurfaceOperation): boolean {
  const noun = nounOf(operation)?.segment
  const at = noun ? operation.segments.indexOf(noun) : -1
  return operation.segments.slice(0, Math.max(at, 0)).some(({ isParameter }) => isParameter)
}

const mixedWrites: Rule = {
  code: 'mixed-writes',
  severity: 'error',
  about: 'An api changes records below their parents, or at the root: one of the two.',
  *check(view) {
    const atRoot = new Map<string, SurfaceOperation>()
    for (const operation of view.surface.operations) {
      if (isWrite(operation) && !isBelow(operation)) atRoot.set(nounOf(operation)?.segment.text ?? '', operation)
    }
    const seen = new Set<string>()
    for (const operation of view.surface.operations) {
      const other = atRoot.get(nounOf(operation)?.segment.text ?? '')
      if (!other || !isWrite(operation) || !isBelow(operation) || seen.has(operation.path)) continue
      seen.add(operation.path)
      yield {
        place: operation.place,
        message: `${called(operation)} changes below its parent what ${called(other)} changes at the root.`,
        mend: 'Choose one form for the whole api.',
      }
    }
  },
}

export const methodRules: readonly Rule[] = [
  getBody,
  successStatus,
  notFoundResponse,
  deleteConsistency,
  putRequired,
  patchRequired,
  updateResponse,
  writeProperty,
  mixedWrites,
]
