// Computed fields before those who judge apis: the lint, the check with its bent requests, and the diff.

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

const served = service({
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
      rows: Array.from({ length: 15 }, (_, at) => ({
        id: at + 1,
        firstName: `First ${at}`,
        lastName: `Last ${at % 4}`,
        born: at % 2 ? null : '1990-01-02',
        team: 1 + (at % 2),
      })),
    },
  ],
})

it('keep the conventions, in the declaration and in what a service answers', async () => {
  expect(lintApis([office], 'service.ts').findings).toEqual([])
  const faults: unknown[] = []
  const onFault = (_: string, error: unknown) => void faults.push(error)
  const app = await open(served, { database: 'sqlite::memory:', waitLimit: 0, onFault })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0 })
  const report = await checkService({ base, isWriting: true, isStrict: true, fuzz: 100, seed: 'computed' })
  expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect([report.counts.failed, faults]).toEqual([0, []])
}, 60_000)

it('are new in an answer, and break nobody', () => {
  const faceOf = (shown: typeof person | typeof plain) =>
    JSON.parse(
      JSON.stringify(
        openapi(
          api('office', { versioning: 'per-noun', writes: 'flat', resources: [resource(team), resource(shown)] }),
        ),
      ),
    )
  const found = diff(faceOf(plain), faceOf(person))
  expect(new Set(found.changes.map(({ code }) => code))).toEqual(new Set(['response-field-added']))
})
