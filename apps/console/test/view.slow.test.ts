// The request panel, and all kinds of pages in the dark color scheme and on a phone.
import { describe, expect, it } from 'vitest'
import { directoryConsole } from './directory-console.ts'
import { visit } from './visit.ts'

const { session, view, button } = directoryConsole()

describe('the request panel', () => {
  it('shows each request as curl and as a call of the typed client', async () => {
    await view.open('/user?status=SUSPENDED')
    await view.page.getByRole('row').nth(1).waitFor()
    await button(/^API requests/).click()
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
})

it.each([
  { title: 'in the dark color scheme', scheme: 'dark', rules: ['color-contrast', 'link-in-text-block'] },
  {
    title: 'on a phone',
    width: 390,
    rules: ['color-contrast', 'target-size', 'scrollable-region-focusable', 'meta-viewport'],
  },
] as const)('all kinds of pages are accessible $title', async ({ title: _, rules, ...options }) => {
  const visited = await visit(session.browser, view.base, options)
  for (const address of [
    '/user-detail',
    '/user/1',
    '/v1/application/1/user/1/role',
    '/user/~new',
    '/~usage',
    '/',
    '/~schema',
  ]) {
    await visited.open(address)
    await visited.settled()
    await visited.expectNoErrors(rules)
    const isTooWide = await visited.page.evaluate('document.documentElement.scrollWidth > innerWidth')
    expect(isTooWide, `${address} at ${visited.page.viewportSize()?.width}`).toBe(false)
  }
  await visited.close()
})
