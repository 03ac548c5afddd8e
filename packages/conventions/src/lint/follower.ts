/** Follows references from one value of a document to the next. */
import type { DocumentFiles } from './document/files.ts'
import { isObject } from './document/json-object.ts'
import type { Follow } from './document/node.ts'
import { isLost, resolver } from './document/references.ts'
import { keyOf } from './place.ts'

export function follower(files: DocumentFiles): Follow {
  const resolve = resolver(files)
  return (given) => {
    const seen = new Set<string>()
    let node = given
    while (isObject(node.value) && typeof node.value.$ref === 'string') {
      seen.add(keyOf(node.place))
      const next = resolve(node, node.value.$ref)
      if (isLost(next) || seen.has(keyOf(next.place))) return { place: node.place, value: undefined }
      node = next
    }
    return node
  }
}
