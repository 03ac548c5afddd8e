/** The ETags of earlier responses: equal for the same view and version of a record, otherwise different. */
import type { View } from './view.ts'
import { identityOf, type NounName, type Row } from './world.ts'

interface KnownTag {
  view: string
  version: number
  tag: string
}

export class Tags {
  readonly #tags = new Map<string, KnownTag[]>()

  /** The ETag of the current version of a record, if it is known. */
  current(view: View, row: Row): string | undefined {
    const knownTags = this.knownTagsOf(view.noun, identityOf(view.noun, row))
    return knownTags.find((entry) => entry.view === view.name && entry.version === row.version)?.tag
  }

  /** All known ETags of a record, oldest first. */
  knownTagsOf(noun: NounName, id: number): readonly KnownTag[] {
    return this.#tags.get(`${noun} ${id}`) ?? []
  }

  /** Stores an ETag, and returns its fault if it has one. */
  storeTag(view: View, id: number, version: number, tag: unknown): string | undefined {
    if (typeof tag !== 'string' || !/^"[!#-~]+"$/.test(tag)) return `ETag is ${tag}, not a strong ETag`
    const knownTags = this.knownTagsOf(view.noun, id)
    const sameVersion = knownTags.find((entry) => entry.view === view.name && entry.version === version)
    if (sameVersion)
      return sameVersion.tag === tag ? undefined : `ETag is ${tag} and was ${sameVersion.tag}without a change`
    const otherEntry = knownTags.find((entry) => entry.tag === tag)
    if (otherEntry)
      return `ETag is ${tag} as it was for another state or view: ${otherEntry.view}, version ${otherEntry.version}`
    this.#tags.set(`${view.noun} ${id}`, [...knownTags, { view: view.name, version, tag }])
    return undefined
  }
}
