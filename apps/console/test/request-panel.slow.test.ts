// The request panel.
import { describe, expect, it, onTestFinished } from 'vitest'
import { directoryConsole, pollUntil } from './directory-console.ts'
import { visit } from './visit.ts'

const { session, view, newUser, button } = directoryConsole()

describe('the request panel', () => {
  it('shows each request as curl and as a call of the typed client', async () => {
    await view.open('/user?status=SUSPENDED')
    await view.page.getByRole('row').nth(1).waitFor()
    await button(/^Requests: /).click()
    const panel = view.page.getByRole('dialog', { name: 'Requests' })
    await panel.getByText(`curl '${new URL(view.base).origin}/user?status=SUSPENDED&pageSize=25'`).waitFor()
    await view.expectNoErrors()
    await panel.getByRole('tab', { name: 'Typed client' }).click()
    await panel.getByText("await api.user.list({ status: 'SUSPENDED', pageSize: 25 })").waitFor()
    await panel.getByRole('tab', { name: 'Headers' }).click()
    await panel.getByRole('rowheader', { name: 'x-request-id' }).waitFor()
    await panel.getByText(/\d ms/).first().waitFor()
    await view.expectNoErrors()
  })

  it('is beside the page on wide screens, finds requests, and sends them again', async () => {
    const wide = await visit(session.browser, view.base, { width: 1600 })
    onTestFinished(() => wide.close())
    const { page } = wide
    const { id, email } = await newUser()
    await wide.open(`/user?email=${email}`)
    await page.getByRole('cell', { name: email }).waitFor()
    await page.keyboard.press('Control+.')
    const panel = page.getByRole('complementary', { name: 'Requests' })
    const items = panel.locator('.exchange')
    await items.first().waitFor()
    // Nothing is below the panel.
    const main = await page.getByRole('table').boundingBox()
    expect((main?.x ?? 0) + (main?.width ?? 0)).toBeLessThanOrEqual((await panel.boundingBox())?.x ?? 0)
    await wide.expectNoErrors()
    await page.getByRole('button', { name: `Actions for user ${id}` }).click()
    await page.getByRole('menuitem', { name: 'Set status to Suspended' }).click()
    await wide.expectMessage('Status set to Suspended.')
    await panel.getByRole('textbox', { name: 'Filter requests' }).fill(`patch /user/${id}`)
    await pollUntil(() => items.count()).toBe(1)
    await panel.getByRole('textbox', { name: 'Filter requests' }).fill('')
    await panel.getByRole('combobox', { name: 'Method' }).click()
    await page.getByRole('option', { name: 'PATCH' }).click()
    await pollUntil(() => items.count()).toBe(1)
    // A write is sent after a confirmation.
    await panel.getByRole('button', { name: 'Resend …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send this request again?' })
    await dialog.getByText(`PATCH /user/${id}`).waitFor()
    await wide.expectNoErrors()
    expect(await items.count()).toBe(1)
    await dialog.getByRole('button', { name: 'Resend' }).click()
    await pollUntil(() => items.count()).toBe(2)
    // It has the same If-Match, so it does not overwrite later changes.
    await items.first().getByText('412').waitFor()
    await panel.getByRole('combobox', { name: 'Method' }).click()
    await page.getByRole('option', { name: 'GET' }).click()
    await panel.getByRole('textbox', { name: 'Filter requests' }).fill(`/user/${id}`)
    // The menu has read the record once.
    await pollUntil(() => items.count()).toBe(1)
    await panel.getByRole('button', { name: 'Resend', exact: true }).click()
    await pollUntil(() => items.count()).toBe(2)
    // A changed request is sent as it was typed.
    await panel.getByRole('button', { name: 'Edit …' }).click()
    const editor = page.getByRole('dialog', { name: 'Edit request' })
    await editor.getByLabel('GET path').fill('user')
    await editor.getByText('Begin with a slash').waitFor()
    await wide.expectNoErrors()
    await editor.getByLabel('GET path').fill('/department?pageSize=2')
    await editor.getByRole('button', { name: 'Resend' }).click()
    await panel.getByRole('textbox', { name: 'Filter requests' }).fill('/department?pageSize=2')
    await items.first().getByText('200').waitFor()
    await panel.getByRole('button', { name: 'Close requests' }).press('Escape')
    await pollUntil(() => panel.count()).toBe(0)
  })
})
