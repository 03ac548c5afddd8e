/** The request bodies of writes. */
import { type FieldSpec, isSettable } from '../field/field.ts'
import { directReference, type Relation } from '../resource/relation.ts'
import type { AnyResource } from '../resource/resource.ts'
import { completeShape, fieldProperty, identityProperty, type Property } from '../resource/shape.ts'

/** A property that the path sets: the reference (foreign key) of a nested record to one of its ancestors. */
export interface PathProperty {
  readonly property: Property
  /** The position of the ancestor in the path, from 0. */
  readonly level: number
}

/** The request body of a POST, PUT or PATCH. */
export interface Body {
  /** The properties that clients can set. PUT requires all of them, POST those without a default, PATCH none. */
  readonly properties: readonly Property[]
  /** Read-only properties, which the service ignores, so that clients can send back a record that they have read. */
  readonly ignored: readonly string[]
  /** Fields of the noun with `.managed()`, shown or not: only a handler may write them. */
  readonly managed: readonly Property[]
  /** Absent in custom operations. */
  readonly identity?: Property
  /** Properties that the path sets; the body may omit them. */
  readonly fromPath: readonly PathProperty[]
}

export function bodyOf(resource: AnyResource, relations: readonly Relation[], isCreate: boolean): Body {
  const isWritable = (spec: FieldSpec) => isSettable(spec) && (isCreate || !spec.writeOnce)
  const { properties } = completeShape(resource)
  const fromPath: PathProperty[] = []
  for (const relation of relations) {
    const field = directReference(relation)
    if (field === undefined) continue
    const property = fieldProperty(resource, field)
    if (isSettable(property.spec)) fromPath.push({ property, level: relation.level })
  }
  const setByPath = new Set(fromPath.map(({ property }) => property.field))
  return {
    properties: properties.filter(({ field, spec }) => isWritable(spec) && !setByPath.has(field)),
    ignored: properties.filter(({ spec }) => !isWritable(spec) && spec.kind !== 'identity').map(({ name }) => name),
    managed: Object.keys(resource.noun.fields)
      .map((field) => fieldProperty(resource, field))
      .filter(({ spec }) => spec.managed === 'service'),
    identity: identityProperty(resource),
    fromPath,
  }
}
