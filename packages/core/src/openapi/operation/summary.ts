/** The summaries of operations. */
import { kebabCase } from '../../naming/kebab-case.ts'
import { pluralOf } from '../../naming/plural-form.ts'
import type { Operation } from '../../operation/operation.ts'
import { capital } from '../name.ts'

export function summaryOf({ kind, resource, shape, lookup, levels, custom, changesOf }: Operation): string {
  const name = `${resource.noun.name}`.replaceAll('-', ' ')
  const one = withArticle(name)
  const parent = levels.at(-2)
  const parentName = withArticle(`${parent?.resource.noun.name}`.replaceAll('-', ' '))
  const below = parent
    ? ` of ${parentName}`
    : changesOf
      ? ` of all ${pluralOf(changesOf.name.replaceAll('-', ' '))}`
      : ''
  switch (kind) {
    case 'list':
      return `List ${pluralOf(name)}${below}${shape.name === 'list' ? '' : ` (${shape.name})`}`
    case 'read':
      return `Get ${one}${below}`
    case 'lookup':
      return `Get ${one}${below} by ${lookup?.name}`
    case 'create':
      return `Create ${one}${below}`
    case 'replace':
      return `Replace ${one}${below}`
    case 'update':
      return `Update ${one}${below}`
    case 'delete':
      return `Delete ${one}${below}`
    case 'restore':
      return `Restore a deleted ${name}${below}`
    case 'erase':
      return `Erase the history of ${one}${below}`
    case 'link':
      return `Link ${one} with ${parentName}`
    case 'unlink':
      return `Unlink ${one} from ${parentName}`
    case 'custom': {
      const words = capital(kebabCase(custom?.name ?? '').replaceAll('-', ' '))
      return (
        custom?.declaration.options.summary ?? `${words} of ${custom?.on === 'record' ? one : `the ${name}`}${below}`
      )
    }
  }
}

/** Words that begin with a silent h, and words whose first vowel sounds like a consonant. */
const silentH = /^(heir|honest|honou?r|hour)/
const consonantSound = /^(eu|ewe|one\b|once|u[bfkt][aeiou]|uni(?!n|m)|ur[aeiou]|us[aeiu])/

/** Puts the indefinite article before words: `an application`, `a user`. */
function withArticle(words: string): string {
  const isVowel = silentH.test(words) || (/^[aeiou]/.test(words) && !consonantSound.test(words))
  return `${isVowel ? 'an' : 'a'} ${words}`
}
