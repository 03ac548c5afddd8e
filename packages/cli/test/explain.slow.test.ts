// `nomen explain`: its output and its exit codes.
import { expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen } from './nomen.ts'

const deskSource = `
  import { api, choice, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const ticket = noun('ticket', { id: identity(), state: choice('OPEN', 'DONE'), title: text() })
  const desk = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(ticket)] })
  export default service({ name: 'desk', apis: [desk] })
`

it('prints the plan of a list and the index that would help', async () => {
  const folder = serviceFolder({ 'service.ts': deskSource })
  const explain = (...words: string[]) => nomen(['explain', ...words], { folder })
  expect(await explain('/ticket')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('the file does not exist'),
  })
  await nomen(['migrate', '--apply'], { folder })

  const sorted = await explain('GET', 'http://localhost:4400/ticket?sort=title')
  expect(sorted).toMatchObject({ code: 0, errors: '' })
  expect(sorted.output).toMatch(/^GET \/ticket\?sort=title\n\n0 matching records; the query took \d+\.\d ms\.\n/)
  expect(sorted.output).toContain('\nQuery plan of the database:\n  ')
  expect(sorted.output).toContain('\nAdvice:\n  Declare "title" of "ticket" with indexed()')
  expect(sorted.output).not.toContain('SQL statement:')

  const filtered = await explain('/ticket?state=OPEN', '--sql')
  expect(filtered.output).toContain('\nSQL statement:\n  select')
  expect(filtered.output).toMatch(/\nEvery filter and the order have an index\.\n$/)

  expect(await explain('/ticket?sorted=title')).toMatchObject({
    code: 2,
    errors: 'nomen: /ticket has no parameter "sorted".\n  Did you mean "sort"?\n',
  })
  expect(await explain('/tickets')).toMatchObject({
    code: 2,
    errors: 'nomen: GET "/tickets" is not a list of the service.\n  Did you mean /ticket?\n',
  })
  expect(await explain('ticket')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('explain needs the path of a list, which begins with /.'),
  })
})
