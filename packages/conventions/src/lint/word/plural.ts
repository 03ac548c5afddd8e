/** Decides whether a name is plural. A dictionary may have further singular words of a project. */
import { singularOf } from '@nomen/core'
import { wordsOf } from '@nomen/core/openapi'

/** The singular of a name whose last word is plural, as words; undefined for other names. */
export type PluralDetector = (name: string) => readonly string[] | undefined

/** `dictionary` has singular words of a project, such as `kubernetes`. */
export function pluralDetector(dictionary: Iterable<string> = []): PluralDetector {
  const projectWords = new Set([...dictionary].map((word) => word.toLowerCase()))
  return (name) => {
    const words = wordsOf(name)
    const last = words.pop()
    if (last === undefined || projectWords.has(last) || projectWords.has(words.concat(last).join('-'))) return undefined
    const singular = singularOf(last)
    return singular === undefined ? undefined : [...words, singular]
  }
}
