/** The notes about a record and about the parameters of its list. */
import { recordIn } from '@nomen/core/openapi'
import type { FieldPlan } from '../field-plan.ts'
import { propertyName } from '../names.ts'
import type { Note } from '../note.ts'
import { type Collection, nameOf } from './collection.ts'

/** Notes about a whole record: properties that only lists or bodies have, and null instead of missing properties. */
export function noteRecord(
  collection: Collection,
  fields: ReadonlyMap<string, FieldPlan>,
  note: (note: Note) => void,
): void {
  const { noun, record, item, group } = collection
  const bodies = group.flatMap(({ operations }) => [operations.create, operations.replace, operations.update])
  const shapes = [
    item,
    collection.summary,
    collection.detail,
    ...bodies.map((operation) => operation?.body?.shape && recordIn(operation.body.shape, noun)),
  ]
  const others = new Set(shapes.flatMap((shape) => [...(shape?.properties.keys() ?? [])]))
  for (const name of others)
    if (!record.properties.has(name))
      note({ source: `${noun}.${name}`, text: 'Left out: the record in responses has no such property.' })
  const optional = [...record.properties.values()].filter(
    ({ name, shape, isRequired }) =>
      !isRequired &&
      !shape.isNullable &&
      fields.get(propertyName(noun, name) ?? '')?.some((modifier) => modifier.name === 'nullable'),
  )
  if (optional.length > 0)
    note({
      source: noun,
      text: `Responses have null for a missing ${optional.map(({ name }) => name).join(', ')}.`,
    })
  if (record.isUnion)
    note({
      source: noun,
      text: 'A union of several schemas in the document, here one record with all of their properties.',
    })
  else if (record.isOpen)
    note({ source: noun, text: 'Additional properties, which the document allows, are not stored.' })
}

/** Notes about filters that no property has. */
export function noteParameters(
  { list, noun }: Collection,
  fields: ReadonlyMap<string, FieldPlan>,
  note: (note: Note) => void,
): void {
  for (const { name, role } of list?.parameters ?? []) {
    const property = propertyName(noun, name)
    if (role !== 'filter') continue
    if (property !== undefined && fields.has(property.replace(/(From|To)$/, ''))) continue
    const text = 'Left out: no property has this name. Declare the filter with filters: { … }.'
    note({ source: `${nameOf(list as NonNullable<typeof list>)} ?${name}`, text })
  }
}
