// Lint of the names and types of filters in declarations.
import {
  type AnyResource,
  api,
  boolean,
  custom,
  date,
  equal,
  identity,
  integer,
  noun,
  range,
  resource,
  text,
} from '@nomen/core'
import { expect, it } from 'vitest'
import { lintApis } from '../src/index.ts'

const loan = noun(
  'loan',
  {
    id: identity(),
    due: date(),
    created: date(),
    createdDate: date(),
    activeSince: date(),
    openedAt: date(),
    nextYear: integer(),
    averageRating: integer(),
    department: text(),
    description: text(),
  },
  { computed: { overdue: boolean() } },
)

function findingsOf(listed: AnyResource) {
  const library = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [listed] })
  const { findings } = lintApis([library], 'desk.ts')
  return findings.filter(({ code }) => code.includes('filter')).map(({ code, message }) => `${code}: ${message}`)
}

it('a filter that is a property, a word of one, or has its own meaning is not an abbreviation', () => {
  const filters = {
    due: range('due'),
    created: range('created'),
    active: custom(boolean()),
    open: custom(boolean()),
    near: custom(boolean()),
    age: custom(integer()),
    overdue: custom(boolean()),
  }
  expect(findingsOf(resource(loan, { filters }))).toEqual([])
})

it('an abbreviation of a property is a warning', () => {
  const filters = { desc: equal('description'), dept: equal('department') }
  expect(findingsOf(resource(loan, { filters }))).toEqual([
    expect.stringMatching(/^filter-abbreviation: .*"desc".*"description"/),
    expect.stringMatching(/^filter-abbreviation: .*"dept".*"department"/),
  ])
})
