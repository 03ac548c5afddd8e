/** An operation table as text for golden files: a line for each operation, and one for each collection. */
import type { DocumentCollection, DocumentOperation, OpenApiTable, Shape } from '@nomen/core/openapi'

export function tableText(table: OpenApiTable): string {
  const { operations, outgoingOperations, collections } = table
  return [
    ...operations.map((operation) => operationLine(operation, collections)),
    ...outgoingOperations.map(({ pointer, method, path }) => `${pointer} | ${method.toUpperCase()} ${path} | message`),
    ...collections.map((collection) => collectionLine(collection)),
    '',
  ].join('\n')
}

function operationLine(operation: DocumentOperation, collections: readonly DocumentCollection[]): string {
  const { pointer, method, path, role, list, version, isDeprecated, isGone, problems, parameters } = operation
  const owner = collections.find((collection) => operationsOf(collection).includes(operation))
  const parent = collections.find(({ key }) => key === owner?.parent)
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const byRole = Map.groupBy(inQuery, (parameter) => parameter.role ?? 'value')
  return [
    pointer,
    `${method.toUpperCase()} ${path}`,
    [role, list && `${list.form}${list.property === undefined ? '' : `(${list.property})`}`].filter(Boolean).join(' '),
    [owner?.noun ?? '-', parent && `of ${parent.noun}`].filter(Boolean).join(' '),
    ...(version === undefined ? [] : [`v${version}`]),
    ...(isGone ? ['gone'] : isDeprecated ? ['deprecated'] : []),
    ...[...byRole].map(
      ([name, parameters]) => `${name} ${parameters.map((parameter) => parameterText(parameter)).join(',')}`,
    ),
    ...(problems.length > 0 ? [`problems ${problems.map(({ status }) => status).join(',')}`] : []),
  ].join(' | ')
}

function parameterText({ name, range }: DocumentOperation['parameters'][number]): string {
  return range ? `${name}(${range.bound} of ${range.name})` : name
}

function collectionLine(collection: DocumentCollection): string {
  const { key, noun, identity, lists, lookups, record, references } = collection
  return [
    `collection ${key}`,
    noun,
    `identity ${identity ?? '-'}`,
    ...lists.map(({ variant, items }) => `${variant} ${propertiesText(items)}`),
    `record ${propertiesText(record)}`,
    ...(lookups.length > 0 ? [`by ${lookups.map(({ field }) => field).join(',')}`] : []),
    ...(references.size > 0 ? [`references ${[...references].map((pair) => pair.join('>')).join(',')}`] : []),
  ].join(' | ')
}

/** `?` for optional, `-` for read-only. */
function propertiesText(shape: Shape | undefined): string {
  const properties = [...(shape?.properties.values() ?? [])]
  const names = properties.map(({ name, isRequired, isReadOnly }) => {
    return `${name}${isRequired ? '' : '?'}${isReadOnly ? '-' : ''}`
  })
  return names.join(',') || '-'
}

function operationsOf({ operations, lists, lookups, actions }: DocumentCollection): readonly DocumentOperation[] {
  return [
    ...Object.values(operations),
    ...[...lists, ...lookups].map(({ operation }) => operation),
    ...actions.record,
    ...actions.collection,
  ]
}
