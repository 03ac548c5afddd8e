// The drawer of a record, its related lists, and references that are created from a form.
import { expect, it, onTestFinished } from 'vitest'
import { directoryConsole, pollUntil } from './directory-console.ts'
import { visit } from './visit.ts'

const { session, view, send, newUser, button } = directoryConsole()

const drawer = (name: string | RegExp) => view.page.getByRole('dialog', { name })
const phone = (name: string | RegExp) => drawer(name).getByRole('textbox', { name: 'Phone' })

it('opens beside the list from a row, walks through the list across pages, and closes with Escape and Back', async () => {
  await view.open('/user?sort=id&pageSize=10')
  await view.page.getByRole('cell', { name: 'lukasz.nowak@example.com' }).click()
  await drawer('Łukasz Nowak').getByText('User 1 · 1 of 200').waitFor()
  expect(view.path()).toBe('/user?sort=id&pageSize=10&_record=/user/1')
  await phone('Łukasz Nowak').waitFor()
  await view.expectNoErrors()
  expect(await drawer('Łukasz Nowak').getByLabel('Previous record').getAttribute('aria-disabled')).toBe('true')
  await button('Next record').click()
  await view.page.getByText('User 2 · 2 of 200').waitFor()
  await view.page.keyboard.press('Escape')
  await view.page.getByText('User 2 · 2 of 200').waitFor({ state: 'detached' })
  expect(view.path()).toBe('/user?sort=id&pageSize=10')
  // The focus is where it was, so `o` opens the next row.
  await view.page.keyboard.press('j')
  await view.page.locator('tr[data-id="10"] .row-link').focus()
  await view.page.keyboard.press('o')
  await view.page.getByText('User 10 · 10 of 200').waitFor()
  await button('Next record').click()
  await view.page.getByText('User 11 · 11 of 200').waitFor()
  expect(view.path()).toBe('/user?sort=id&pageSize=10&pageNumber=2&_record=/user/11')
  await button('Previous record').click()
  await view.page.getByText('User 10 · 10 of 200').waitFor()
  await view.page.goBack()
  await pollUntil(() => view.page.getByRole('dialog').count()).toBe(0)
  expect(view.path()).toBe('/user?sort=id&pageSize=10')
  await view.page.goForward()
  await view.page.getByText('User 10 · 10 of 200').waitFor()
  await drawer(/./).getByRole('link', { name: 'Open page' }).click()
  await pollUntil(() => view.path()).toBe('/user/10')
  await pollUntil(() => view.page.getByRole('dialog').count()).toBe(0)
})

it('stacks the records that were opened from it, and keeps unsaved input until it is left', async () => {
  const { id } = await newUser({ supervisor: 1, department: 2 })
  await view.open(`/user?id=${id}&_record=/user/${id}`)
  await phone('Ada Byron').fill('555')
  await drawer('Ada Byron').getByRole('link', { name: 'Open user' }).click()
  await drawer('Łukasz Nowak').getByText('User 1').waitFor()
  await phone('Łukasz Nowak').fill('1')
  await view.page.keyboard.press('Escape')
  const leave = view.page.getByRole('dialog', { name: 'Leave without saving?' })
  await leave.getByRole('button', { name: 'Leave' }).click()
  // The form below was not left.
  await drawer('Ada Byron').waitFor()
  expect(await phone('Ada Byron').inputValue()).toBe('555')
  await view.page.keyboard.press('Control+s')
  await view.expectMessage('Ada Byron saved.')
  expect(await send('GET', `/user/${id}`)).toMatchObject({ phone: '555', department: 2 })
  expect((await send('GET', '/user/1')).phone).not.toBe('1')
})

it('creates a referenced record from the dropdown of its field', async () => {
  const { id } = await newUser()
  await view.open(`/user/${id}`)
  const input = view.page.getByRole('combobox', { name: /Department/ })
  await pollUntil(() => input.inputValue()).toBe('Operations')
  await input.fill('Quality')
  await view.page.getByRole('option', { name: 'New department “Quality” …' }).click()
  const dialog = view.page.getByRole('dialog', { name: 'New department' })
  await pollUntil(() => dialog.getByLabel(/^Name/).inputValue()).toBe('Quality')
  await view.expectNoErrors()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await view.expectMessage('Quality created.')
  await pollUntil(() => input.inputValue()).toBe('Quality')
  await view.page.getByText('Not saved: Department').waitFor()
  await button('Save').click()
  await view.expectMessage('Ada Byron saved.')
  const { department } = await send('GET', `/user/${id}`)
  expect((await send('GET', `/department/${department}`)).name).toBe('Quality')
})

it('counts the records that reference a record, and lists them in tabs', async () => {
  const department = (await send('POST', '/department', { name: 'Counted' })) as { id: number }
  await newUser({ department: department.id, firstName: 'Grace' })
  const ada = await newUser({ department: department.id })
  const requests: string[] = []
  view.page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await view.open(`/department/${department.id}`)
  await view.page.getByRole('tab', { name: 'Users 2' }).click()
  await pollUntil(() => view.path()).toBe(`/department/${department.id}?_list=user.department`)
  await view.page.getByRole('row').filter({ hasText: 'Grace' }).waitFor()
  expect(await view.page.getByRole('row').count()).toBe(3)
  await view.expectNoErrors()
  await view.page.getByRole('row').filter({ hasText: 'Grace' }).getByRole('cell').nth(1).click()
  // The drawer steps through the list of the tab, and the rows have their menu.
  await drawer('Grace Byron')
    .getByText(/ · 1 of 2$/)
    .waitFor()
  await button('Next record').click()
  await drawer('Ada Byron')
    .getByText(/ · 2 of 2$/)
    .waitFor()
  expect(view.path()).toBe(`/department/${department.id}?_list=user.department&_record=/user/${ada.id}`)
  await view.page.keyboard.press('Escape')
  await button(`Actions for user ${ada.id}`).click()
  await view.page.getByRole('menuitem', { name: 'Delete …' }).click()
  await view.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await view.page.getByRole('tab', { name: 'Users 1' }).waitFor()
  expect((await send('GET', `/user/${ada.id}`)).code).toBe('record-not-found')
  await view.page.getByRole('link', { name: 'Open as list' }).click()
  await pollUntil(() => view.path()).toBe(`/user?department=${department.id}`)
  // Preferences are a plain array without a total.
  requests.length = 0
  await view.open('/user/1')
  await view.page.getByRole('tab', { name: /^Users \(Supervisor\) \d+$/ }).waitFor()
  await view.page.getByRole('tab', { name: 'Preferences', exact: true }).waitFor()
  expect(requests.filter((path) => path.endsWith('/preference'))).toEqual([])
})

it('fills a phone', async () => {
  const phone = await visit(session.browser, view.base, { width: 390 })
  onTestFinished(() => phone.close())
  await phone.open('/user?_record=/user/1')
  const box = await phone.page.getByRole('dialog', { name: 'Łukasz Nowak' }).boundingBox()
  expect([box?.x, box?.width]).toEqual([0, 390])
})

it('loads the new console if the service was upgraded since the page was opened', async () => {
  const old = await visit(session.browser, view.base, { expectedMessages: /status of 404|dynamically imported module/ })
  onTestFinished(() => old.close())
  let missing = 1
  await old.page.route('**/assets/record-drawer-*.js', (route) =>
    missing-- > 0 ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await old.open('/user?sort=id')
  await old.page.getByRole('cell', { name: 'lukasz.nowak@example.com' }).click()
  await old.page.getByText('User 1 · 1 of').waitFor()
  expect([missing, old.path()]).toEqual([-1, '/user?sort=id&_record=/user/1'])
})
