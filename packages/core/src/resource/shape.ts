/** Shapes: the properties of a resource's records in each response, with the field behind each property. */

import type { FieldSpec } from '../field/field.ts'
import { camelCase } from '../naming/kebab-case.ts'
import { type AnyNoun, declaredSpecs, specOf, targetOf } from '../noun/noun.ts'
import { labelFields } from '../noun/noun-option.ts'
import type { AnyResource, ResourceOptions } from './resource.ts'

/** The name of a shape: the single record (`complete`), a list, or a list variant. */
export type ShapeName = 'complete' | 'list' | 'summary' | 'detail'

/** A property (JSON property) of a resource, with the field of the noun behind it. */
export interface Property {
  readonly name: string
  /** The name of the stored or computed field in the noun. */
  readonly field: string
  readonly spec: FieldSpec
  /** Present if the label of the referenced record is shown in place of its ID. */
  readonly label?: { readonly noun: AnyNoun; readonly fields: readonly string[] }
}

/** A shape (projection): the properties of a record in one kind of response. */
export interface Shape {
  readonly name: ShapeName
  readonly noun: AnyNoun
  readonly properties: readonly Property[]
}

/** The shape of that name; undefined if the resource does not have that list variant. */
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
  const properties = names.map((propertyName) => propertyOf(resource, propertyName, name !== 'complete'))
  return { name, noun, properties }
}

/** The properties of the single record. */
export function completeShape(resource: AnyResource): Shape {
  return shapeOf(resource, 'complete') as Shape
}

/** The property of a single record that shows a field, even if the resource does not show it. */
export function fieldProperty(resource: AnyResource, field: string): Property {
  return { name: shownName(resource, field), field, spec: specOf(resource.noun, field) }
}

/** The property that shows the identity. */
export function identityProperty(resource: AnyResource): Property {
  return fieldProperty(resource, resource.noun.identity)
}

/** The property name of a field in a resource. */
export function shownName(resource: AnyResource, field: string): string {
  return Object.keys(resource.rename).find((propertyName) => resource.rename[propertyName] === field) ?? field
}

/** The field of the noun behind a property name. */
export function storedName(resource: AnyResource, propertyName: string): string {
  return resource.rename[propertyName] ?? propertyName
}

/** The path segment of a resource. */
export function segmentOf(resource: AnyResource): string {
  return resource.options.path ?? resource.noun.name
}

/**
 * The name of the ID in a path template: `{id}` at the end of the path; elsewhere with the noun, as in `userId`, unless it
 * already begins with it, as in `applicationRef`. A name that the path already has gets the segment as a prefix.
 */
export function parameterOf(resource: AnyResource, isLast: boolean, usedNames: readonly string[]): string {
  const { name } = identityProperty(resource)
  const segment = camelCase(segmentOf(resource))
  const isUnambiguous = isLast || name.startsWith(camelCase(resource.noun.name))
  const parameter = resource.options.parameter ?? (isUnambiguous ? name : withSegmentPrefix(segment, name))
  return usedNames.includes(parameter) ? withSegmentPrefix(segment, parameter) : parameter
}

function withSegmentPrefix(segment: string, name: string): string {
  return segment + name.charAt(0).toUpperCase() + name.slice(1)
}

/** The resources declared below a resource. */
export function childrenOf(resource: AnyResource): readonly AnyResource[] {
  return (resource.options as ResourceOptions).children ?? []
}

function propertyOf(resource: AnyResource, propertyName: string, isInList: boolean): Property {
  const noun: AnyNoun = resource.noun
  const field = storedName(resource, propertyName)
  const spec = specOf(noun, field)
  const property = { name: propertyName, field, spec }
  if (!isInList || spec.kind !== 'reference') return property
  const target = targetOf(noun, field)
  const fields = labelFields(target.options)
  const { display } = resource.options as ResourceOptions
  const isDisplayed = display ? display.includes(propertyName) : !propertyName.endsWith('Ref')
  return isDisplayed && fields.length > 0 ? { ...property, label: { noun: target, fields } } : property
}

function shownNames(resource: AnyResource): readonly string[] {
  return [...declaredSpecs(resource.noun).keys()].map((field) => shownName(resource, field))
}
