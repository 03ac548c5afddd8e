/** ETags: written from the identity, the version and the shape of a record, and parsed from If-Match and If-None-Match. */
import { createHash } from 'node:crypto'
import { isStored, type Property, type Shape, type Value } from '@nomen/core'
import type { Computation } from '../define/compute.ts'

/** The tags of a conditional header, or any. */
export type EntityTags = '*' | readonly string[]

/**
 * A short hash of a shape, because a record has a different ETag in each shape. The source code of the functions of computed
 * fields is part of the hash.
 */
export function shapeHashOf(shape: Shape, computations: readonly Computation[]): string {
  const functionOf = ({ field, spec }: Property) => {
    if (isStored(spec)) return ''
    const definition = computations.find(
      (computation) => computation.noun === shape.noun && computation.field === field,
    )
    return `:${definition?.sources}:${definition?.revision}:${definition?.compute}`
  }
  const properties = shape.properties.map(
    (property) => `${property.name}:${property.field}:${property.spec.kind}${functionOf(property)}`,
  )
  return createHash('sha256').update(`${shape.noun.name}|${properties.join()}`).digest('hex').slice(0, 8)
}

/** The strong ETag of a record, without quotes. `variant` identifies the values of its volatile fields. */
export function entityTag(identity: Value, version: number, shapeHash: string, variant?: string): string {
  return `${identity}-${version}-${shapeHash}${variant === undefined ? '' : `.${variant}`}`
}

/** The variant of a record with these values of volatile fields. */
export function variantOf(values: readonly Value[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 8)
}

/** ETags for the conditions of a write, which ignore volatile fields, because these are not stored. */
export function withoutVariant(tags: EntityTags): EntityTags {
  return tags === '*' ? tags : tags.map((tag) => tag.replace(/\.[0-9a-f]{8}(?=(?:-(?:gzip|br))?"$)/, ''))
}

/** Parses If-Match or If-None-Match; undefined if the header is absent. Weak ETags keep their `W/`. */
export function readEntityTags(header: string | string[] | undefined): EntityTags | undefined {
  if (header === undefined) return undefined
  const text = typeof header === 'string' ? header : header.join()
  if (text.trim() === '*') return '*'
  const tags = text.match(/(?<=^|[\s,"])[^\s,"]*"[^"]*"/g) ?? []
  // Other characters before the quotes, such as "w/" in lower case, make a tag invalid.
  return tags.filter((tag) => tag.startsWith('"') || tag.startsWith('W/"'))
}

/** Strong comparison, for If-Match: a weak ETag matches nothing. */
export function matchesStrongly(tags: EntityTags, tag: string): boolean {
  return tags === '*' || tags.some((sentTag) => isStrong(sentTag) && withoutQuotes(sentTag) === tag)
}

/** Whether If-Match can match a record: it has a strong ETag, or is `*`. */
export function canMatch(tags: EntityTags): boolean {
  return tags === '*' || tags.some(isStrong)
}

/** Weak comparison, for If-None-Match. */
export function matchesWeakly(tags: EntityTags, tag: string): boolean {
  return tags === '*' || tags.some((sentTag) => withoutQuotes(sentTag.replace(/^W\//, '')) === tag)
}

/** The ETag of an encoded response. Each encoding has its own, because the bytes differ. */
export function encodedTag(tag: string, encoding: string | undefined): string {
  return encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`
}

function isStrong(sentTag: string): boolean {
  return !sentTag.startsWith('W/')
}

function withoutQuotes(quoted: string): string {
  return quoted.slice(1, -1).replace(/-(?:gzip|br)$/, '')
}
