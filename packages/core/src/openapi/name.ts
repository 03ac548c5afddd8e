/** The names of components. */
import { camelCase } from '../naming/kebab-case.ts'
import type { Operation } from '../operation/operation.ts'
import { segmentOf } from '../resource/shape.ts'

export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Possible names of a schema: the plain name, and a name with the path if another resource shows the noun differently. */
export function namesFor({ api, levels, resource, version }: Operation, ending: string): readonly string[] {
  const path = levels.map((level) => capitalize(camelCase(segmentOf(level.resource)))).join('')
  const noun = capitalize(camelCase(segmentOf(resource)))
  const pathInApi = `${capitalize(camelCase(api))}${path}`
  return [...new Set([noun, path, pathInApi, `${pathInApi}V${version ?? 0}`])].map((name) => name + ending)
}

/** Possible names of a custom operation's schema: with its name, and with its method if another operation has that name. */
export function customNames(operation: Operation, ending: string): readonly string[] {
  const name = capitalize(operation.custom?.name ?? '')
  const method = capitalize(operation.method.toLowerCase())
  return [...namesFor(operation, name + ending), ...namesFor(operation, name + method + ending)]
}
