// Forms of single records in the console, on both databases.
import { isFull } from '@nomen/testing/prove'
import { describe, expect, it } from 'vitest'
import { databases, directoryConsole, pollUntil } from './directory-console.ts'

describe.each(databases)('a record on %s', (database) => {
  const { view, send, newUser, button, field } = directoryConsole(database)
  /** For behavior that does not depend on the database. `npm run prove` tests it on both. */
  const itOnce = it.runIf(database === 'SQLite' || isFull)

  it('is saved as a whole, with the ETag of the version that was read', async () => {
    const { id } = await newUser()
    await view.open(`/user?id=${id}`)
    await view.page.getByRole('row').nth(1).getByRole('link').first().click()
    await view.page.getByRole('heading', { name: 'Ada Byron' }).waitFor()
    await view.page.getByText(`User ${id}`, { exact: true }).waitFor()
    await view.page.locator('main .mantine-Badge-root').getByText('Active').waitFor()
    await field('Phone').fill('555')
    await view.page.getByText('Not saved: Phone').waitFor()
    const [putRequest] = await Promise.all([
      view.page.waitForRequest((request) => request.method() === 'PUT'),
      button('Save').click(),
    ])
    expect(Object.keys(putRequest.postDataJSON())).toEqual([
      'firstName',
      'lastName',
      'email',
      'phone',
      'extension',
      'status',
      'department',
      'supervisor',
    ])
    expect((await putRequest.allHeaders())['if-match']).toMatch(/^"/)
    await view.expectMessage('Ada Byron saved.')
    expect((await send('GET', `/user/${id}`)).phone).toBe('555')
    await view.expectNoErrors()
  })

  itOnce('has a dropdown for each reference, and keeps a retired record that is already set', async () => {
    const oldDepartment = (await send('POST', '/department', { name: 'Old' })) as { id: number }
    const { id } = await newUser({ department: oldDepartment.id })
    await send('PATCH', `/department/${oldDepartment.id}`, { retired: true })
    await view.open(`/user/${id}`)
    await pollUntil(() => view.page.getByRole('combobox', { name: /Department/ }).inputValue()).toBe('Old')
    await view.countClicks()
    await view.page.getByRole('combobox', { name: /Supervisor/ }).click()
    await view.page.getByRole('combobox', { name: /Supervisor/ }).fill('nowak')
    await view.page.getByRole('option', { name: 'Łukasz Nowak' }).click()
    await view.page.keyboard.press('Control+s')
    await view.expectMessage('Ada Byron saved.')
    expect(await view.clicks()).toBe(2)
    expect(await send('GET', `/user/${id}`)).toMatchObject({ department: oldDepartment.id, supervisor: 1 })
  })

  itOnce('shows the fields that the service sets, without inputs for them', async () => {
    await view.open('/user/1')
    await view.page.getByText('System fields (read-only)').waitFor()
    const systemFields = view.page.locator('dl')
    expect(await systemFields.locator('dt').allInnerTexts()).toEqual(['ID', 'Created', 'Last updated'])
    expect(await view.page.getByRole('textbox', { name: 'Created' }).count()).toBe(0)
    const created = systemFields.locator('time').first()
    const { created: timestamp } = await send('GET', '/user/1')
    const part = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(`${timestamp}`))
    const [day, time] = [part({ dateStyle: 'medium' }), part({ timeStyle: 'short' })]
    expect(await created.textContent()).toBe(`${day} ${time} UTC`)
    expect(await created.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\dT.*Z = .* (UTC|GMT.*)$/)
  })

  it('shows problems at their fields', async () => {
    const { id } = await newUser()
    await view.open(`/user/${id}`)
    await field('Email').fill('no address')
    await button('Save').click()
    await view.page.getByText('Enter an e-mail address such as ada@example.com.').waitFor()
    await view.page.getByRole('alert').getByText('1 field needs attention').waitFor()
    expect(await field('Email').getAttribute('aria-invalid')).toBe('true')
    expect(await view.page.locator(':focus').getAttribute('name')).toBe('email')
    await view.expectNoErrors()
    await field('Email').fill('lukasz.nowak@example.com')
    await button('Save').click()
    await view.page.getByRole('alert').getByText('Another user has email "lukasz.nowak@example.com".').waitFor()
    // The code is for those who search the logs.
    const code = view.page.getByRole('alert').getByText(/value-taken/)
    expect(await code.isVisible()).toBe(false)
    await view.page.getByRole('alert').getByText('Details').click()
    await code.waitFor()
    await view.expectNoErrors()
    await view.page.getByRole('combobox', { name: /Status/ }).waitFor()
  })

  it('that someone else changed meanwhile can be merged, reloaded or overwritten', async () => {
    const { id } = await newUser()
    await view.open(`/user/${id}`)
    await field('Phone').fill('mine')
    await send('PATCH', `/user/${id}`, { extension: 'theirs' })
    await view.countClicks()
    await button('Save').click()
    const dialog = view.page.getByRole('dialog', { name: 'Someone else changed this record' })
    const option = (name: string) => dialog.getByRole('radio', { name, exact: true })
    await option('Extension Theirs theirs').waitFor()
    expect(await option('Extension Theirs theirs').isChecked()).toBe(true)
    expect(await option('Phone Yours mine').isChecked()).toBe(true)
    await view.expectNoErrors()
    await pollUntil(() => view.page.locator(':focus').textContent()).toBe('Merge')
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await view.expectMessage('Ada Byron saved.')
    expect(await view.clicks()).toBe(2)
    expect(await send('GET', `/user/${id}`)).toMatchObject({ phone: 'mine', extension: 'theirs' })

    // Both changed both fields: each value is chosen by itself.
    await field('Phone').fill('my phone')
    await field('Extension').fill('my extension')
    await send('PATCH', `/user/${id}`, { phone: 'their phone', extension: 'their extension' })
    await button('Save').click()
    const row = dialog.getByRole('row').filter({ hasText: 'their phone' })
    await pollUntil(() => row.getByRole('cell').allInnerTexts()).toEqual(['mine', 'their phone', 'my phone'])
    await option('Phone Theirs their phone').check()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await pollUntil(() => send('GET', `/user/${id}`)).toMatchObject({ phone: 'their phone', extension: 'my extension' })
    await pollUntil(() => field('Phone').inputValue()).toBe('their phone')

    await field('Phone').fill('mine again')
    await send('PATCH', `/user/${id}`, { phone: 'theirs again' })
    await button('Save').click()
    await dialog.getByRole('button', { name: 'Discard my changes' }).click()
    await pollUntil(() => field('Phone').inputValue()).toBe('theirs again')
    await field('Phone').fill('mine at last')
    await send('PATCH', `/user/${id}`, { extension: 'lost' })
    await button('Save').click()
    await dialog.getByRole('button', { name: 'Overwrite' }).click()
    await pollUntil(() => send('GET', `/user/${id}`)).toMatchObject({
      phone: 'mine at last',
      extension: 'my extension',
    })
  })

  itOnce('that someone else changed meanwhile shows the saved values after Discard', async () => {
    const { id } = await newUser()
    await view.open(`/user/${id}`)
    await field('Phone').fill('mine')
    await send('PATCH', `/user/${id}`, { phone: 'theirs', extension: '42' })
    await button('Discard changes').click()
    await pollUntil(() => field('Phone').inputValue()).toBe('theirs')
    expect(await field('Extension').inputValue()).toBe('42')
    await field('Phone').fill('mine again')
    await button('Save').click()
    await view.expectMessage('Ada Byron saved.')
    expect(await send('GET', `/user/${id}`)).toMatchObject({ phone: 'mine again', extension: '42' })
  })

  itOnce('keeps what is typed while it is being saved', async () => {
    const { id } = await newUser()
    await view.open(`/user/${id}`)
    await field('Phone').fill('555')
    const isTyped = Promise.withResolvers<void>()
    const path = `**/user/${id}`
    await view.page.route(path, async (route) => {
      if (route.request().method() === 'PUT') await isTyped.promise
      await route.continue()
    })
    await button('Save').click()
    await field('Extension').fill('77')
    isTyped.resolve()
    await view.expectMessage('Ada Byron saved.')
    await view.page.unroute(path)
    expect([await field('Phone').inputValue(), await field('Extension').inputValue()]).toEqual(['555', '77'])
    await view.page.getByText('Not saved: Extension').waitFor()
    await button('Save').click()
    await pollUntil(() => send('GET', `/user/${id}`)).toMatchObject({ phone: '555', extension: '77' })
  })

  itOnce('asks before unsaved changes are lost', async () => {
    await view.open('/user')
    await view.page.locator('td a[href$="/user/2"]').first().click()
    await field('Phone').fill('1')
    await view.page.getByRole('link', { name: 'Departments' }).click()
    const dialog = view.page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    expect([view.path(), await field('Phone').inputValue()]).toEqual(['/user/2', '1'])
    await view.page.goBack()
    await view.expectNoErrors()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
  })

  it('is created with the defaults of the service', async () => {
    await view.open('/user')
    await button('New user').click()
    await field('First name').fill('Grace')
    await field('Last name').fill('Hopper')
    await button('Create').click()
    await view.page.getByRole('alert').getByText('2 fields need attention').waitFor()
    await view.page.getByText('Email is required.').waitFor()
    expect(await field('Email').getAttribute('aria-invalid')).toBe('true')
    await view.expectNoErrors()
    const email = `grace-${crypto.randomUUID()}@example.com`
    await field('Email').fill(email)
    await view.page.getByRole('combobox', { name: /Department/ }).click()
    await view.page.getByRole('option', { name: 'Engineering' }).click()
    await button('Create').click()
    await view.expectMessage('Grace Hopper created.')
    await view.page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    const id = view.path().split('/').at(-1)
    expect(await send('GET', `/user/${id}`)).toMatchObject({ email, status: 'ACTIVE', supervisor: null })
  })

  itOnce('is created only once, even if the first response is lost', async () => {
    await view.open('/department/~new')
    await field('Name').fill('Once')
    await view.page.route('**/department', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await button('Create').click()
    await view.page
      .getByRole('alert')
      .getByText(/does not respond/)
      .waitFor()
    await view.page.unroute('**/department')
    await button('Create').click()
    await view.expectMessage('Once created.')
    const { results } = (await send('GET', '/department?name=Once')) as unknown as { results: unknown[] }
    expect(results).toHaveLength(1)
  })

  itOnce('can be followed by another one: the next form keeps the values that are usually the same', async () => {
    await view.open('/user/~new')
    await pollUntil(() => view.page.locator(':focus').getAttribute('name')).toBe('firstName')
    const [first, second] = ['one', 'two'].map((request) => `${request}-${crypto.randomUUID()}@example.com`)
    await view.page.keyboard.type('Ada')
    await field('Last name').fill('One')
    await field('Email').fill(`${first}`)
    await view.page.getByRole('combobox', { name: /Department/ }).click()
    await view.page.getByRole('option', { name: 'Engineering' }).click()
    await view.page.getByRole('combobox', { name: /Status/ }).click()
    await view.page.getByRole('option', { name: 'Suspended' }).click()
    await button('Create and add another').click()
    await view.expectMessage('Ada One created. Add the next one.')
    await pollUntil(() => field('Email').inputValue()).toBe('')
    expect(view.path()).toBe('/user/~new')
    expect(await view.page.locator(':focus').getAttribute('name')).toBe('firstName')
    await view.expectNoErrors()
    await view.page.keyboard.type('Ada')
    await field('Last name').fill('Two')
    // The form keeps its values while the rejected field is fixed.
    await button('Create and add another').click()
    await pollUntil(() => field('Email').getAttribute('aria-invalid')).toBe('true')
    await field('Email').fill(`${second}`)
    await button('Create').click()
    await view.page.getByRole('heading', { name: 'Ada Two' }).waitFor()
    const { results } = (await send('GET', `/user-detail?email=${first}&email=${second}`)) as unknown as {
      results: { department: string; status: string }[]
    }
    expect(results.map(({ department, status }) => [department, status])).toEqual([
      ['Engineering', 'SUSPENDED'],
      ['Engineering', 'SUSPENDED'],
    ])
  })

  itOnce('is duplicated, except for unique fields', async () => {
    const { id } = await newUser({ phone: '42', department: 2 })
    await view.open(`/user/${id}`)
    // Actions of the record are also on its other tabs.
    await view.page.getByRole('tab', { name: /^Preferences/ }).click()
    await button('Delete …').waitFor()
    await button('Duplicate').click()
    await view.page.getByText('Copy of').getByRole('link', { name: 'Ada Byron' }).waitFor()
    await pollUntil(() => field('Phone').inputValue()).toBe('42')
    expect(await field('Email').inputValue()).toBe('')
    const email = `copy-${crypto.randomUUID()}@example.com`
    await field('Email').fill(email)
    await button('Create').click()
    await view.expectMessage('Ada Byron created.')
    const copy = view.path().split('/').at(-1)
    expect(copy).not.toBe(`${id}`)
    expect(await send('GET', `/user/${copy}`)).toMatchObject({ email, phone: '42', department: 2, firstName: 'Ada' })
  })

  itOnce('is shown before it is deleted, and can be restored with a new ID if its noun has no history', async () => {
    const name = `act-${crypto.randomUUID()}`
    const created = await send('POST', '/v1/action', { applicationRef: 1, name, description: 'Act' })
    const { actionRef: id } = created as { actionRef: number }
    await view.open(`/v1/action/${id}`)
    await button('Delete …').click()
    const dialog = view.page.getByRole('dialog', { name: /^Delete action/ })
    await dialog.getByText(name).waitFor()
    await view.expectNoErrors()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await view.expectMessage(`${name} deleted.`)
    await pollUntil(() => view.path()).toBe('/v1/action')
    await button('Undo').click()
    await view.expectMessage(new RegExp(`Restored as action \\d+ \\(was ${id}\\)\\.`))
    await button('Open').click()
    await view.page.getByRole('heading', { name }).waitFor()
    const again = Number(view.path().split('/').at(-1))
    expect(again).not.toBe(id)
    expect(await send('GET', `/v1/action/${again}`)).toMatchObject({ name, description: 'Act' })
  })

  itOnce('that someone else changed meanwhile is shown again before it is deleted', async () => {
    const { id } = await newUser()
    await view.open(`/user/${id}`)
    await button('Delete …').click()
    const dialog = view.page.getByRole('dialog', { name: /^Delete user/ })
    await dialog.getByText('“Ada Byron”').waitFor()
    await dialog.getByText('Nothing else uses it.').waitFor()
    await send('PATCH', `/user/${id}`, { firstName: 'Augusta' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/^Someone else has changed this record/)
      .waitFor()
    await dialog.getByText('“Augusta Byron”').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await view.expectMessage('Augusta Byron deleted.')
  })

  it('that is referenced cannot be deleted, and the dialog shows the reason', async () => {
    await view.open('/department')
    await button('Actions for department 1').click()
    await view.page.getByRole('menuitem', { name: 'Delete …' }).click()
    const dialog = view.page.getByRole('dialog', { name: /^Delete department/ })
    const { pageInfo } = (await send('GET', '/user?department=1&pageSize=1')) as {
      pageInfo: { numberOfRecords: number }
    }
    const users = dialog.getByRole('link', { name: `${pageInfo.numberOfRecords} users (Department)` })
    expect(await users.getAttribute('href')).toBe('#/user?department=1')
    await view.expectNoErrors()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await send('GET', '/department/1')).id).toBe(1)
  })
})
