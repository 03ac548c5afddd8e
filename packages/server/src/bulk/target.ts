/** Finds the noun or link of a load or an export by its name. */
import { nearest, targetOf } from '@nomen/core'
import type { BulkTarget } from '../store/bulk/bulk.ts'
import type { Model } from '../store/model.ts'
import { BulkError } from './error.ts'

/** A noun such as `user`, or a link such as `user-role`. */
export function findTarget({ nouns, links }: Model, name: string): BulkTarget {
  const stored = nouns.get(name)
  if (stored) return { stored }
  const link = links.find((candidate) => candidate.name === name)
  if (link) return { link }
  const known = [...nouns.keys(), ...links.map((candidate) => candidate.name)]
  const reversed = links.find(({ nouns: [first, second] }) => name === `${second.name}-${first.name}`)
  const near = reversed?.name ?? nearest(name, known)
  throw new BulkError(
    `Unknown noun "${name}".${near ? ` Did you mean "${near}"?` : ''}`,
    `The service has ${known.join(', ')}.`,
  )
}

/** The fields of a noun that reference records of the same noun. */
export function selfReferences(
  target: BulkTarget,
): readonly { readonly field: string; readonly isNullable: boolean }[] {
  if (!('stored' in target)) return []
  const { noun } = target.stored
  return Object.keys(noun.fields)
    .filter((field) => noun.fields[field].spec.kind === 'reference' && targetOf(noun, field) === noun)
    .map((field) => ({ field, isNullable: noun.fields[field].spec.nullable === true }))
}
