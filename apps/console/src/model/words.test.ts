// Names of the api as people read them.
import { expect, it } from 'vitest'
import { choiceTitle, grouped, title, withArticle } from './words.ts'

it.each([
  ['createdOrUpdated', 'Created or updated'],
  ['cost-center', 'Cost center'],
  ['externalID2', 'External ID2'],
  ['id', 'ID'],
  ['firstName', 'First name'],
])('%s is called %s', (name, called) => {
  expect(title(name)).toBe(called)
})

it('leaves choices alone that are no constants', () => {
  expect(['SUSPENDED', 'ON_HOLD', 'EUR', 'dark', 'zh-Hans'].map(choiceTitle)).toEqual([
    'Suspended',
    'On hold',
    'EUR',
    'dark',
    'zh-Hans',
  ])
})

it('groups the digits of numbers', () => {
  expect([0, 999, 1000, 1234567].map((count) => grouped(count).replaceAll('\u202f', ' '))).toEqual([
    '0',
    '999',
    '1 000',
    '1 234 567',
  ])
})

it('puts the article that sounds right', () => {
  expect(['user', 'action', 'role', 'unit', 'uncle', 'hour', 'order'].map(withArticle)).toEqual([
    'a user',
    'an action',
    'a role',
    'a unit',
    'an uncle',
    'an hour',
    'an order',
  ])
})
