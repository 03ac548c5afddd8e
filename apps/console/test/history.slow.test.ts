// A service with history in a real browser: entries, earlier values, deleted records and conflicts.
import { api, change, identity, noun, reference, resource, text } from '@nomen/core'
import { type OpenService, open, service } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtConsole } from './built.ts'
import { type ConsoleView, visit } from './visit.ts'

const author = noun('author', { id: identity(), name: text() })
const book = noun(
  'book',
  { id: identity(), title: text(), author: reference(() => author) },
  { history: true, label: 'title' },
)
const note = noun('note', { id: identity(), book: reference(() => book), line: text() }, { history: true })
const library = api('library', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(author), resource(book, { children: [resource(note), resource(change)] }), resource(change)],
})
const titles = ['Dune', 'Emma', 'Ulysses', 'Middlemarch']
const definition = service({
  name: 'library',
  apis: [library],
  sample: () => [
    { noun: 'author', rows: [{ name: 'Ada Byron' }, { name: 'Grace Hopper' }] },
    { noun: 'book', rows: titles.map((title) => ({ title, author: 1 })) },
    { noun: 'note', rows: [{ book: 2, line: 'Read it twice' }] },
  ],
})

const session = {} as { app: OpenService; browser: Browser; view: ConsoleView }
beforeAll(async () => {
  session.app = await open(definition, { database: 'sqlite::memory:', console: builtConsole })
  const base = await session.app.listen({ port: 0 })
  session.browser = await startChromium()
  session.view = await visit(session.browser, `${base}/console/`)
})
afterAll(async () => {
  await session.browser?.close()
  await session.app?.close()
})

const button = (name: string) => session.view.page.getByRole('button', { name, exact: true })
const get = async (url: string) => (await inject(session.app, { url })).json()

/** A change by another application. */
async function send(method: 'PATCH' | 'DELETE', url: string, application: string, payload?: object): Promise<void> {
  const headers = { 'user-agent': `${application}/1.0` }
  const { statusCode } = await inject(session.app, { method, url, headers, ...(payload && { payload }) })
  expect(statusCode).toBeLessThan(300)
}

it('restores deleted records completely', async () => {
  const { view } = session
  await view.open('/book/2')
  await view.page.getByRole('heading', { name: 'Emma' }).waitFor()
  await view.countClicks()
  await button('Delete …').click()
  const dialog = view.page.getByRole('dialog', { name: /^Delete book/ })
  await dialog.getByText('1 note (also deleted)').waitFor()
  await dialog.getByText('You can undo this.').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await view.expectMessage('Emma deleted.')
  expect((await get('/book')).pageInfo.numberOfRecords).toBe(titles.length - 1)
  await button('Undo').click()
  await view.expectMessage('The book 2 was restored.')
  expect(await view.clicks()).toBe(3)
  await button('Open').click()
  await view.page.getByRole('heading', { name: 'Emma' }).waitFor()
  expect(await get('/book/2/note/1')).toEqual({ id: 1, book: 2, line: 'Read it twice' })
  await view.expectNoErrors()
})

it('shows who changed which values, and restores a value or a version', async () => {
  const { view } = session
  await send('PATCH', '/book/1', 'shop', { title: 'Dune Messiah' })
  await send('PATCH', '/book/1', 'payroll', { title: 'Children of Dune', author: 2 })
  await view.open('/book/1')
  await view.page.getByRole('tab', { name: 'History' }).click()
  const entries = view.page.getByRole('main').getByRole('list').last().getByRole('listitem')
  const [newest, oldest] = [entries.first(), entries.last()]
  const rowOf = (name: string) => newest.getByRole('row', { name: new RegExp(`^${name}`) })
  await rowOf('Author').getByRole('link', { name: 'Ada Byron' }).waitFor()
  await rowOf('Author').getByRole('link', { name: 'Grace Hopper' }).waitFor()
  expect(await rowOf('Title').getByRole('cell').allInnerTexts()).toEqual([
    ...['Dune Messiah', 'Children of Dune'],
    'Restore this value',
  ])
  expect(await newest.textContent()).toMatch(/^Changedpayroll · \w{3} \d+, \d{4} \d+:\d\d\s[AP]M UTC/)
  expect(await newest.locator('time').getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z = /)
  expect(await oldest.textContent()).toMatch(/^Createdsample/)
  // The newest version is the present one.
  expect(await newest.getByRole('button', { name: 'Restore this version' }).count()).toBe(0)
  await view.expectNoErrors()

  const dialog = view.page.getByRole('dialog', { name: 'Restore these values?' })
  const restore = async () => {
    const [request] = await Promise.all([
      view.page.waitForRequest((sent) => sent.method() === 'PATCH'),
      dialog.getByRole('button', { name: 'Restore' }).click(),
    ])
    expect((await request.allHeaders())['if-match']).toMatch(/^"/)
    return request.postDataJSON()
  }
  await rowOf('Author').getByRole('button', { name: 'Restore this value' }).click()
  await dialog.getByRole('cell', { name: 'Ada Byron' }).waitFor()
  await view.expectNoErrors()
  expect(await restore()).toEqual({ author: 1 })
  await view.expectMessage('Children of Dune restored.')

  await oldest.getByRole('button', { name: 'Restore this version' }).click()
  await dialog.getByRole('cell', { name: 'Children of Dune' }).waitFor()
  // The dialog shows a change that came in between before it overwrites it.
  await send('PATCH', '/book/1', 'shop', { title: 'Heretics of Dune' })
  expect(await restore()).toEqual({ title: 'Dune' })
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('cell', { name: 'Heretics of Dune' }).waitFor()
  expect(await restore()).toEqual({ title: 'Dune' })
  await view.expectMessage('Dune restored.')
  expect(await get('/book/1')).toEqual({ id: 1, title: 'Dune', author: 1 })

  await view.open('/book/1/change?pageSize=2')
  await view.page.getByText('1–2 of 6').waitFor()
  await button('Next page').click()
  await view.page.getByText('3–4 of 6').waitFor()
  expect(view.path()).toBe('/book/1/change?pageSize=2&pageNumber=2')
})

it('shows a deleted record with its last values, and restores it there or in the list of changes', async () => {
  const { view } = session
  await send('DELETE', '/book/3', 'shop')
  await view.open('/book/3')
  await view.page.getByRole('heading', { name: 'Ulysses' }).waitFor()
  await view.page
    .getByRole('alert')
    .getByText(/^This book was deleted/)
    .waitFor()
  await view.expectNoErrors()
  await button('Restore').click()
  await view.expectMessage('Ulysses restored.')
  await button('Save').waitFor()

  await send('DELETE', '/book/3', 'payroll')
  await view.open('/change?kind=DELETED')
  await view.page.getByRole('link', { name: 'Ulysses' }).first().waitFor()
  expect([(await view.column('Application'))[0], (await view.column('Kind'))[0]]).toEqual(['payroll', 'Deleted'])
  expect(await view.column('Record')).toContain('Ulysses\nbook/3')
  await view.expectNoErrors()
  // The tools of a cell, which appear below the pointer, must not cover its link.
  await view.page.locator('.row-link').first().hover()
  await view.page.locator('.row-link').first().click({ delay: 50 })
  await button('Restore').click()
  await view.expectMessage('Ulysses restored.')
  expect(await get('/book/3')).toEqual({ id: 3, title: 'Ulysses', author: 1 })
})

it('says who caused a conflict, unless the caller may not read the history', async () => {
  const { view } = session
  const title = view.page.getByRole('textbox', { name: /^Title/ })
  const dialog = view.page.getByRole('dialog', { name: 'Someone else changed this record' })
  const conflict = async (theirs: string) => {
    await view.open('/book/4')
    await title.fill('Mine')
    await send('PATCH', '/book/4', 'payroll', { title: theirs })
    await button('Save').click()
    await dialog.getByRole('radio', { name: `Title Theirs ${theirs}` }).waitFor()
  }
  await conflict('Silas Marner')
  await dialog.getByText(/^payroll changed title/).waitFor()
  await view.expectNoErrors()
  await view.page.route(/\/change\?/, (route) => route.fulfill({ status: 403, json: { title: 'Forbidden' } }))
  await conflict('Romola')
  expect(await dialog.getByText('payroll').count()).toBe(0)
  await view.expectNoErrors()
  await view.page.unroute(/\/change\?/)
})

it('shows the changes of others in lists without a reload', async () => {
  const { view } = session
  await view.open('/book')
  await view.page.getByRole('link', { name: 'Romola' }).waitFor()
  await send('PATCH', '/book/4', 'importer', { title: 'Daniel Deronda' })
  await view.page.getByRole('link', { name: 'Daniel Deronda' }).waitFor()
  await view.open('/book/2/note')
  await view.page.getByText('Read it twice').first().waitFor()
  await send('PATCH', '/book/2/note/1', 'importer', { line: 'Read it thrice' })
  await view.page.getByText('Read it thrice').first().waitFor()
  await view.open('/book/4/change')
  await view.page.getByText('Daniel Deronda').first().waitFor()
  await send('PATCH', '/book/4', 'importer', { title: 'Adam Bede' })
  await view.page.getByText('Adam Bede').first().waitFor()
})

it('shows a change that is made while the list is on its way', async () => {
  const { view } = session
  const changed = Promise.withResolvers<void>()
  let isListRequested = false
  const list = /\/book\?/
  const position = /[?&]wait=0\b/
  await view.page.route(list, async (route) => {
    isListRequested = true
    const response = await route.fetch()
    await send('PATCH', '/book/4', 'importer', { title: 'Felix Holt' })
    changed.resolve()
    await view.page.unroute(list)
    await route.fulfill({ response })
  })
  // A position that is read after the change would skip it.
  await view.page.route(position, async (route) => {
    if (isListRequested) await changed.promise
    await route.continue()
  })
  await view.open('/book')
  await view.page.getByRole('link', { name: 'Felix Holt' }).waitFor()
  await view.page.unroute(position)
})
