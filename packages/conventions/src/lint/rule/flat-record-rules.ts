/** Rules for flat records: no objects in them, and no references that are objects. */
import { isIdentifier, type Shape, type ShapeProperty, wordsOf } from '@nomen/core/openapi'
import { recordProperties } from './owned-property.ts'
import type { Rule } from './rule.ts'

const labels = new Set(['name', 'label', 'title', 'value', 'text', 'description', 'display'])
/** Words before a label that say nothing about its owner. */
const labelKinds = new Set(['display', 'full', 'long', 'short'])

/** Whether an object has only an ID, and a label of the same thing. */
function isReference({ name, shape: { properties } }: ShapeProperty): boolean {
  const identifier = [...properties.keys()].find(isIdentifier)
  const label = [...properties.values()].find((property) => property.name !== identifier)
  if (properties.size !== 2 || identifier === undefined || label?.shape.type !== 'string') return false
  const words = wordsOf(label.name)
  if (!labels.has(words.pop() ?? '')) return false
  const owner = words.filter((word) => !labelKinds.has(word)).join()
  return (
    owner === '' || [wordsOf(identifier).slice(0, -1), wordsOf(name)].some((candidate) => candidate.join() === owner)
  )
}

const isObject = ({ type, properties }: Shape) => type === 'object' && properties.size > 0

const referenceObject: Rule = {
  code: 'reference-object',
  severity: 'error',
  about: 'A reference must be one property: the ID in a single record, the label in a list.',
  *check(view) {
    for (const { property } of recordProperties(view)) {
      if (!isObject(property.shape) || property.shape.isOpen || !isReference(property)) continue
      const names = [...property.shape.properties.keys()].map((name) => `"${name}"`).join(' and ')
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" is an object with only ${names}.`,
        fix: 'Use one value: the ID in a single record, the label in a list.',
      }
    }
  },
}

const nestedObject: Rule = {
  code: 'nested-object',
  severity: 'warning',
  about: 'Records must be flat.',
  *check(view) {
    for (const { property, owner } of recordProperties(view)) {
      if (!isObject(property.shape) || property.name === 'pageInfo' || owner.isOpen) continue
      if (isReference(property)) continue
      const { size } = property.shape.properties
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" is an object with ${size} ${size === 1 ? 'property' : 'properties'}.`,
        fix: 'Make its properties part of the record, or make it a nested resource.',
      }
    }
  },
}

export const flatRecordRules: readonly Rule[] = [referenceObject, nestedObject]
