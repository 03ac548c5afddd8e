// Names of the API as people read them.
import { expect, it } from 'vitest'
import { choiceTitle, foldedText, nounText, title } from './words.ts'

it.each([
  ['createdOrUpdated', 'Created or updated'],
  ['cost-center', 'Cost center'],
  ['externalID2', 'External ID2'],
  ['id', 'ID'],
  ['firstName', 'First name'],
])('%s is called %s', (name, expected) => {
  expect(title(name)).toBe(expected)
})

it('keeps choices that are not constants', () => {
  expect(['SUSPENDED', 'ON_HOLD', 'EUR', 'dark', 'zh-Hans'].map(choiceTitle)).toEqual([
    'Suspended',
    'On hold',
    'EUR',
    'dark',
    'zh-Hans',
  ])
})

it('writes a noun as words', () => {
  expect(nounText({ noun: 'cost-center' })).toBe('cost center')
})

it('compares texts without case and accents', () => {
  expect(['Łukasz KRÓL', 'Straße', 'Søren'].map(foldedText)).toEqual(['lukasz krol', 'strasse', 'soren'])
})
