/** Schemas of one form of a value, for the comparison of a schema with alternatives and one without. */
import { isObject } from '@nomen/core/openapi'
import type { Location } from '../../location.ts'
import { isUnrestricted } from '../../restriction.ts'
import type { Schema, Shape } from '../../shape.ts'

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
