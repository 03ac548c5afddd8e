// A service with history in a real browser: Undo restores a deleted record with its ID and its children.
import { api, change, identity, noun, reference, resource, text } from '@nomen/core'
import { open, service } from '@nomen/server'
import { startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { visit } from './visit.ts'

const book = noun('book', { id: identity(), title: text() }, { history: true, label: 'title' })
const note = noun('note', { id: identity(), book: reference(() => book), line: text() }, { history: true })
const library = api('library', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(book, { children: [resource(note), resource(change)] }), resource(change)],
})
const definition = service({
  name: 'library',
  apis: [library],
  sample: () => [
    { noun: 'book', rows: [{ title: 'Dune' }, { title: 'Emma' }, { title: 'Ulysses' }] },
    { noun: 'note', rows: [{ book: 2, line: 'Read it twice' }] },
  ],
})

it('restores deleted records completely', async () => {
  const app = await open(definition, { database: 'sqlite::memory:', console: builtConsole })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0 })
  const browser = await startChromium()
  onTestFinished(() => browser.close())
  const view = await visit(browser, `${base}/console/`)
  const button = (name: string) => view.page.getByRole('button', { name, exact: true })
  const get = async (url: string) => (await inject(app, { url })).json()

  await view.open('/book/2')
  await button('Delete …').click()
  const dialog = view.page.getByRole('dialog', { name: 'Delete this book?' })
  await dialog.getByText('Its notes are deleted too. You can undo this.').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await view.expectMessage('Emma deleted.')
  expect((await get('/book')).pageInfo.numberOfRecords).toBe(2)
  await button('Undo').click()
  await view.expectMessage('The book 2 was restored.')
  await button('Open').click()
  await view.page.getByRole('heading', { name: 'Emma' }).waitFor()
  expect(await get('/book/2/note/1')).toEqual({ id: 1, book: 2, line: 'Read it twice' })
  await view.expectNoErrors()
})
