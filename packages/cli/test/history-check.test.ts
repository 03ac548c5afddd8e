// Lint and check accept the paths of history, of nested writes, and of links in one api.
import { checkService, lintApis } from '@nomen/conventions'
import { api, change, email, identity, link, noun, reference, resource, text } from '@nomen/core'
import { open, service } from '@nomen/server'
import { expect, it, onTestFinished } from 'vitest'

const role = noun('role', { id: identity(), name: text().unique() }, { history: true })
const user = noun('user', { id: identity(), name: text(), email: email().unique() }, { history: true })
const note = noun('note', { id: identity(), user: reference(() => user), line: text() }, { history: true })
const directory = api('directory', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(user, { children: [resource(note), resource(role, { via: link(user, role) }), resource(change)] }),
    resource(role),
    resource(change),
  ],
})
const definition = service({
  name: 'directory',
  apis: [directory],
  sample: () => [
    { noun: 'role', rows: [{ name: 'A' }, { name: 'B' }] },
    {
      noun: 'user',
      rows: [
        { name: 'Ada', email: 'ada@example.com' },
        { name: 'Eve', email: 'eve@example.com' },
      ],
    },
    { noun: 'note', rows: [1, 2, 3].map((line) => ({ user: 1, line: `${line}` })) },
    { link: ['user', 'role'], rows: [[1, 2]] },
  ],
})

it('has no finding of lint', () => {
  expect(lintApis([directory], 'service.ts').findings).toEqual([])
})

it('passes all checks with writes', async () => {
  const app = await open(definition, { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const { results } = await checkService({ base, seed: 'history', isWriting: true })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  const passed = new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ code }) => code))
  expect(passed).toContain('write-form')
})
