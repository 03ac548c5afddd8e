/** Operations for callers who lack the scopes of some fields. */
import { declaredSpecs } from '../noun/noun.ts'
import type { Property } from '../resource/shape.ts'
import type { ListParameter } from './list-parameter.ts'
import type { Operation } from './operation.ts'

/**
 * Returns the OAuth scopes of single fields (`visibleTo`) of the noun that an operation shows.
 *
 * @example
 * ```ts
 * operations(directory).flatMap(fieldScopes) // ['salary:read']
 * ```
 */
export function fieldScopes({ shape: { noun } }: Operation): readonly string[] {
  const scopes = [...declaredSpecs(noun).values()].flatMap(({ scope }) => scope ?? [])
  return [...new Set(scopes)]
}

/**
 * Returns an operation without the fields of these OAuth scopes: responses and bodies do not have them, and lists cannot be
 * filtered, sorted or searched by them.
 *
 * @example
 * ```ts
 * operations(directory).map((operation) => withoutFields(operation, ['salary:read']))
 * ```
 */
export function withoutFields(operation: Operation, scopes: readonly string[]): Operation {
  const { shape, list, body } = operation
  const specs = declaredSpecs(shape.noun)
  const isVisible = (field: string) => !scopes.includes(specs.get(field)?.scope ?? '')
  const visible = (properties: readonly Property[]) => properties.filter(({ field }) => isVisible(field))
  const hidden = shape.properties.filter(({ field }) => !isVisible(field)).map(({ name }) => name)
  return {
    ...operation,
    // The name of the api is the cache key of prepared statements, so each view needs its own.
    api: `${operation.api} without ${scopes.join(' ')}`,
    shape: { ...shape, properties: visible(shape.properties) },
    hidden,
    ...(list && {
      list: { ...list, parameters: list.parameters.flatMap((parameter) => visibleParameter(parameter, isVisible)) },
    }),
    ...(body && {
      body: {
        ...body,
        properties: visible(body.properties),
        managed: visible(body.managed),
        ignored: body.ignored.filter((name) => !hidden.includes(name)),
      },
    }),
  }
}

/** A parameter without the hidden fields; none if no field is left. */
function visibleParameter(parameter: ListParameter, isVisible: (field: string) => boolean): readonly ListParameter[] {
  if (parameter.kind === 'sort') {
    const fields = new Map([...parameter.fields].filter(([, field]) => isVisible(field)))
    const collations = new Map([...(parameter.collations ?? [])].filter(([name]) => fields.has(name)))
    return [{ ...parameter, fields, collations, maxValues: fields.size }]
  }
  if (!('fields' in parameter) || parameter.kind === 'changed-field') return [parameter]
  const fields = parameter.fields.filter(isVisible)
  return fields.length === 0 ? [] : [{ ...parameter, fields }]
}
