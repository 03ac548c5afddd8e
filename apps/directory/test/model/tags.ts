/** The ETags that the service has given: equal for one face of one version, different for all others of the record. */
import type { Face } from './face.ts'
import { identityOf, type NounName, type Row } from './world.ts'

interface Known {
  face: string
  version: number
  tag: string
}

export class Tags {
  readonly #known = new Map<string, Known[]>()

  /** The tag of the record as it is now, where it has been seen. */
  current(face: Face, row: Row): string | undefined {
    const known = this.of(face.noun, identityOf(face.noun, row))
    return known.find((one) => one.face === face.name && one.version === row.version)?.tag
  }

  /** All that have been seen of a record, the first one first. */
  of(noun: NounName, id: number): readonly Known[] {
    return this.#known.get(`${noun} ${id}`) ?? []
  }

  /** Takes note of a tag, and says what is wrong with it. */
  learn(face: Face, id: number, version: number, tag: unknown): string | undefined {
    if (typeof tag !== 'string' || !/^"[!#-~]+"$/.test(tag)) return `ETag is ${tag}, no strong tag`
    const known = this.of(face.noun, id)
    const same = known.find((one) => one.face === face.name && one.version === version)
    if (same) return same.tag === tag ? undefined : `ETag is ${tag} and was ${same.tag}, with no change between`
    const other = known.find((one) => one.tag === tag)
    if (other) return `ETag is ${tag} as it was for another state or face: ${other.face}, version ${other.version}`
    this.#known.set(`${face.noun} ${id}`, [...known, { face: face.name, version, tag }])
    return undefined
  }
}
