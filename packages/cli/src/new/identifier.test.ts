import * as core from '@nomen/core'
import { expect, it } from 'vitest'
import { identifierOf } from './identifier.ts'

it.each(['boolean', 'choice', 'date', 'decimal', 'email', 'guid', 'integer', 'link', 'number', 'text', 'url'])(
  'a noun "%s" does not get the name of a function that its file imports',
  (name) => {
    expect(core).toHaveProperty(name)
    expect(identifierOf(name, 'Noun')).toBe(`${name}Noun`)
  },
)

it('a noun gets its name in camelCase', () => {
  expect(['flag', 'cost-center', 'level-2'].map((name) => identifierOf(name, 'Noun'))).toEqual([
    'flag',
    'costCenter',
    'level2',
  ])
})
