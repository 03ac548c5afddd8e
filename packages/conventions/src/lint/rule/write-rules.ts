/** Rules for writes: bodies, responses, and nested or flat paths. */
import { type DocumentOperation, isIdentifier, recordIn, wordsOf } from '@nomen/core/openapi'
import { isList, isSingle, missingNames, nounOf, propertiesOf, queryOf, type View } from '../view.ts'
import { nameList } from '../word/words.ts'
import { nameOf, type Rule, type Violation, withMethod } from './rule.ts'

const putRequired: Rule = {
  code: 'put-required',
  severity: 'error',
  about: 'A PUT must require all writable properties.',
  *check(view) {
    for (const operation of withMethod(view, 'put')) {
      const shape = operation.body?.shape && recordIn(operation.body.shape, nameOfNoun(operation))
      if (!shape || shape.isOpen || !isSingle(operation)) continue
      const optional = [...shape.properties.values()].filter(
        ({ name, shape: { type }, ...property }) =>
          !property.isRequired && !property.isReadOnly && !isIdentifier(name) && type !== undefined,
      )
      if (optional.length === 0) continue
      yield {
        pointer: operation.pointer,
        message: `${nameOf(operation)} does not require ${nameList(optional.map(({ name }) => name))}.`,
        fix:
          optional.length === 1
            ? 'Require it, mark it as readOnly if it is immutable, or use PATCH.'
            : 'Require them, mark the immutable ones as readOnly, or use PATCH.',
      }
    }
  },
}

const patchRequired: Rule = {
  code: 'patch-required',
  severity: 'error',
  about: 'A PATCH must accept any subset of the writable properties.',
  *check(view) {
    for (const operation of withMethod(view, 'patch')) {
      // Elements of a list in the body have required properties of their own.
      const shape = operation.body?.shape && recordIn(operation.body.shape, nameOfNoun(operation))
      const properties = shape?.type === 'object' ? shape.properties : new Map()
      const required = [...properties.values()]
        .filter(({ isRequired, isReadOnly }) => isRequired && !isReadOnly)
        .map(({ name }) => name)
      if (required.length === 0) continue
      const optional = `make ${required.length === 1 ? 'it' : 'them'} optional.`
      yield {
        pointer: operation.pointer,
        message: `${nameOf(operation)} requires ${nameList(required)}.`,
        fix: required.length === properties.size ? `Use PUT, or ${optional}` : `M${optional.slice(1)}`,
      }
    }
  },
}

const updateResponse: Rule = {
  code: 'update-response',
  severity: 'error',
  about: 'PUT and PATCH must respond with the full record.',
  *check(view) {
    for (const operation of withMethod(view, 'put', 'patch')) {
      const recordRead = view.find('get', operation.key)
      const response = operation.success
      if (!isSingle(operation) || !response || !operation.body) continue
      if (!response.shape) {
        yield {
          pointer: operation.pointer,
          message: `${nameOf(operation)} does not return a record.`,
          fix: 'Return the full record after the change.',
        }
        continue
      }
      const missing = missingNames(propertiesOf(recordRead), propertiesOf(operation))
      if (!recordRead || missing.length === 0) continue
      yield {
        pointer: operation.pointer,
        message: `${nameOf(operation)} does not return ${nameList(missing)}, but ${nameOf(recordRead)} does.`,
        fix: 'Return the full record after the change.',
      }
    }
  },
}

const writeProperty: Rule = {
  code: 'write-property',
  severity: 'warning',
  about: 'Properties must have the same names in requests and responses.',
  *check(view) {
    for (const operation of withMethod(view, 'post', 'put', 'patch')) {
      const pattern = operation.method === 'post' ? `${operation.key}/{}` : operation.key
      const recordRead = view.find('get', pattern)
      const complete = propertiesOf(recordRead)
      const bodyShape = operation.body?.shape && recordIn(operation.body.shape, nameOfNoun(operation))
      if (
        !recordRead ||
        !complete ||
        !bodyShape ||
        bodyShape.isOpen ||
        (operation.method !== 'post' && !isSingle(operation))
      )
        continue
      // A parameter of the read is an option, and not a property: { "expand": ["customer"] }.
      const options = new Set(queryOf(recordRead).map(({ name }) => name))
      const notReturned = missingNames(bodyShape.properties, complete).filter(
        (name) => !bodyShape.properties.get(name)?.isWriteOnly && !options.has(name),
      )
      if (notReturned.length === 0) continue
      yield {
        pointer: operation.pointer,
        message: `${nameOf(operation)} accepts ${nameList(notReturned)}, which ${nameOf(recordRead)} does not return.`,
        fix: 'Use the same name everywhere, or mark the property as writeOnly.',
      }
    }
  },
}

/** A write of properties. Without a body, it creates or removes a link. */
const isWrite = ({ method, body, role }: DocumentOperation) =>
  ['post', 'put', 'patch'].includes(method) && body !== undefined && role !== 'custom'

/** The position of the noun in a path; undefined if more than its ID follows. */
function positionOf({ segments, ...operation }: DocumentOperation): 'root' | 'below' | 'elsewhere' | undefined {
  const noun = nounOf({ segments, ...operation })?.segment
  const index = noun ? segments.indexOf(noun) : -1
  const remaining = segments.slice(index + 1)
  if (index === -1 || remaining.length > 1 || remaining.some(({ isParameter }) => !isParameter)) return undefined
  const ancestors = segments.slice(/^v\d+$/.test(segments[0]?.text ?? '') ? 1 : 0, index)
  if (ancestors.length === 0) return 'root'
  return ancestors.some(({ isParameter }) => isParameter) ? 'below' : 'elsewhere'
}

const nameOfNoun = (operation: DocumentOperation) => nounOf(operation)?.segment.text ?? ''

/** Whether it writes one of several records. A write without an ID, except a POST, changes the only one. */
const isForOneOfMany = (operation: DocumentOperation) => operation.method === 'post' || isSingle(operation)

/** Whether the records of two writes have most properties in common. Others have only the name: hooks of a project, and hooks. */
function isSameRecord(first: DocumentOperation, second: DocumentOperation): boolean {
  const responses = [propertiesOf(first), propertiesOf(second)]
  const [a, b] = responses.includes(undefined)
    ? [first.body?.shape?.properties, second.body?.shape?.properties]
    : responses
  if (!a || !b) return false
  const shared = [...a.keys()].filter((name) => b.has(name)).length
  return shared > 0 && shared >= Math.max(a.size, b.size) / 2
}

/** Whether a write or its record has a reference to the parent of a list: `applicationRef` for `/application/{id}/role`. */
function namesParent({ body, key }: DocumentOperation, list: DocumentOperation, { singular, find }: View): boolean {
  const nounIndex = list.segments.findIndex(({ text }) => text === nameOfNoun(list))
  const parent = list.segments.slice(0, nounIndex).findLast(({ isParameter }) => !isParameter)?.text ?? ''
  const words = singular(parent) ?? wordsOf(parent)
  const names = [
    ...(body?.shape ? recordIn(body.shape, nameOfNoun(list)).properties.keys() : []),
    ...(propertiesOf(find('get', key))?.keys() ?? []),
  ]
  return names.some((name) => words.every((word, index) => wordsOf(name)[index] === word))
}

const mixedWritesFix = 'Use nested paths for all writes, or top-level paths for all.'

const operationsAt = (position: string, operations: readonly DocumentOperation[]) =>
  operations.filter((operation) => positionOf(operation) === position)

/** The first operation of each noun. */
const byNoun = (operations: readonly DocumentOperation[]) =>
  new Map(operations.toReversed().map((operation) => [nameOfNoun(operation), operation] as const))

const mixedWrites: Rule = {
  code: 'mixed-writes',
  severity: 'error',
  about: 'All writes of an API must use nested paths, or all must use top-level paths.',
  *check(view) {
    const writes = view.table.operations.filter(isWrite)
    const [rootWrites, nestedWrites] = [operationsAt('root', writes), operationsAt('below', writes)]
    yield* mixedWritesOfOneNoun(rootWrites, nestedWrites)
    yield* mixedWritesOfTwoNouns(view, rootWrites, nestedWrites)
  },
}

/** Records that are written both below a parent and at the root. */
function* mixedWritesOfOneNoun(
  rootWrites: readonly DocumentOperation[],
  nestedWrites: readonly DocumentOperation[],
): Generator<Violation> {
  for (const noun of byNoun(nestedWrites).keys()) {
    const hasThisNoun = (operation: DocumentOperation) => nameOfNoun(operation) === noun
    const candidates = rootWrites.filter((operation) => hasThisNoun(operation) && isForOneOfMany(operation))
    const [pair] = nestedWrites
      .filter(hasThisNoun)
      .flatMap((operation) =>
        candidates
          .filter((candidate) => isSameRecord(operation, candidate))
          .map((candidate) => [operation, candidate] as const),
      )
    if (!pair) continue
    const [operation, rootOperation] = pair
    yield {
      pointer: operation.pointer,
      message: `${nameOf(operation)} writes "${noun}" records at a nested path, but ${nameOf(rootOperation)} writes them at a top-level path.`,
      fix: mixedWritesFix,
    }
  }
}

/**
 * A noun with a list below a parent, but with writes at the root that name the parent, shows that the api uses flat writes.
 * Other records are listed below a record without being part of it: the organizations of a user.
 */
function* mixedWritesOfTwoNouns(
  view: View,
  rootWrites: readonly DocumentOperation[],
  nestedWrites: readonly DocumentOperation[],
): Generator<Violation> {
  const [rootByNoun, nestedByNoun] = [byNoun(rootWrites), byNoun(nestedWrites)]
  const nestedLists = operationsAt('below', view.table.operations.filter(isList))
  const listBelow = (noun: string) =>
    nestedLists.find(
      (operation) =>
        nameOfNoun(operation) === noun &&
        rootWrites.some((write) => nameOfNoun(write) === noun && namesParent(write, operation, view)),
    )
  const [flat] = [...rootByNoun].filter(([noun]) => !nestedByNoun.has(noun) && listBelow(noun))
  // A path without a GET is an action such as …/cancel, and not a record.
  const isRead = (operation: DocumentOperation) => view.find('get', operation.key) !== undefined
  const [nested] = [...nestedByNoun].filter(([noun, operation]) => !rootByNoun.has(noun) && isRead(operation))
  const list = flat && listBelow(flat[0])
  if (!flat || !nested || !list) return
  yield {
    pointer: '',
    message: `${nameOf(nested[1])} uses a nested path. ${nameOf(flat[1])} uses a top-level path, although ${nameOf(list)} lists the same records below a parent.`,
    fix: mixedWritesFix,
  }
}

export const writeRules: readonly Rule[] = [putRequired, patchRequired, updateResponse, writeProperty, mixedWrites]
