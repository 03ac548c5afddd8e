/** An office whose people and teams have computed fields, with its sample. */
import {
  api,
  boolean,
  choice,
  createdAt,
  date,
  decimal,
  identity,
  integer,
  link,
  noun,
  reference,
  resource,
  text,
} from '@nomen/core'
import { type Computation, compute, service } from '@nomen/server'
import { expect } from 'vitest'
import { openService } from './test-service.ts'

export const team = noun('team', { id: identity(), name: text() }, { label: 'name', computed: { shout: text() } })
export const person = noun(
  'person',
  {
    id: identity(),
    firstName: text(),
    lastName: text(),
    email: text().unique(),
    born: date().nullable(),
    salary: decimal({ scale: 2 }).default('0.00'),
    team: reference(() => team),
    boss: reference(() => person)
      .nullable()
      .clearedOnDelete(),
    created: createdAt(),
  },
  {
    computed: {
      fullName: text({ maxLength: 40 }),
      yearOfBirth: integer().nullable(),
      isFirstTeam: boolean(),
      tax: decimal({ scale: 2 }),
      size: choice('SHORT', 'LONG'),
    },
  },
)

const club = noun('club', { id: identity(), name: text() })
const clubPerson = link(club, person)

export const computed: readonly Computation[] = [
  compute(team, 'shout', ['name'], ({ name }) => `${name.toUpperCase()}!`),
  compute(person, 'fullName', ['firstName', 'lastName'], ({ firstName, lastName }) => `${firstName} ${lastName}`),
  compute(person, 'yearOfBirth', ['born'], ({ born }) => (born === null ? null : Number(born.slice(0, 4)))),
  compute(person, 'isFirstTeam', ['team'], (fields) => {
    expect(fields).toEqual({ team: expect.any(Number) })
    return fields.team === 1
  }),
  compute(person, 'tax', ['salary'], ({ salary }) => (Number(salary) / 10).toFixed(2)),
  compute(person, 'size', ['id', 'lastName'], ({ id, lastName }) => (lastName.length + id < 5 ? 'SHORT' : 'LONG')),
]

export const office = api('office', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(team, {
      children: [resource(person, { path: 'member', list: ['id', 'fullName'], offers: ['list', 'read'], via: 'team' })],
    }),
    resource(club, {
      children: [resource(person, { path: 'partner', via: clubPerson, complete: ['id', 'fullName'] })],
    }),
    resource(person, {
      list: ['id', 'fullName', 'team', 'isFirstTeam'],
      summary: ['id'],
      detail: true,
      by: ['email'],
      search: ['firstName'],
      defaultFilter: { boss: null },
    }),
  ],
})
/** Another face of the same noun, which hides what its names are computed of. */
const registry = api('registry', {
  version: 1,
  versioning: 'whole',
  writes: 'flat',
  resources: [
    resource(person, {
      rename: { name: 'fullName', wage: 'salary' },
      complete: ['id', 'name', 'wage'],
      offers: ['list', 'read', 'update'],
    }),
  ],
})

const since = { created: '2026-01-01T00:00:00.000Z' }
export const stored = {
  ada: {
    id: 1,
    firstName: 'Ada',
    lastName: 'Li',
    email: 'ada@x.y',
    born: '1985-02-03',
    salary: '12.50',
    team: 1,
    boss: null,
    ...since,
  },
  bob: {
    id: 2,
    firstName: 'Bob',
    lastName: 'O"Hara\\',
    email: 'bob@x.y',
    born: null,
    salary: '0.00',
    team: 2,
    boss: 1,
    ...since,
  },
  unal: {
    id: 3,
    firstName: 'Ünal',
    lastName: '😀',
    email: 'u@x.y',
    born: '2001-12-31',
    salary: '99.99',
    team: 2,
    boss: null,
    ...since,
  },
}
const rows = Object.values(stored)
export const sample = () => [
  { noun: 'team', rows: ['Red', 'Blue'].map((name, at) => ({ id: at + 1, name })) },
  { noun: 'person', rows },
  { noun: 'club', rows: [{ id: 1, name: 'Chess' }] },
]
export const definition = { name: 'office', apis: [office, registry], sample }
/** Tests that do not depend on the database use one in memory. */
export const inMemory = { database: 'sqlite::memory:' }
export const openOffice = (more: object = {}, settings: object = {}) =>
  openService(service({ ...definition, computed, ...more }), { onFault: () => {}, ...settings })

export const ada = {
  ...stored.ada,
  fullName: 'Ada Li',
  yearOfBirth: 1985,
  isFirstTeam: true,
  tax: '1.25',
  size: 'SHORT',
}
export const bob = {
  ...stored.bob,
  fullName: 'Bob O"Hara\\',
  yearOfBirth: null,
  isFirstTeam: false,
  tax: '0.00',
  size: 'LONG',
}
export const unal = {
  ...stored.unal,
  fullName: 'Ünal 😀',
  yearOfBirth: 2001,
  isFirstTeam: false,
  tax: '10.00',
  size: 'LONG',
}
