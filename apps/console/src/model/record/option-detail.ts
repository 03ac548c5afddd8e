/** The second line of an option, which tells records with the same label apart. */
import type { Json } from '../service/openapi.ts'
import { type Collection, idOf, type Service } from '../service/service.ts'
import type { Field } from './field.ts'
import { labelFields } from './label.ts'

/** The maximum number of values besides the ID. */
const maxFields = 2

/** References first, then values that are unique. A label may contain some of them already. */
export function detailFields(service: Service, collection: Collection): readonly Field[] {
  const { fields, identity } = collection
  const label = labelFields(service, collection)
  const otherFields = fields.filter(({ name, isReadOnly }) => name !== identity && !isReadOnly && !label.includes(name))
  const isReference = ({ kind, isNullable }: Field) => kind === 'reference' && !isNullable
  const isIdentifying = ({ kind, isUnique }: Field) => kind === 'email' || (isUnique && kind === 'text')
  return [...otherFields.filter(isReference), ...otherFields.filter(isIdentifying)].slice(0, maxFields)
}

/** `labelOf` names a referenced record; without a name, the reference is left out. */
export function detailText(
  collection: Collection,
  fields: readonly Field[],
  record: Json,
  labelOf: (name: string, id: unknown) => string | undefined,
): string {
  const values = fields.flatMap(({ name, kind }) => {
    const value = record[name]
    if (value === null || value === undefined || value === '') return []
    return (kind === 'reference' ? labelOf(name, value) : `${value}`) ?? []
  })
  return [...values, `${idOf(collection, record)}`].join(' · ')
}
