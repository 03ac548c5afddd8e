import { createRequire } from 'node:module'
import { singularOf } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { pluralDetector } from './plural.ts'

const require = createRequire(import.meta.url)
const listed: readonly string[] = require('noun-json')
const judge = pluralDetector()
const words = (text: string) => text.trim().split(/\s+/)

describe('the detection of plurals', () => {
  it('checks the last word of a name, in any notation', () => {
    expect([judge('userRoles'), judge('user-roles'), judge('user_roles'), judge('rolesOfUser')]).toEqual([
      ['user', 'role'],
      ['user', 'role'],
      ['user', 'role'],
      undefined,
    ])
  })

  it('knows the singular words of a project, also as part of a name', () => {
    const own = pluralDetector(['Ceres', 'user-roles'])
    expect([own('ceres'), own('planet-ceres'), own('userRoles'), own('roles')]).toEqual([
      undefined,
      undefined,
      undefined,
      ['role'],
    ])
  })

  it('ignores abbreviations and words with digits', () => {
    expect(['dns', 'os', 's3s', 'aws', 'p256s', ''].map(judge)).toEqual(Array(6).fill(undefined))
  })

  it.each(
    words(
      'specimen regimen omen pelvis abdomen stamen rumen epidermis rhinoceros cosmos ethos pathos dais biceps binoculars',
    ),
  )('does not report %s', (word) => {
    expect(judge(word)).toBeUndefined()
  })

  it.each([
    ['cookies', 'cookie'],
    ['caches', 'cache'],
    ['fuses', 'fuse'],
    ['niches', 'niche'],
    ['excuses', 'excuse'],
    ['bookshelves', 'bookshelf'],
    ['neckties', 'necktie'],
    ['posses', 'posse'],
  ])('proposes a word for %s', (plural, singular) => {
    expect(judge(plural)).toEqual([singular])
  })
})

describe('a list of English nouns', () => {
  const nouns = listed.filter((word) => /^[a-z]+$/.test(word))
  const entries = new Set(nouns)

  it('is long enough for a meaningful test', () => {
    expect(nouns.length).toBeGreaterThan(4000)
  })

  it('has few words that are reported as plurals and whose singular is not in the list: they are plurals', () => {
    const plurals = words(`
      bloomers clogs earmuffs earrings facilities fatigues gaiters galoshes goggles gumshoes hops klomps moccasins parentheses
      sandals sideburns sneakers suspenders thermals togs women
    `)
    const reported = nouns.filter((word) => singularOf(word) !== undefined && !entries.has(`${singularOf(word)}`))
    expect(reported).toEqual(plurals)
  })

  it('is recovered from its regular plurals', () => {
    const isRegular = (word: string) => !/(s|x|z|ch|sh|[^aeiou]y|[iou]|fe?|man)$/.test(word) && word.length > 3
    const reviewed = {
      'used in the plural only, or a verb':
        'good graphic initial lyric mechanic plier pyjama sale statistic window delete remove equal consist',
      'also the plural of a spelling in -y': 'bootie floozie goodie oldie pinkie ramie',
      'not in use': 'common',
      'the plural of another word too': 'leave ellipse axe pickaxe',
    }
    const missed = nouns.filter(
      (word) => isRegular(word) && !singularOf(word) && !entries.has(`${word}s`) && singularOf(`${word}s`) !== word,
    )
    expect(missed.filter((word) => !Object.values(reviewed).flatMap(words).includes(word))).toEqual([])
  })
})
