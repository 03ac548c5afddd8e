// Colors of choices.
import { expect, it } from 'vitest'
import { toneOf } from './tone.ts'

it('gives a color only to states with a usual one', () => {
  expect(['ACTIVE', 'suspended', 'ON_HOLD', 'FAILED'].map(toneOf)).toEqual(['teal', 'orange', 'orange', 'red'])
  expect(['DRAFT', 'TOY', 'ACTIVELY', null].map(toneOf)).toEqual(['gray', 'gray', 'gray', 'gray'])
})
