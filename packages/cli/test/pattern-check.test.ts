// `nomen check` writes texts that match their patterns, so that it does not skip the checks of writes.
import { checkService } from '@nomen/conventions'
import { api, date, identity, noun, resource, text } from '@nomen/core'
import { open, service } from '@nomen/server'
import { expect, it, onTestFinished } from 'vitest'

const car = noun('car', {
  id: identity(),
  plate: text({ maxLength: 12, pattern: /^[A-Z]{1,2}-\p{L}?\d{1,4}$/u }).unique(),
  built: date({ min: '1990-01-01', max: '2099-12-31' }),
})
const cars = api('cars', { versioning: 'per-noun', writes: 'nested', resources: [resource(car)] })

it('creates, changes and deletes a record whose only string has a pattern', async () => {
  const app = await open(service({ name: 'cars', apis: [cars] }), { database: 'sqlite::memory:', waitLimitMs: 0 })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const { results } = await checkService({ base, isWriting: true, isStrict: true, seed: 'a' })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  const writeResults = results.filter(({ code }) => ['create', 'create-kept', 'patch-subset', 'delete'].includes(code))
  expect(writeResults.map(({ code, outcome }) => `${code} ${outcome}`)).toEqual([
    'create passed',
    'create-kept passed',
    'patch-subset passed',
    'delete passed',
  ])
})
