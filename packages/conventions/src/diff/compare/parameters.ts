/** Compares the parameters of an operation in its path, query, headers and cookies. */

import type { OperationChanges } from '../change-collector.ts'
import { below, elementsOf, followReference, type Location, objectAt, ownBelow } from '../location.ts'
import type { Operation } from '../operation.ts'
import type { Use } from '../pair.ts'
import { type Schema, type Shape, shapeOf } from '../shape.ts'
import { schemaOf } from './content.ts'
import { isIgnoredParameter } from './headers.ts'
import { compareSchema } from './schema/schema.ts'

interface Parameter {
  readonly name: string
  readonly location: Location
  readonly isRequired: boolean
}

export function compareParameters(old: Operation, next: Operation, changes: OperationChanges): void {
  const { addChange } = changes
  const oldParameters = parametersOf(old)
  const nextParameters = parametersOf(next)
  for (const [key, { name, location }] of oldParameters)
    if (!nextParameters.has(key) && !isInPath(location))
      addChange('parameter-removed', `The ${kindText(location)} ${name} was removed.`, location)
  for (const [key, parameter] of nextParameters) {
    const oldParameter = oldParameters.get(key)
    if (oldParameter) compareParameter(oldParameter, parameter, old.method, changes)
    else if (!isInPath(parameter.location)) {
      const { name, location, isRequired } = parameter
      const code = isRequired ? 'required-parameter-added' : 'parameter-added'
      addChange(code, `The ${kindText(location)} ${name} was added${isRequired ? ' and is required' : ''}.`, location)
    }
  }
  for (const [index, name] of old.names.entries()) {
    const renamed = next.names[index]
    if (renamed !== undefined && renamed !== name)
      addChange('path-parameter-renamed', `The path parameter ${name} was renamed to ${renamed}.`, next.location)
  }
}

/** Both paths have the same parameters, even if one document does not declare them. */
function isInPath(parameter: Location): boolean {
  return objectAt(parameter).in === 'path'
}

/** Parameters by name; path parameters by position, because their names are not sent. */
function parametersOf({ location, pathItems: items, names }: Operation): ReadonlyMap<string, Parameter> {
  const parameters = new Map<string, Parameter>()
  for (const element of parametersAt(items, location)) {
    const target = followReference(element)
    const { name: rawName, in: kind, required } = objectAt(target)
    const name = `${rawName}`
    const key =
      kind === 'path' ? `path ${names.indexOf(name)}` : `${kind} ${kind === 'header' ? name.toLowerCase() : name}`
    parameters.set(key, { name, location: target, isRequired: required === true || kind === 'path' })
  }
  return parameters
}

/** An operation's own parameters replace those of its path item. Those that OpenAPI ignores are left out. */
export function parametersAt(items: readonly Location[], operation: Location): readonly Location[] {
  const shared = items.flatMap((item) => elementsOf(ownBelow(item, 'parameters')))
  const parameters = [...shared, ...elementsOf(below(operation, 'parameters'))]
  return parameters.filter((parameter) => !isIgnoredParameter(parameter))
}

function kindText(location: Location): string {
  const { in: kind } = objectAt(location)
  return kind === 'query' ? 'parameter' : `${kind} parameter`
}

function compareParameter(old: Parameter, next: Parameter, method: string, changes: OperationChanges): void {
  const { addChange } = changes
  const { name } = next
  const required = below(next.location, 'required') ?? next.location
  if (!old.isRequired && next.isRequired) addChange('parameter-made-required', `${name} became required.`, required)
  if (old.isRequired && !next.isRequired) addChange('parameter-made-optional', `${name} became optional.`, required)
  const [oldObject, nextObject] = [objectAt(old.location), objectAt(next.location)]
  if (nextObject.deprecated === true && oldObject.deprecated !== true)
    addChange('parameter-deprecated', `${name} became deprecated.`, below(next.location, 'deprecated'))
  compareQueryOptions(old.location, next.location, name, changes)
  const [before = [], after = []] = [old, next].map(({ location }): Schema => [schemaOf(location) ?? []].flat())
  const shapes = { old: shapeOf(before), next: shapeOf(after) }
  const isText = oldObject.content === undefined && nextObject.content === undefined
  const use: Use = { kind: 'parameter', name, method, isText }
  const mayBeOmitted = !old.isRequired && !next.isRequired
  if (repeats(next.location, shapes.next) && isSingle(shapes.old)) {
    addChange('parameter-made-repeatable', `${name} may be repeated.`, next.location)
    compareSchema(before, shapes.next.items, use, changes)
  } else if (repeats(old.location, shapes.old) && isSingle(shapes.next)) {
    addChange('parameter-made-single', `${name} may no longer be repeated.`, next.location)
    compareSchema(shapes.old.items, after, use, changes)
  } else {
    const texts = [serialization(old.location, shapes.old), serialization(next.location, shapes.next)]
    // A plain value is written in the same way in every style, but not in a media type.
    const isPlain = isText && texts.includes(plainText)
    if (texts[0] !== texts[1] && !isPlain)
      addChange(
        'parameter-serialization-changed',
        `The serialization of ${name} changed from ${texts[0]} to ${texts[1]}.`,
        next.location,
      )
    compareSchema(before, after, use, changes, mayBeOmitted)
  }
}

/** Keywords of a query parameter that allow more than its schema, as text for messages. */
const queryOptions = { allowEmptyValue: 'be empty', allowReserved: 'have reserved characters without encoding' }

/** OpenAPI has these options only for the query. */
function compareQueryOptions(old: Location, next: Location, name: string, { addChange }: OperationChanges): void {
  const [oldObject, nextObject] = [objectAt(old), objectAt(next)]
  if (nextObject.in !== 'query') return
  for (const [keyword, text] of Object.entries(queryOptions)) {
    const [wasAllowed, isAllowed] = [oldObject[keyword] === true, nextObject[keyword] === true]
    if (wasAllowed && !isAllowed) addChange('parameter-tightened', `${name} may no longer ${text}.`, next)
    if (!wasAllowed && isAllowed) addChange('parameter-loosened', `${name} may ${text}.`, below(next, keyword))
  }
}

/** `?status=A&status=B`, which includes `?status=A`. */
function repeats(location: Location, { types }: Shape): boolean {
  const { in: kind, style = 'form', explode = true } = objectAt(location)
  return kind === 'query' && types?.size === 1 && types.has('array') && style === 'form' && explode === true
}

function isSingle({ types }: Shape): boolean {
  return types !== undefined && !types.has('array') && !types.has('object')
}

const plainText = 'plain text'

/** The serialization of arrays and objects; plain values have only one. */
function serialization(location: Location, { types }: Shape): string {
  const {
    in: kind,
    content,
    style = kind === 'query' || kind === 'cookie' ? 'form' : 'simple',
    explode,
  } = objectAt(location)
  if (content !== undefined) return Object.keys(content as object)[0] ?? 'content'
  if (types && !types.has('array') && !types.has('object')) return plainText
  return `${style}${(explode ?? style === 'form') ? ' (exploded)' : ''}`
}
