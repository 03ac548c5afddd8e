/** Schemas of one form of a value, for the comparison of a schema with alternatives and one without. */
import { isObject } from '@nomen/core/openapi'
import type { Location } from '../../location.ts'
import { isUnrestricted } from '../../restriction.ts'
import { type Schema, type Shape, shapeOf } from '../../shape.ts'

/** Whether a field is declared beside the alternatives on one side, and in each of them on the other. */
export function hasMovedField(old: Shape, next: Shape): boolean {
  return movesFields(old, next) || movesFields(next, old)
}

function movesFields(from: Shape, to: Shape): boolean {
  const [choice, ...others] = to.choices
  if (!choice || others.length > 0 || from.choices.length !== 1) return false
  const isInAlternatives = (name: string) =>
    choice.alternatives.every((alternative) => shapeOf([alternative]).fields.has(name))
  return [...from.fields.keys()].some((name) => !to.fields.has(name) && isInAlternatives(name))
}

/** An alternative together with the keywords beside `oneOf` or `anyOf`, which a value must match too. */
export function schemaOfAlternative(alternative: Location, shape: Shape): Schema {
  return [alternative, ...partsWithout(shape, ['oneOf', 'anyOf', 'allOf', 'discriminator', 'nullable'])]
}

/** A schema for each type of a value, without null, which is compared separately. */
export function schemasByType(shape: Shape): readonly Schema[] {
  const { schema, types, isNullable } = shape
  const [location] = schema
  if (!location || !types || (types.size === 1 && !isNullable)) return [schema]
  const parts = partsWithout(shape, ['nullable'])
  return [...types].map((type) => [...parts, { ...location, pointer: `${location.pointer}/${type}`, value: { type } }])
}

function partsWithout({ parts }: Shape, keywords: readonly string[]): readonly Location[] {
  return parts.flatMap((part) => {
    if (!isObject(part.value)) return part
    const value = Object.fromEntries(Object.entries(part.value).filter(([keyword]) => !keywords.includes(keyword)))
    return isUnrestricted(value) ? [] : { ...part, value }
  })
}
