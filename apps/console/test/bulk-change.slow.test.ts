// Changes of several records at once in the console.
import { describe, it } from 'vitest'
import { directoryConsole, pollUntil } from './directory-console.ts'

const { view, send, newUser, button } = directoryConsole()

describe('several records', () => {
  it('are selected and changed together, and rejected ones stay selected', async () => {
    const users = [await newUser(), await newUser(), await newUser()]
    const [firstId, secondId, thirdId] = users.map(({ id }) => id)
    await send('PATCH', `/user/${secondId}`, { status: 'SUSPENDED' })
    // The list does not follow changes.
    await view.page.route(/[?&]wait=/, (route) => route.abort())
    await view.open(`/user-detail?id=${firstId}&id=${secondId}&id=${thirdId}`)
    await view.page.getByRole('checkbox', { name: `Select user ${firstId}` }).click()
    await view.page.getByRole('checkbox', { name: `Select user ${thirdId}` }).click({ modifiers: ['Shift'] })
    const bar = view.page.getByRole('region', { name: 'Selected records' })
    await bar.getByText('3 selected').waitFor()
    await view.expectNoErrors()
    await bar.getByRole('button', { name: 'Edit field …' }).click()
    await view.page.getByRole('menuitem', { name: 'Set status to Suspended' }).click()
    const changeDialog = view.page.getByRole('dialog', { name: 'Set status to Suspended for 3 users?' })
    await changeDialog.getByRole('button', { name: 'Set status to Suspended' }).click()
    await view.expectMessage('Status set to Suspended for 3 users.')
    await pollUntil(() => view.column('Status')).toEqual(['Suspended', 'Suspended', 'Suspended'])
    await pollUntil(() => bar.count()).toBe(0)

    // Another client deletes one of them first, and the list does not show it yet.
    await view.page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await send('DELETE', `/user/${secondId}`)
    await bar.getByRole('button', { name: 'Delete …' }).click()
    const deleteDialog = view.page.getByRole('dialog', { name: 'Delete 3 users?' })
    await view.expectNoErrors()
    await deleteDialog.getByRole('button', { name: 'Delete' }).click()
    const rejected = view.page.getByRole('dialog', { name: 'Rejected records' })
    await rejected.getByText('2 users changed, 1 rejected.').waitFor()
    await rejected.getByRole('rowheader', { name: `Ada Byron (${secondId})` }).waitFor()
    await rejected.getByRole('button', { name: 'Close' }).last().click()
    await view.page.getByText('No users match.').waitFor()
  })

  it('can be restored after a delete, except for rejected ones', async () => {
    const users = [await newUser(), await newUser({ phone: '7' }), await newUser()]
    await send('POST', `/user/${users[1]?.id}/preference`, { type: 'theme', value: 'dark' })
    await view.open(`/user-detail?${users.map(({ email }) => `email=${encodeURIComponent(email)}`).join('&')}`)
    await view.page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await button('Delete …').click()
    const deleteDialog = view.page.getByRole('dialog', { name: 'Delete 3 users?' })
    await deleteDialog.getByText('1 preference (also deleted)').waitFor()
    await deleteDialog.getByText('You can undo this.').waitFor()
    await deleteDialog.getByRole('button', { name: 'Delete' }).click()
    await view.page.getByText('No users match.').waitFor()
    // Meanwhile another client creates a user with the e-mail address of one of them.
    const reusedEmail = `${users[2]?.email}`
    await send('POST', '/user', { firstName: 'New', lastName: 'One', email: reusedEmail, department: 1 })
    await button('Undo').click()
    await view.expectMessage(/2 of 3 restored. Failed: .*/)
    await view.expectMessage(new RegExp(reusedEmail))
    await pollUntil(() => view.column('Phone').then((phones) => phones.toSorted())).toEqual(['', '', '7'])
    await view.expectNoErrors()
  })

  it('are unlinked together', async () => {
    const role = (await send('POST', '/v1/role', { applicationRef: 1, name: 'Several', description: '' })) as {
      roleRef: number
    }
    const { results } = (await send('GET', '/v1/action?applicationRef=1&pageSize=2')) as unknown as {
      results: { actionRef: number }[]
    }
    for (const { actionRef } of results) await send('PUT', `/v1/role/${role.roleRef}/action/${actionRef}`)
    await view.open(`/v1/role/${role.roleRef}/action`)
    await view.page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await button('Unlink …').click()
    await view.page.getByRole('dialog', { name: 'Unlink 2 actions?' }).getByRole('button', { name: 'Unlink' }).click()
    await view.page.getByText('No actions linked.').waitFor()
  })
})
