/** The summaries of operations. */
import { kebabCase } from '../../naming/kebab-case.ts'
import { pluralOf } from '../../naming/plural.ts'
import type { Operation } from '../../operation/operation.ts'
import { capitalize } from '../name.ts'

export function summaryOf({ kind, resource, shape, lookup, levels, custom, changesOf }: Operation): string {
  const name = `${resource.noun.name}`.replaceAll('-', ' ')
  const nounWithArticle = withArticle(name)
  const parent = levels.at(-2)
  const parentName = withArticle(`${parent?.resource.noun.name}`.replaceAll('-', ' '))
  const ofParent = parent
    ? ` of ${parentName}`
    : changesOf
      ? ` of all ${pluralOf(changesOf.noun.name.replaceAll('-', ' '))}`
      : ''
  switch (kind) {
    case 'list':
      return `List ${pluralOf(name)}${ofParent}${shape.name === 'list' ? '' : ` (${shape.name})`}`
    case 'read':
      return `Get ${nounWithArticle}${ofParent}`
    case 'lookup':
      return `Get ${nounWithArticle}${ofParent} by ${lookup?.name}`
    case 'create':
      return `Create ${nounWithArticle}${ofParent}`
    case 'replace':
      return `Replace ${nounWithArticle}${ofParent}`
    case 'update':
      return `Update ${nounWithArticle}${ofParent}`
    case 'delete':
      return `Delete ${nounWithArticle}${ofParent}`
    case 'restore':
      return `Restore a deleted ${name}${ofParent}`
    case 'erase':
      return `Erase the history of ${nounWithArticle}${ofParent}`
    case 'link':
      return `Link ${nounWithArticle} with ${parentName}`
    case 'unlink':
      return `Unlink ${nounWithArticle} from ${parentName}`
    case 'custom': {
      const words = capitalize(kebabCase(custom?.name ?? '').replaceAll('-', ' '))
      return (
        custom?.declaration.options.summary ??
        `${words} of ${custom?.on === 'record' ? nounWithArticle : `the ${name}`}${ofParent}`
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
