/** Finds the noun or link of a load or an export by its name, and decides what may be loaded and exported. */
import { delivery, nearest, targetOf, webhook } from '@nomen/core'
import type { BulkTarget } from '../store/bulk/bulk.ts'
import type { Model } from '../store/model.ts'
import { BulkError } from './error.ts'

/** Secrets of webhooks, and the rights of their users. */
const unexportedFields = ['signingSecret', 'oldSecret', 'oldSecretExpires', 'rights']

/** A target without the fields that no file may have. */
export function exportTarget(model: Model, name: string): BulkTarget {
  const target = findTarget(model, name)
  if (!('stored' in target) || target.stored.noun !== webhook) return target
  const fields = Object.entries(webhook.fields).filter(([field]) => !unexportedFields.includes(field))
  return { stored: { ...target.stored, noun: { ...webhook, fields: Object.fromEntries(fields) } } }
}

/** Throws a BulkError for webhooks and their log: each needs a secret, the rights of a user, and a position in the history. */
export function loadTarget(model: Model, name: string): BulkTarget {
  const target = findTarget(model, name)
  if ('stored' in target && (target.stored.noun === webhook || target.stored.noun === delivery))
    throw new BulkError(
      `Records of "${name}" cannot be loaded.`,
      'Create webhooks with POST /webhook: each gets a secret and the rights of its user.',
    )
  return target
}

/** A noun such as `user`, or a link such as `user-role`. */
function findTarget({ nouns, links }: Model, name: string): BulkTarget {
  const stored = nouns.get(name)
  if (stored) return { stored }
  const link = links.find((candidate) => candidate.name === name)
  if (link) return { link }
  const knownNames = [...nouns.keys(), ...links.map((candidate) => candidate.name)]
  const reversed = links.find(({ nouns: [first, second] }) => name === `${second.name}-${first.name}`)
  const suggestion = reversed?.name ?? nearest(name, knownNames)
  throw new BulkError(
    `Unknown noun "${name}".${suggestion ? ` Did you mean "${suggestion}"?` : ''}`,
    `Known nouns${links.length > 0 ? ' and links' : ''}: ${knownNames.join(', ')}.`,
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
