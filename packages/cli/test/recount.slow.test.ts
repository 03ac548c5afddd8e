// `nomen recount`: its output, its corrections and its exit codes.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen, serve } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const deskSource = `
  import { api, choice, identity, noun, resource } from '@nomen/core'
  import { service } from '@nomen/server'
  const ticket = noun('ticket', { id: identity(), state: choice('OPEN', 'DONE') })
  const note = noun('note', { id: identity() })
  const desk = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(ticket), resource(note)] })
  export default service({ name: 'desk', apis: [desk] })
`

it('reports differences, exits with 1 with --check, and corrects totals while a service runs', async () => {
  const folder = serviceFolder({ 'service.ts': deskSource })
  const { base } = await serve([], { folder })
  for (const state of ['OPEN', 'DONE', 'OPEN']) await sendRequest(`${base}/ticket`, { method: 'POST', body: { state } })
  const database = new DatabaseSync(join(folder, 'data/desk.db'))
  onTestFinished(() => database.close())
  database.exec(`replace into ticket (id, state) values (1, 'DONE')`)
  const total = async () => (await sendRequest(`${base}/ticket`)).json() as { pageInfo: { numberOfRecords: number } }
  expect((await total()).pageInfo.numberOfRecords).toBe(4)

  const outputFor = (verdict: string) =>
    [
      `ticket  3 records, ${verdict}`,
      '  all: stored total 4, actual total 3',
      '  state OPEN: stored total 2, actual total 1',
      'note    0 records, ok\n',
    ].join('\n')
  const wrongTotals = 'Wrong stored totals for 1 of 2 nouns in sqlite:data/desk.db. Nothing was changed. '
  expect(await nomen(['recount', '--check'], { folder })).toMatchObject({
    code: 1,
    output: `${outputFor('MISMATCH')}${wrongTotals}Run without --check to correct them.\n`,
    errors: '',
  })
  expect(await nomen(['recount'], { folder })).toMatchObject({
    code: 0,
    output: `${outputFor('corrected')}Corrected 1 of 2 nouns in sqlite:data/desk.db.\n`,
    errors: '',
  })
  expect((await total()).pageInfo.numberOfRecords).toBe(3)
  expect(await nomen(['recount', '--check'], { folder })).toMatchObject({
    code: 0,
    output: 'ticket  3 records, ok\nnote    0 records, ok\nAll stored totals of sqlite:data/desk.db are correct.\n',
  })
})
