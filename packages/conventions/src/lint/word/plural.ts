/** Whether a word is plural: two judges that err in different ways must agree, and no list may know better. */
import { wordsOf } from '@nomen/core/openapi'
import nlp from 'compromise'
import pluralize from 'pluralize'
import { isSingularWord } from './singular-words.ts'

/** The singular of a name whose last word is plural, in the words of the name; undefined for any other name. */
export type PluralJudge = (name: string) => readonly string[] | undefined

/** `dictionary` holds words that a project takes for singular, such as `kubernetes`. */
export function pluralJudge(dictionary: Iterable<string> = []): PluralJudge {
  const known = new Set([...dictionary].map((word) => word.toLowerCase()))
  const judged = new Map<string, string | undefined>()
  return (name) => {
    const words = wordsOf(name)
    const last = words.pop()
    if (last === undefined || known.has(words.concat(last).join('-'))) return undefined
    if (!judged.has(last)) judged.set(last, known.has(last) ? undefined : singularOf(last))
    const singular = judged.get(last)
    return singular === undefined ? undefined : [...words, singular]
  }
}

function singularOf(word: string): string | undefined {
  // What has a digit or is very short is an abbreviation, and its s may belong to it: dns, os, s3.
  if (!/^[a-z]{4,}$/.test(word) || isSingularWord(word)) return undefined
  const singular = pluralize.singular(word)
  if (singular === word || !pluralize.isPlural(word)) return undefined
  // After an article a word can only be a noun: "checks" and "runs" would be verbs by themselves.
  return nlp(`the ${word}`).has('#Plural') ? singular : undefined
}
