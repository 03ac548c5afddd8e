import { createRequire } from 'node:module'
import { singularOf } from '@nomen/core'
import pluralize from 'pluralize'
import { describe, expect, it } from 'vitest'
import { pluralJudge } from './plural.ts'

const require = createRequire(import.meta.url)
const listed: readonly string[] = require('noun-json')
const judge = pluralJudge()

/** The singular of a word in core and in lint; undefined for a word that is not plural. */
const verdicts = (word: string) => ({ core: singularOf(word), lint: judge(word)?.join('-') })

const words = (text: string) => text.trim().split(/\s+/)
const allOf = (reasons: Readonly<Record<string, string>>) => Object.values(reasons).flatMap(words).sort()

describe('a list of English nouns', () => {
  const nouns = listed.filter((word) => /^[a-z]+$/.test(word))
  const entries = new Set(nouns)

  it('is long enough for a meaningful test', () => {
    expect(nouns.length).toBeGreaterThan(4000)
  })

  it('gets the same result from core and from the linter for every word', () => {
    const reviewed = {
      'names of people, of which core knows none': 'charles james thomas',
      'glasses to drink from are the plural of glass': 'glasses',
      'the lint judges no word of three letters': 'men',
      'plural as well as a pronoun': 'others',
    }
    const differing = nouns.filter((word) => verdicts(word).core !== verdicts(word).lint)
    expect(differing.sort()).toEqual(allOf(reviewed))
  })

  /** The lint reports a word if two judges agree, so it may miss a plural. It must not give another singular. */
  it('is recovered from its plurals, by core always and by the linter in the same spelling', () => {
    const reviewed = {
      'the plural of two nouns, of which core and the lint name the other one': 'bases booties ellipses leaves',
      'also the plural of a spelling in -y, or without the e': 'floozies goodies oldies pickaxes pinkies ramies',
      'used in the plural only, or with another meaning': 'goods graphics lyrics pliers pyjamas sales statistics',
      'not the plural that is in use: pluralize makes it': 'dolmen ephemerises golves viri worklives',
      'not a noun, or too short to be judged': 'gos ifs its ns they',
    }
    const isPlural = (word: string) => pluralize.isPlural(word) && pluralize.singular(word) !== word
    const differing = nouns
      .filter((word) => !isPlural(word))
      .map((singular) => ({ singular, plural: pluralize.plural(singular) }))
      .filter(({ singular, plural }, index) => {
        // The lint takes a millisecond a word, so it judges every third.
        const { core, lint } = index % 3 === 0 ? verdicts(plural) : { core: singularOf(plural), lint: undefined }
        // Words in -is and -us are singulars to core, such as basis and status.
        const isMissed = core === undefined && lint === undefined && /[iu]s$/.test(plural)
        return !entries.has(plural) && !isMissed && (core !== singular || (lint !== undefined && lint !== singular))
      })
    expect(differing.map(({ plural }) => plural).sort()).toEqual(allOf(reviewed))
  })
})
