/** Media types of two documents, matched without the charset, and by ranges such as `application/*`. */
import { childrenOf, type Location } from './location.ts'

/** The media types of a body by their normalized names: `application/json; charset=utf-8` is `application/json`. */
export function mediaTypesOf(content: Location | undefined): ReadonlyMap<string, Location> {
  return new Map(childrenOf(content).map(([type, location]) => [normalize(type), location]))
}

/** JSON is always UTF-8, and every other parameter may select another content. */
function normalize(type: string): string {
  return type
    .toLowerCase()
    .split(';')
    .map((parameter) => parameter.trim())
    .filter((parameter) => !parameter.startsWith('charset='))
    .join('; ')
}

/** The entry of a media type, or else the range that includes it. */
export function mediaTypeFor(types: ReadonlyMap<string, Location>, type: string): Location | undefined {
  const [main = ''] = type.split('/')
  return types.get(type) ?? types.get(`${main}/*`) ?? types.get('*/*')
}
