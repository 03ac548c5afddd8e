/** The identity of a noun, from the paths and the properties of its records. */
import { identifierOf } from '../../identifier.ts'
import { call, type FieldPlan } from '../field-plan.ts'
import { propertyName } from '../names.ts'
import type { Note } from '../note.ts'
import type { Collection } from './collection.ts'
import { describedField } from './described-field.ts'

/** The property with the ID: the parameter of the paths, unless that is another string, such as a user name. */
export function identityName(collection: Collection): string | undefined {
  const { record, parameter, noun } = collection
  const names = [...record.properties.keys()]
  const camel = identifierOf(noun, 'Noun')
  const commonNames = ['id', `${camel}Id`, `${noun.replaceAll('-', '_')}_id`, `${camel}Ref`, 'uuid', 'guid']
  const candidates = [...(isReadByName(collection) ? [] : [parameter]), ...commonNames]
  return candidates.find((name): name is string => name !== undefined && names.includes(name))
}

/** Whether the path of a record has a string that is not its ID, such as a user name; it becomes a lookup. */
export function isReadByName({ record, parameter = '' }: Collection): boolean {
  const shape = record.properties.get(parameter)?.shape
  return shape?.type === 'string' && shape.schema.format !== 'uuid' && !/(id|ref|guid)$/i.test(parameter)
}

export function identityPlan(collection: Collection, note: (note: Note) => void): { name: string; plan: FieldPlan } {
  const sourceName = identityName(collection)
  const shape = sourceName === undefined ? collection.identity : collection.record.properties.get(sourceName)?.shape
  const isReferenceName = sourceName === `${identifierOf(collection.noun, 'Noun')}Ref`
  const property = isReferenceName ? sourceName : sourceName && propertyName(collection.noun, sourceName)
  const name = property ?? 'id'
  if (sourceName !== undefined && name !== sourceName)
    note({ source: `${collection.noun}.${sourceName}`, text: `Renamed to ${name}.` })
  const described = (plan: FieldPlan) => (shape ? describedField(plan, shape).plan : plan)
  if (shape?.schema.format === 'uuid') return { name, plan: described([call('identity', 'guid')]) }
  if (sourceName !== undefined && shape?.type !== 'integer') {
    const text = 'Declared as a generated number: an ID must be an integer or a UUID.'
    note({ source: `${collection.noun}.${sourceName ?? name}`, text })
  }
  return { name, plan: described([call('identity')]) }
}
