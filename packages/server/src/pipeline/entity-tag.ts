/** Entity tags: written from a record's identity, its version and the shape it is shown in; read from If-Match. */
import { createHash } from 'node:crypto'
import { isStored, type Property, type Shape, type Value } from '@nomen/core'
import type { Computation } from '../define/compute.ts'

/** The tags of a conditional header, or any. */
export type EntityTags = '*' | readonly string[]

/**
 * A short name of a shape: one record shown in two shapes has two tags. A computed field is shown otherwise where its
 * function is another.
 */
export function shapeHash(shape: Shape, computations: readonly Computation[]): string {
  const functionOf = ({ field, spec }: Property) => {
    if (isStored(spec)) return ''
    const own = computations.find((one) => one.noun === shape.noun && one.field === field)
    return `:${own?.sources}:${own?.revision}:${own?.compute}`
  }
  const properties = shape.properties.map((one) => `${one.name}:${one.field}:${one.spec.kind}${functionOf(one)}`)
  return createHash('sha256').update(`${shape.noun.name}|${properties.join()}`).digest('hex').slice(0, 8)
}

/** The strong tag of a record, without quotes. */
export function entityTag(identity: Value, version: number, hash: string): string {
  return `${identity}-${version}-${hash}`
}

/** Reads If-Match or If-None-Match; undefined where the header is absent. Weak tags keep their `W/`. */
export function readEntityTags(header: string | string[] | undefined): EntityTags | undefined {
  if (header === undefined) return undefined
  const text = typeof header === 'string' ? header : header.join()
  if (text.trim() === '*') return '*'
  return text.match(/(?:W\/)?"[^"]*"/g) ?? []
}

/** Strong comparison, for If-Match: a weak tag matches nothing. */
export function matchesStrongly(tags: EntityTags, tag: string): boolean {
  return tags === '*' || tags.some((one) => !one.startsWith('W/') && bare(one) === tag)
}

/** Weak comparison, for If-None-Match. */
export function matchesWeakly(tags: EntityTags, tag: string): boolean {
  return tags === '*' || tags.some((one) => bare(one.replace(/^W\//, '')) === tag)
}

/** The tag of one encoding of a record: its bytes differ, so its tag does. */
export function encodedTag(tag: string, encoding: string | undefined): string {
  return encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`
}

function bare(quoted: string): string {
  return quoted.slice(1, -1).replace(/-(?:gzip|br)$/, '')
}
