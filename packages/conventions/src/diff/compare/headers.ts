/** The headers that OpenAPI documents declare, without those that it ignores. */
import { below, childrenOf, type Location, objectAt } from '../location.ts'

/** The declared header with its name in the document. */
export interface Header {
  readonly name: string
  readonly location: Location
}

/** The headers of a response by their names in lower case. OpenAPI ignores `Content-Type`: `content` describes it. */
export function headersOf(response: Location): ReadonlyMap<string, Header> {
  const headers = childrenOf(below(response, 'headers')).map(
    ([name, location]) => [name.toLowerCase(), { name, location }] as const,
  )
  return new Map(headers.filter(([key]) => key !== 'content-type'))
}

const ignoredParameters = new Set(['accept', 'content-type', 'authorization'])

/** Whether OpenAPI ignores a parameter, because `content` and `security` describe these headers. */
export function isIgnoredParameter(parameter: Location): boolean {
  const { in: kind, name } = objectAt(parameter)
  return kind === 'header' && typeof name === 'string' && ignoredParameters.has(name.toLowerCase())
}
