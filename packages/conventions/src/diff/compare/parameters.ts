/** Compares what an operation takes in its path, query, headers and cookies. */

import type { Notebook } from '../ledger.ts'
import type { Operation } from '../operation.ts'
import type { Use } from '../pair.ts'
import { below, childrenOf, elementsOf, followed, objectAt, type Place } from '../place.ts'
import { type Schema, type Shape, shapeOf } from '../shape.ts'
import { compareSchema } from './schema.ts'

interface Parameter {
  readonly name: string
  readonly place: Place
  readonly isRequired: boolean
}

export function compareParameters(old: Operation, next: Operation, book: Notebook): void {
  const { note } = book
  const was = parametersOf(old)
  const is = parametersOf(next)
  for (const [key, { name, place }] of was)
    if (!is.has(key)) note('parameter-removed', `The ${sortOf(place)} ${name} is no longer there.`, place)
  for (const [key, parameter] of is) {
    const known = was.get(key)
    if (known) compareParameter(known, parameter, old.method, book)
    else {
      const { name, place, isRequired } = parameter
      const code = isRequired ? 'required-parameter-added' : 'parameter-added'
      note(code, `The ${sortOf(place)} ${name} is new${isRequired ? ' and required' : ''}.`, place)
    }
  }
  for (const [index, name] of old.names.entries()) {
    const renamed = next.names[index]
    if (renamed !== undefined && renamed !== name)
      note('path-parameter-renamed', `The path parameter ${name} is called ${renamed}.`, next.place)
  }
}

/** By their name, and those of the path by their place in it: what they are called there is never sent. */
function parametersOf({ place, item, names }: Operation): ReadonlyMap<string, Parameter> {
  const found = new Map<string, Parameter>()
  for (const one of [...elementsOf(below(item, 'parameters')), ...elementsOf(below(place, 'parameters'))]) {
    const target = followed(one)
    const { name: given, in: sort, required } = objectAt(target)
    const name = `${given}`
    const key =
      sort === 'path' ? `path ${names.indexOf(name)}` : `${sort} ${sort === 'header' ? name.toLowerCase() : name}`
    found.set(key, { name, place: target, isRequired: required === true || sort === 'path' })
  }
  return found
}

function sortOf(place: Place): string {
  const { in: sort } = objectAt(place)
  return sort === 'query' ? 'parameter' : `${sort} parameter`
}

function compareParameter(old: Parameter, next: Parameter, method: string, book: Notebook): void {
  const { note } = book
  const { name } = next
  const required = below(next.place, 'required') ?? next.place
  if (!old.isRequired && next.isRequired)
    note('parameter-made-required', `${name} was optional, is required.`, required)
  if (old.isRequired && !next.isRequired)
    note('parameter-made-optional', `${name} was required, is optional.`, required)
  const [was, is] = [objectAt(old.place), objectAt(next.place)]
  if (is.deprecated === true && was.deprecated !== true)
    note('parameter-deprecated', `${name} is deprecated.`, below(next.place, 'deprecated'))
  const [before, after] = [schemaOf(old.place), schemaOf(next.place)]
  const shapes = { old: shapeOf(before), next: shapeOf(after) }
  const use: Use = { kind: 'parameter', name, method }
  const mayBeOmitted = !old.isRequired && !next.isRequired
  if (repeats(next.place, shapes.next) && isSingle(shapes.old)) {
    note('parameter-made-repeatable', `${name} may be given more than once.`, next.place)
    compareSchema(before, shapes.next.items, use, book)
  } else if (repeats(old.place, shapes.old) && isSingle(shapes.next)) {
    note('parameter-made-single', `${name} may be given only once.`, next.place)
    compareSchema(shapes.old.items, after, use, book)
  } else {
    const texts = [serialization(old.place, shapes.old), serialization(next.place, shapes.next)]
    if (texts[0] !== texts[1])
      note('parameter-serialization-changed', `${name} was written as ${texts[0]}, is as ${texts[1]}.`, next.place)
    compareSchema(before, after, use, book, mayBeOmitted)
  }
}

function schemaOf(place: Place): Schema {
  const [[, media] = []] = childrenOf(below(place, 'content'))
  const schema = below(place, 'schema') ?? (media && below(media, 'schema'))
  return schema ? [schema] : []
}

/** `?status=A&status=B`, of which `?status=A` is one case. */
function repeats(place: Place, { types }: Shape): boolean {
  const { in: sort, style = 'form', explode = true } = objectAt(place)
  return sort === 'query' && types?.size === 1 && types.has('array') && style === 'form' && explode === true
}

function isSingle({ types }: Shape): boolean {
  return types !== undefined && !types.has('array') && !types.has('object')
}

/** How arrays and objects are written; plain values are written one way only. */
function serialization(place: Place, { types }: Shape): string {
  if (types && !types.has('array') && !types.has('object')) return 'itself'
  const {
    in: sort,
    content,
    style = sort === 'query' || sort === 'cookie' ? 'form' : 'simple',
    explode,
  } = objectAt(place)
  if (content !== undefined) return Object.keys(content as object)[0] ?? 'content'
  return `${style}${(explode ?? style === 'form') ? ' (exploded)' : ''}`
}
