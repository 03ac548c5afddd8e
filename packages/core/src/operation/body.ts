/** What the body of a write may hold, at its place. */
import { isMutable } from '../field/field.ts'
import { specOf } from '../noun/noun.ts'
import { directReference, type Relation } from '../resource/relation.ts'
import type { AnyResource } from '../resource/resource.ts'
import { completeShape, identityProperty, type Property, shownName } from '../resource/shape.ts'

/** A property that the path gives a value to: the reference from a nested record to one of its ancestors. */
export interface PathProperty {
  readonly property: Property
  readonly level: number
}

/** What the body of a write may hold. */
export interface Body {
  /** Every mutable property; all required (replace), any (update), those without default required (create). */
  readonly properties: readonly Property[]
  /** Shown, and not to be changed: a body may repeat them, so that a record that was read can be sent back. */
  readonly ignored: readonly string[]
  /** Absent where the body is none of a record. */
  readonly identity?: Property
  readonly fromPath: readonly PathProperty[]
}

export function bodyOf(resource: AnyResource, relations: readonly Relation[]): Body {
  const { properties } = completeShape(resource)
  const fromPath: PathProperty[] = []
  for (const relation of relations) {
    const field = directReference(relation)
    if (field === undefined) continue
    const property = { name: shownName(resource, field), field, spec: specOf(resource.noun, field) }
    if (isMutable(property.spec)) fromPath.push({ property, level: relation.level })
  }
  const given = new Set(fromPath.map(({ property }) => property.field))
  return {
    properties: properties.filter(({ field, spec }) => isMutable(spec) && !given.has(field)),
    ignored: properties.filter(({ spec }) => !isMutable(spec) && spec.kind !== 'identity').map(({ name }) => name),
    identity: identityProperty(resource),
    fromPath,
  }
}
