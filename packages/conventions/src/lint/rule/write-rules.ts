/** Rules of writes: what they take, what they answer, and that they have one form. */
import { type DocumentOperation, isIdentifier } from '@nomen/core/openapi'
import { isList, isSingle, lacking, nounOf, propertiesOf } from '../view.ts'
import { listed } from '../word/words.ts'
import { called, type Rule, withMethod } from './rule.ts'

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
        pointer: operation.pointer,
        message: `${called(operation)} does not require ${listed(optional.map(({ name }) => name))}.`,
        fix: 'Require them, mark as readOnly what cannot be changed, or offer a PATCH instead.',
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
        pointer: operation.pointer,
        message: `${called(operation)} requires ${listed(required)}.`,
        fix: required.length === properties.size ? 'Call it PUT, or require nothing.' : 'Require nothing.',
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
      const single = view.find('get', operation.key)
      const answer = operation.success
      if (!isSingle(operation) || !answer || !operation.body) continue
      if (!answer.shape) {
        yield {
          pointer: operation.pointer,
          message: `${called(operation)} answers no record.`,
          fix: 'Answer the whole record as it is now.',
        }
        continue
      }
      const missing = lacking(propertiesOf(single), propertiesOf(operation))
      if (!single || missing.length === 0) continue
      yield {
        pointer: operation.pointer,
        message: `${called(operation)} answers without ${listed(missing)}, which ${called(single)} shows.`,
        fix: 'Answer the whole record as it is now.',
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
      const pattern = operation.method === 'post' ? `${operation.key}/{}` : operation.key
      const single = view.find('get', pattern)
      const complete = propertiesOf(single)
      const sent = operation.body?.shape
      if (!single || !complete || !sent || sent.isOpen || (operation.method !== 'post' && !isSingle(operation)))
        continue
      const unknown = lacking(sent.properties, complete).filter((name) => !sent.properties.get(name)?.isWriteOnly)
      if (unknown.length === 0) continue
      yield {
        pointer: operation.pointer,
        message: `${called(operation)} takes ${listed(unknown)}, which ${called(single)} does not show.`,
        fix: 'Call a property the same everywhere; mark as writeOnly what is never shown.',
      }
    }
  },
}

/** A write of a noun's own properties. Without a body it makes or removes a link, which has a URL of its own. */
const isWrite = ({ method, body, role }: DocumentOperation) =>
  ['post', 'put', 'patch'].includes(method) && body !== undefined && role !== 'custom'

/** Where the noun of a path stands; undefined where something else follows than its identity. */
function standingOf({ segments, ...operation }: DocumentOperation): 'root' | 'below' | 'elsewhere' | undefined {
  const noun = nounOf({ segments, ...operation })?.segment
  const at = noun ? segments.indexOf(noun) : -1
  const rest = segments.slice(at + 1)
  if (at === -1 || rest.length > 1 || rest.some(({ isParameter }) => !isParameter)) return undefined
  const above = segments.slice(/^v\d+$/.test(segments[0]?.text ?? '') ? 1 : 0, at)
  if (above.length === 0) return 'root'
  return above.some(({ isParameter }) => isParameter) ? 'below' : 'elsewhere'
}

const mixedWrites: Rule = {
  code: 'mixed-writes',
  severity: 'error',
  about: 'An api changes records below their parents, or at the root: one of the two.',
  *check(view) {
    const byNoun = (standing: string, isMeant: (operation: DocumentOperation) => boolean) => {
      const found = view.table.operations.filter((one) => isMeant(one) && standingOf(one) === standing)
      return new Map(
        found.map((one) => [nounOf(one)?.segment.text ?? '', one]).reverse() as [string, DocumentOperation][],
      )
    }
    const atRoot = byNoun('root', isWrite)
    const below = byNoun('below', isWrite)
    for (const [noun, operation] of below) {
      const other = atRoot.get(noun)
      if (!other) continue
      yield {
        pointer: operation.pointer,
        message: `${called(operation)} changes below its parent what ${called(other)} changes at the root.`,
        fix: 'Choose one form for the whole api.',
      }
    }
    // Of a noun that is only read below a parent, the flat form is what the api chose.
    const readBelow = byNoun('below', isList)
    const [flat] = [...atRoot].filter(([noun]) => readBelow.has(noun) && !below.has(noun))
    // What cannot be read there is no record but a call, such as …/cancel.
    const isRead = (operation: DocumentOperation) => view.find('get', operation.key) !== undefined
    const [nested] = [...below].filter(([noun, operation]) => !atRoot.has(noun) && isRead(operation))
    if (!flat || !nested) return
    yield {
      pointer: '',
      message: `${called(nested[1])} changes below its parent, ${called(flat[1])} at the root what is read below its own.`,
      fix: 'Choose one form for the whole api.',
    }
  },
}

export const writeRules: readonly Rule[] = [putRequired, patchRequired, updateResponse, writeProperty, mixedWrites]
