// Everyday tasks in lists, with the number of clicks that they take. Tests of forms, files, history and usage count them, too.
import { expect, it } from 'vitest'
import { directoryConsole, pollUntil } from './directory-console.ts'

const { view, send, newUser, button } = directoryConsole()

/** Opens a page, and counts the clicks from then on. */
async function start(path: string): Promise<void> {
  await view.open(path)
  await view.page.getByRole('row').nth(1).waitFor()
  await view.countClicks()
}

const countAt = async (path: string) =>
  ((await send('GET', path)).pageInfo as { numberOfRecords: number }).numberOfRecords
const departmentOf = async (name: string) =>
  ((await send('GET', `/department?name=${name}`)) as { results: { id: number }[] }).results[0]?.id
const option = (name: string | RegExp) => view.page.getByRole('option', { name })

it('shows the suspended users of a department with three clicks', async () => {
  const path = `/user?status=SUSPENDED&department=${await departmentOf('Operations')}`
  const count = await countAt(path)
  expect(count).toBeGreaterThan(0)
  await start('/user')
  await button('Filter').click()
  await view.page.locator('input:focus').waitFor()
  await view.page.keyboard.type('susp')
  await option('Status Suspended').click()
  await pollUntil(() => view.path()).toBe('/user?status=SUSPENDED')
  await view.page.keyboard.type('operat')
  await option('Department Operations').click()
  await pollUntil(() => view.path()).toBe(path)
  await view.page.getByText(new RegExp(`^1–${count} of ${count}$`)).waitFor()
  expect(await view.clicks()).toBe(3)
  await view.expectNoErrors()
})

it('saves that list as a view with three clicks, and opens it with one', async () => {
  await start('/user?status=SUSPENDED&department=1')
  await button('Views of Users').click()
  await view.page.getByRole('menuitem', { name: 'Save as a new view …' }).click()
  await view.page.getByLabel('Name of the view').fill('Suspended here')
  await button('Save').click()
  const link = view.page.getByRole('link', { name: 'Suspended here' })
  await link.waitFor()
  expect(await view.clicks()).toBe(3)
  await start('/department')
  await link.click()
  await button(/^Status ?Suspended$/).waitFor()
  expect(await view.clicks()).toBe(1)
})

it('marks a record as a favorite with one click, and opens it with one', async () => {
  const { id } = await newUser({ firstName: 'Grace', lastName: 'Hopper' })
  const favorites = view.page.getByRole('region', { name: 'Favorites' })
  await view.open(`/user/${id}`)
  await view.countClicks()
  await button('Add to favorites').click()
  await favorites.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  expect(await view.clicks()).toBe(1)
  await view.expectNoErrors()

  // It keeps the name of its record, and is there after a reload.
  await send('PATCH', `/user/${id}`, { firstName: 'Ada', lastName: 'Byron' })
  await view.open('/department')
  await favorites.getByRole('link').press('Enter')
  await favorites.getByRole('link', { name: 'Ada Byron', exact: true }).waitFor()
  expect(view.path()).toBe(`/user/${id}`)
  expect(await favorites.getByRole('link').getAttribute('aria-current')).toBe('page')

  // A favorite whose record is deleted can be removed.
  await send('DELETE', `/user/${id}`)
  await view.open(`/user/${id}`)
  await button('Remove from favorites').press('Enter')
  await favorites.waitFor({ state: 'detached' })
  expect(await button('Add to favorites').count()).toBe(0)
})

it('links a role with three clicks', async () => {
  await start('/v1/application/1/user/2/role')
  const before = await countAt('/v1/application/1/user/2/role')
  await button('Link a role').click()
  await view.page.getByRole('listbox').getByRole('option').first().click()
  await button('Link').click()
  await pollUntil(() => countAt('/v1/application/1/user/2/role')).toBe(before + 1)
  expect(await view.clicks()).toBe(3)
})

it('changes all matches of a filter, also those of other pages, with four clicks and after their count', async () => {
  const department = await departmentOf('Engineering')
  const filter = `status=ACTIVE&department=${department}`
  const count = await countAt(`/user?${filter}`)
  expect(count).toBeGreaterThan(10)
  await start(`/user?${filter}&pageSize=10`)
  await view.page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await button('Edit field …').click()
  await view.page.getByRole('menuitem', { name: 'Set status to Suspended' }).click()
  const dialog = view.page.getByRole('dialog', { name: 'Set status to Suspended?' })
  await dialog.getByText(`10 users on this page are selected. The list has ${count} users.`).waitFor()
  await view.expectNoErrors()
  await dialog.getByRole('button', { name: `Change all ${count} records` }).click()
  await view.expectMessage(`Status set to Suspended for ${count} users.`)
  expect(await view.clicks()).toBe(4)
  expect(await countAt(`/user?${filter}`)).toBe(0)
})

it('sets any field of the selected records', async () => {
  const department = await departmentOf('Sales')
  const other = await departmentOf('Operations')
  const count = await countAt(`/user?department=${other}`)
  await start(`/user?department=${department}&pageSize=2`)
  await view.page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await button('Edit field …').click()
  await view.page.getByRole('menuitem', { name: 'Other field …' }).click()
  await view.page.getByRole('combobox', { name: 'Field' }).click()
  await option('Department').click()
  await view.page.getByRole('combobox', { name: 'Department' }).click()
  await option(/^Operations/).click()
  await view.expectNoErrors()
  await button('Continue').click()
  await view.page.getByRole('dialog', { name: 'Set department to Operations?' }).waitFor()
  await button('Change 2 selected records').click()
  await view.expectMessage('Department set to Operations for 2 users.')
  expect(await countAt(`/user?department=${other}`)).toBe(count + 2)
})
