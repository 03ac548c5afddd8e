// Sub-resources and links below a record in the console, on both databases.
import { isFull } from '@nomen/testing/prove'
import { describe, expect, it } from 'vitest'
import { databases, directoryConsole, pollUntil } from './directory-console.ts'

describe.each(databases)('a sub-resource on %s', (database) => {
  const { view, send, newUser, button, field } = directoryConsole(database)
  /** For behavior that does not depend on the database. `npm run prove` tests it on both. */
  const itOnce = it.runIf(database === 'SQLite' || isFull)

  it('is a tab of its parent: the preferences of a user', async () => {
    const { id } = await newUser()
    await view.open(`/user/${id}`)
    await view.page.getByRole('tab', { name: 'Preferences' }).click()
    await view.page.getByText('No preferences yet.').waitFor()
    await view.expectNoErrors()
    // An empty list offers to create the first record, and to import records.
    await button('Import').last().click()
    await view.page.getByRole('dialog', { name: 'Import preferences' }).waitFor()
    await view.page.keyboard.press('Escape')
    await button('New preference').last().click()
    await field('Type').fill('theme')
    await button('Create').click()
    await view.page.getByText('The preference has neither enabled nor value.').first().waitFor()
    await field('Value').fill('dark')
    await button('Create').click()
    await view.expectMessage('theme created.')
    expect(view.path()).toMatch(new RegExp(`^/user/${id}/preference/\\d+$`))
    await field('Value').fill('light')
    await button('Save').click()
    await view.expectMessage('theme saved.')
    await view.page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Preferences' }).click()
    await pollUntil(() => view.column('Value')).toEqual(['light'])
  })

  it('is linked and unlinked: the actions of a role, limited to those of its application', async () => {
    await view.open('/v1/role/1/action')
    await button('Link an action').click()
    const options = view.page.getByRole('listbox').getByRole('option')
    await options.first().waitFor()
    const [chosenName = ''] = (await options.allInnerTexts())[0]?.split('\n') ?? []
    // Linked actions are not offered.
    expect(await view.column('Name')).not.toContain(chosenName)
    await options.first().click()
    await button('Link').click()
    await view.expectMessage(`${chosenName} linked with`)
    await pollUntil(() => view.column('Name')).toContain(chosenName)
    await view.expectNoErrors()
    const row = view.page.getByRole('row').filter({ hasText: chosenName })
    await row.getByRole('button').click()
    await view.page.getByRole('menuitem', { name: 'Unlink' }).click()
    await view.expectMessage('The action was unlinked.')
    await pollUntil(() => view.column('Name')).not.toContain(chosenName)
  })

  itOnce('that may not be linked shows the reason', async () => {
    await view.open('/v1/role/1/action')
    await button('Link an action').click()
    await view.page.getByRole('checkbox', { name: /^Show only records with the same application$/ }).uncheck()
    const foreign = (await send('GET', '/v1/action?applicationRef=2')) as unknown as {
      results: { name: string; actionRef: number }[]
    }
    await view.page.getByRole('combobox', { name: 'Link an action' }).fill(`${foreign.results[0]?.name}`)
    await view.page
      .getByRole('option', { name: /Travel/ })
      .first()
      .click()
    await button('Link').click()
    await view.page.getByRole('alert').waitFor()
  })

  itOnce('that is related through other records is read-only, with a way to the record itself', async () => {
    await view.open('/v1/application/1/user/1/action')
    await view.page.getByText('Read-only: these actions are related through roles. Change the roles instead.').waitFor()
    await view.page.getByRole('row').nth(1).waitFor()
    expect(await button('New action').count()).toBe(0)
    expect(await view.page.getByRole('checkbox').count()).toBe(0)
    await button('Export').waitFor()
    expect(await button('Import').count()).toBe(0)
    await button('Actions for action 1').click()
    expect(await view.page.getByRole('menuitem').allInnerTexts()).toEqual(['Open', 'Quick view'])
    await view.page.getByRole('menuitem', { name: 'Open' }).click()
    await view.page.getByText('This action is shared, so it is read-only here.').waitFor()
    await view.expectNoErrors()
    expect(await button(/^(Delete|Duplicate|Save)/).count()).toBe(0)
    await view.page.getByRole('link', { name: 'Open the action' }).click()
    await pollUntil(() => view.path()).toBe('/v1/action/1')
    await button('Save').waitFor()
  })

  itOnce('that several records share says who uses it before it is deleted', async () => {
    const name = `act-${crypto.randomUUID()}`
    const { actionRef } = await send('POST', '/v1/action', { applicationRef: 1, name, description: 'Act' })
    const { results } = (await send('GET', '/v1/role?applicationRef=1')) as unknown as {
      results: { roleRef: number }[]
    }
    const roles = results.slice(0, 2)
    for (const { roleRef } of roles) await send('PUT', `/v1/role/${roleRef}/action/${actionRef}`)
    await view.open(`/v1/action/${actionRef}`)
    await button('Delete …').click()
    const dialog = view.page.getByRole('dialog', { name: `Delete action “${name}”?` })
    await dialog.getByText('2 roles', { exact: true }).waitFor()
    await view.expectNoErrors()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    // Deleting it with others counts as well.
    await view.open(`/v1/action?actionRef=${actionRef}`)
    await view.page.getByRole('checkbox', { name: `Select action ${actionRef}` }).check()
    await button('Delete …').click()
    await view.page.getByRole('dialog').getByText('2 roles', { exact: true }).waitFor()
    await view.page.keyboard.press('Escape')
  })

  itOnce('counts links that can only be seen from the other side, also among many records', async () => {
    const { roleRef } = await send('POST', '/v1/role', {
      applicationRef: 1,
      name: `role-${crypto.randomUUID()}`,
      description: 'Role',
    })
    for (const userRef of [3, 120, 199]) await send('PUT', `/v1/user/${userRef}/role/${roleRef}`)
    await view.open(`/v1/role/${roleRef}`)
    await button('Delete …').click()
    await view.page.getByRole('dialog').getByText('3 users', { exact: true }).waitFor()
    await view.page.keyboard.press('Escape')
  })

  itOnce('is reached at any depth, with breadcrumbs: the roles of a user in an application', async () => {
    await view.open('/v1/application/1/user/1/role')
    const crumbs = view.page.getByRole('navigation', { name: 'Breadcrumbs' })
    await crumbs.getByRole('link', { name: 'Łukasz Nowak' }).waitFor()
    expect(await crumbs.getByRole('link').allInnerTexts()).toEqual([
      'Applications',
      'Payroll',
      'Users',
      'Łukasz Nowak',
      'Roles',
    ])
    await view.page.getByRole('row').nth(1).waitFor()
    const linkedNames = await view.column('Name')
    await button('Link a role').click()
    // Several roles at once. Roles of several applications may have the same name, so each option names its application.
    const options = view.page.getByRole('listbox').getByRole('option')
    await pollUntil(() => options.first().textContent()).toMatch(/Payroll · \d+$/)
    const names = (await options.allInnerTexts()).slice(0, 2).map((option) => `${option.split('\n')[0]}`)
    await options.nth(0).click()
    await options.nth(1).click()
    await view.expectNoErrors()
    await view.page.keyboard.press('Escape')
    await button('Link 2 records').click()
    await pollUntil(() => view.column('Name').then((all) => all.toSorted())).toEqual(
      [...linkedNames, ...names].toSorted(),
    )
    await view.expectNoErrors()
    await crumbs.getByRole('link', { name: 'Payroll' }).click()
    await view.page.getByRole('heading', { name: 'Payroll' }).waitFor()
  })

  itOnce('is created and changed at the root if writes are flat, with the parent filled in', async () => {
    await view.open('/v1/application/2/role')
    await button('New role').click()
    await pollUntil(() => view.page.getByRole('combobox', { name: /Application/ }).inputValue()).not.toBe('')
    await field('Name').fill('Auditor')
    await field('Description').fill('Looks at everything')
    const [post] = await Promise.all([
      view.page.waitForRequest((option) => option.method() === 'POST'),
      button('Create').click(),
    ])
    expect([new URL(post.url()).pathname, post.postDataJSON().applicationRef]).toEqual(['/v1/role', 2])
    await view.expectMessage('Auditor created.')
    await field('Description').fill('Looks at all')
    const [put] = await Promise.all([
      view.page.waitForRequest((option) => option.method() === 'PUT'),
      button('Save').click(),
    ])
    expect(new URL(put.url()).pathname).toMatch(/^\/v1\/role\/\d+$/)
    await view.expectMessage('Auditor saved.')
  })
})
