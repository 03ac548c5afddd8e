import { describe, expect, it } from 'vitest'
import { pluralOf } from './plural.ts'
import { singularOf } from './singular.ts'

describe('pluralOf', () => {
  it.each([
    ['user', 'users'],
    ['cost-center', 'cost-centers'],
    ['cost center', 'cost centers'],
    ['category', 'categories'],
    ['key', 'keys'],
    ['address', 'addresses'],
    ['status', 'statuses'],
    ['branch', 'branches'],
    ['person', 'people'],
    ['salesman', 'salesmen'],
    ['human', 'humans'],
    ['analysis', 'analyses'],
    ['hero', 'heroes'],
    ['video', 'videos'],
    ['shelf', 'shelves'],
    ['delivery', 'deliveries'],
    ['alias', 'aliases'],
    ['bus', 'buses'],
    ['lens', 'lenses'],
    ['equipment', 'equipment'],
    ['v2', 'v2s'],
    ['', ''],
  ])('of %s is %s', (singular, plural) => {
    expect(pluralOf(singular)).toBe(plural)
  })

  it.each(['users', 'people', 'categories', 'user-roles', 'addresses', 'statuses', 'analyses', 'videos', 'schemas'])(
    'leaves %s, which is a plural',
    (plural) => {
      expect(pluralOf(plural)).toBe(plural)
    },
  )

  it.each([
    'invoice',
    'warehouse',
    'tax',
    'batch',
    'hypothesis',
    'knife',
    'company',
    'bonus',
    'phase',
    'cookie',
    'child',
  ])('of %s leads back to it', (singular) => {
    expect(singularOf(pluralOf(singular))).toBe(singular)
  })
})
