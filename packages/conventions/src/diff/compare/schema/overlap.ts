/** Finds alternatives of `oneOf` that one value may match together: `oneOf` rejects such a value. */
import { type Schema, type Shape, shapeOf } from '../../shape.ts'
import { isTighter } from './limit.ts'

const scalars = ['string', 'number', 'integer', 'boolean']
const maxDepth = 5

/** Whether a value may match both. Two objects overlap only if one schema includes the other. */
export function overlaps(a: Shape, b: Shape): boolean {
  if (a.values && b.values) return [...a.values].some((value) => b.values?.has(value))
  const isShared = (type: string) => [a, b].every((shape) => hasType(shape, type))
  if (scalars.some(isShared)) return !isBelow(a, b) && !isBelow(b, a)
  return isWithin(a, b) || isWithin(b, a)
}

/** Integers are numbers. */
function hasType({ types }: Shape, type: string): boolean {
  return types?.has(type) === true || (type === 'integer' && types?.has('number') === true)
}

/** Whether all values of a are below all values of b, or shorter. */
function isBelow(a: Shape, b: Shape): boolean {
  return [
    ['maximum', 'minimum'],
    ['maxLength', 'minLength'],
  ].some(([upper = '', lower = '']) => {
    const [upperLimit, lowerLimit] = [a.limits.get(upper), b.limits.get(lower)]
    return upperLimit !== undefined && lowerLimit !== undefined && upperLimit.value < lowerLimit.value
  })
}

/** Whether every value of a is certainly a value of b. */
export function isWithin(a: Shape, b: Shape, depth = 0): boolean {
  if (depth > maxDepth || b.choices.length > 0 || a.choices.length > 0) return false
  if (a.isNullable && !b.isNullable) return false
  if (b.types && (!a.types || ![...a.types].every((type) => hasType(b, type)))) return false
  if (b.values && (!a.values || ![...a.values].every((value) => b.values?.has(value)))) return false
  if (b.format !== undefined && a.format !== b.format) return false
  if ([...b.restrictions].some(([keyword, text]) => a.restrictions.get(keyword) !== text)) return false
  if ([...b.limits].some(([keyword, limit]) => isTighter(keyword, limit, a.limits.get(keyword)))) return false
  if (![...b.required].every((name) => a.required.has(name))) return false
  if (b.isClosed && !(a.isClosed && [...a.fields.keys()].every((name) => b.fields.has(name)))) return false
  if (b.prefix.length > 0 || b.patternFields.size > 0 || b.otherFields.length > 0) return false
  const isSchemaWithin = (inner: Schema | undefined, outer: Schema) =>
    inner !== undefined && isWithin(shapeOf(inner), shapeOf(outer), depth + 1)
  return (
    (b.items.length === 0 || isSchemaWithin(a.items, b.items)) &&
    [...b.fields].every(([name, schema]) => isSchemaWithin(a.fields.get(name) ?? (a.isClosed ? schema : []), schema))
  )
}
