/** Shapes: which properties a resource shows where, and what each of them stands for. */

import type { FieldSpec } from '../field/field.ts'
import { camelCase } from '../naming/kebab-case.ts'
import { type AnyNoun, declaredSpecs, labelFields, specOf, targetOf } from '../noun/noun.ts'
import type { AnyResource, ResourceOptions } from './resource.ts'

export type ShapeName = 'complete' | 'list' | 'summary' | 'detail'

/** One property that a resource shows. */
export interface Property {
  readonly name: string
  /** The field's name in the noun; what is computed bears its own there. */
  readonly field: string
  readonly spec: FieldSpec
  /** Present where the label of the referenced record is shown in place of its identity. */
  readonly label?: { readonly noun: AnyNoun; readonly fields: readonly string[] }
}

export interface Shape {
  readonly name: ShapeName
  readonly noun: AnyNoun
  readonly properties: readonly Property[]
}

/** The shape of that name, or undefined where the resource does not offer that variant. */
export function shapeOf(resource: AnyResource, name: ShapeName): Shape | undefined {
  const noun: AnyNoun = resource.noun
  const options = resource.options as ResourceOptions
  const complete = options.complete ?? shownNames(resource)
  const names = {
    complete,
    list: options.list ?? complete,
    summary: options.summary,
    detail: options.detail === true ? complete : options.detail,
  }[name]
  if (names === undefined) return undefined
  const properties = names.map((shown) => propertyOf(resource, shown, name !== 'complete'))
  return { name, noun, properties }
}

/** The properties of the single record. */
export function completeShape(resource: AnyResource): Shape {
  return shapeOf(resource, 'complete') as Shape
}

/** The property that shows the identity. */
export function identityProperty(resource: AnyResource): Property {
  return propertyOf(resource, shownName(resource, resource.noun.identity), false)
}

/** The name under which a resource shows, or would show, a stored field. */
export function shownName(resource: AnyResource, field: string): string {
  return Object.keys(resource.rename).find((shown) => resource.rename[shown] === field) ?? field
}

/** The stored field that a shown name stands for. */
export function storedName(resource: AnyResource, shown: string): string {
  return resource.rename[shown] ?? shown
}

/** The path segment of a resource. */
export function segmentOf(resource: AnyResource): string {
  return resource.options.path ?? resource.noun.name
}

/**
 * What the identity is called in a path: `{id}` where the path ends in it; above others `userId`, `boxGuid`, or
 * `applicationRef`, which names its noun already. A name that stands in the path before is told apart by the segment.
 */
export function parameterOf(resource: AnyResource, isLast: boolean, taken: readonly string[]): string {
  const { name } = identityProperty(resource)
  const segment = camelCase(segmentOf(resource))
  const isTelling = isLast || name.startsWith(camelCase(resource.noun.name))
  const parameter = resource.options.parameter ?? (isTelling ? name : prefixed(segment, name))
  return taken.includes(parameter) ? prefixed(segment, parameter) : parameter
}

function prefixed(segment: string, name: string): string {
  return segment + name.charAt(0).toUpperCase() + name.slice(1)
}

/** The resources declared below a resource. */
export function childrenOf(resource: AnyResource): readonly AnyResource[] {
  return (resource.options as ResourceOptions).children ?? []
}

function propertyOf(resource: AnyResource, shown: string, isInList: boolean): Property {
  const noun: AnyNoun = resource.noun
  const field = storedName(resource, shown)
  const spec = specOf(noun, field)
  const property = { name: shown, field, spec }
  if (!isInList || spec.kind !== 'reference') return property
  const target = targetOf(noun, field)
  const fields = labelFields(target.options)
  const { display } = resource.options as ResourceOptions
  const isDisplayed = display ? display.includes(shown) : !shown.endsWith('Ref')
  return isDisplayed && fields.length > 0 ? { ...property, label: { noun: target, fields } } : property
}

function shownNames(resource: AnyResource): readonly string[] {
  return [...declaredSpecs(resource.noun).keys()].map((field) => shownName(resource, field))
}
