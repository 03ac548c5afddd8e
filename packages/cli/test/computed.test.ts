// Computed fields in the tools: lint, check with malformed requests, and diff.

import { checkService, diff, lintApis } from '@nomen/conventions'
import { api, date, identity, integer, noun, reference, resource, text } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { compute, open, service } from '@nomen/server'
import { expect, it, onTestFinished } from 'vitest'

const fields = { firstName: text(), lastName: text(), born: date().nullable() }
const team = noun('team', { id: identity(), name: text() }, { label: 'name' })
const declared = { id: identity(), ...fields, team: reference(() => team) }
const plain = noun('person', declared)
const person = noun('person', declared, { computed: { fullName: text(), yearOfBirth: integer().nullable() } })

const office = api('office', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [
    resource(team, { children: [resource(person, { list: ['id', 'fullName'] })] }),
    resource(person, { list: ['id', 'fullName'], detail: true, search: ['lastName'] }),
  ],
})

const personService = service({
  name: 'office',
  apis: [office],
  computed: [
    compute(person, 'fullName', ['firstName', 'lastName'], ({ firstName, lastName }) => `${firstName} ${lastName}`),
    compute(person, 'yearOfBirth', ['born'], ({ born }) => (born === null ? null : Number(born.slice(0, 4)))),
  ],
  sample: () => [
    { noun: 'team', rows: [1, 2].map((id) => ({ id, name: `Team ${id}` })) },
    {
      noun: 'person',
      rows: Array.from({ length: 15 }, (_, index) => ({
        id: index + 1,
        firstName: `First ${index}`,
        lastName: `Last ${index % 4}`,
        born: index % 2 ? null : '1990-01-02',
        team: 1 + (index % 2),
      })),
    },
  ],
})

it('follow the conventions, in the declaration and in responses', async () => {
  expect(lintApis([office], 'service.ts').findings).toEqual([])
  const faults: unknown[] = []
  const onFault = (_: string, error: unknown) => void faults.push(error)
  const app = await open(personService, { database: 'sqlite::memory:', waitLimitMs: 0, onFault })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0 })
  const report = await checkService({ base, isWriting: true, isStrict: true, fuzz: 100, seed: 'computed' })
  expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect([report.counts.failed, faults]).toEqual([0, []])
})

it('are a compatible change of a response', () => {
  const documentOf = (declaredNoun: typeof person | typeof plain) =>
    JSON.parse(
      JSON.stringify(
        openapi(
          api('office', {
            versioning: 'per-noun',
            writes: 'flat',
            resources: [resource(team), resource(declaredNoun)],
          }),
        ),
      ),
    )
  const difference = diff(documentOf(plain), documentOf(person))
  expect(new Set(difference.changes.map(({ code }) => code))).toEqual(new Set(['response-field-added']))
})
