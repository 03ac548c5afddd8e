// Names of the API as people read them.
import { expect, it } from 'vitest'
import { choiceTitle, foldedText, nounText, title } from './title.ts'

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
  const titles = (...choices: string[]) => choices.map((choice) => choiceTitle(choice, choices))
  expect(titles('SUSPENDED', 'ON_HOLD', 'dark', 'zh-Hans')).toEqual(['Suspended', 'On hold', 'dark', 'zh-Hans'])
  expect(titles('EUR', 'USD')).toEqual(['EUR', 'USD'])
  expect(titles('TOY', 'BOOK')).toEqual(['Toy', 'Book'])
})

it('writes a noun as words', () => {
  expect(nounText({ noun: 'cost-center' })).toBe('cost center')
})

it('compares texts without case and accents', () => {
  expect(['Łukasz KRÓL', 'Straße', 'Søren'].map(foldedText)).toEqual(['lukasz krol', 'strasse', 'soren'])
})
