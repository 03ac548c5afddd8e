// `nomen recount`: what it says, what it fixes, and how it ends.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { nomen, serve } from './nomen.ts'

const desk = `
  import { api, choice, identity, noun, resource } from '@nomen/core'
  import { service } from '@nomen/server'
  const ticket = noun('ticket', { id: identity(), state: choice('OPEN', 'DONE') })
  const note = noun('note', { id: identity() })
  const desk = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(ticket), resource(note)] })
  export default service({ name: 'desk', apis: [desk] })
`

it('says what differs, exits with 1 where it only checks, and makes it right beside a service', async () => {
  const folder = serviceFolder({ 'service.ts': desk })
  const { base } = await serve([], { folder })
  for (const state of ['OPEN', 'DONE', 'OPEN']) await ask(`${base}/ticket`, { method: 'POST', body: { state } })
  const database = new DatabaseSync(join(folder, 'data/desk.db'))
  onTestFinished(() => database.close())
  database.exec(`replace into ticket (id, state) values (1, 'DONE')`)
  const total = async () => (await ask(`${base}/ticket`)).json() as { pageInfo: { numberOfRecords: number } }
  expect((await total()).pageInfo.numberOfRecords).toBe(4)

  const told = (verdict: string) =>
    [
      `ticket  3 records, ${verdict}`,
      '  all: 4 instead of 3',
      '  state OPEN: 2 instead of 1',
      'note    0 records, counted right\n',
    ].join('\n')
  const wrong = '1 of 2 nouns in sqlite:data/desk.db is counted wrong. Nothing was changed: '
  expect(await nomen(['recount', '--check'], { folder })).toMatchObject({
    code: 1,
    output: `${told('COUNTED WRONG')}${wrong}without --check they are made right.\n`,
    errors: '',
  })
  expect(await nomen(['recount'], { folder })).toMatchObject({
    code: 0,
    output: `${told('counted anew')}1 of 2 nouns in sqlite:data/desk.db counted anew.\n`,
    errors: '',
  })
  expect((await total()).pageInfo.numberOfRecords).toBe(3)
  expect(await nomen(['recount', '--check'], { folder })).toMatchObject({
    code: 0,
    output:
      'ticket  3 records, counted right\nnote    0 records, counted right\nsqlite:data/desk.db is counted right.\n',
  })
})
