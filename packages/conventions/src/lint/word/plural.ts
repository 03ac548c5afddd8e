/** Decides whether a word is plural: two libraries must agree, and no dictionary may have the word as singular. */
import { createRequire } from 'node:module'
import { singularOf as spellSingular } from '@nomen/core'
import { wordsOf } from '@nomen/core/openapi'
import type compromise from 'compromise'
import pluralize from 'pluralize'
import { isSingularWord } from './singular-words.ts'

/** Loads compromise, which takes longer than all other modules together, when the first word needs it. */
const require = createRequire(import.meta.url)
let loaded: typeof compromise | undefined
function nlp(text: string) {
  loaded ??= require('compromise') as typeof compromise
  return loaded(text)
}

/** The singular of a name whose last word is plural, as words; undefined for other names. */
export type PluralJudge = (name: string) => readonly string[] | undefined

/** `dictionary` has singular words of a project, such as `kubernetes`. */
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
  // Short words and words with digits are abbreviations, whose s may belong to them: dns, os, s3.
  if (!/^[a-z]{4,}$/.test(word) || isSingularWord(word)) return undefined
  const singular = pluralize.singular(word)
  if (singular === word || !pluralize.isPlural(word)) return undefined
  // After an article, a word must be a noun: "checks" and "runs" alone could be verbs.
  if (!nlp(`the ${word}`).has('#Plural')) return undefined
  // pluralize turns cookies into "cooky" and niches into "nich"; core spells them right.
  return spellSingular(word) ?? singular
}
