// The console of a directory with authentication: sign-in at a real provider, and the usage report.
import { directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { startChromium } from '@nomen/testing/chromium'
import { expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { signInAs, startProvider } from './provider.ts'
import { visit } from './visit.ts'

const audience = 'https://directory.example.com'

it('signs in at the issuer of the service, and leaves the console out of the usage', async () => {
  // The provider needs the URL of the console, and the service needs the URL of the provider: choose a port first.
  const portService = await open(directoryService({ users: 20 }), { database: 'sqlite::memory:', usage: false })
  const base = await portService.listen({ port: 0 })
  await portService.close()
  const scopes = ['user:read', 'department:read', 'usage:read']
  const clientId = 'people-console'
  const { issuer, close } = await startProvider(`${base}/console/`, { audience, scopes, clientId })
  onTestFinished(close)
  const service = await open(directoryService({ users: 20 }), {
    database: 'sqlite::memory:',
    console: builtConsole,
    auth: { issuer, audience },
    consoleSignIn: { clientId, scope: ['openid', ...scopes].join(' ') },
  })
  onTestFinished(() => service.close())
  await service.listen({ port: Number(new URL(base).port) })
  const browser = await startChromium()
  onTestFinished(() => browser.close())
  const view = await visit(browser, `${base}/console/`, { allowedOrigins: [issuer] })

  // Only the document has the issuer.
  await view.page.route('**/settings.json', async (route) => {
    const { issuer: _, ...settings } = await (await route.fetch()).json()
    await route.fulfill({ json: settings })
  })
  await view.open('/user?pageSize=25')
  await view.page.getByRole('button', { name: 'Sign in with SSO' }).click()
  await signInAs(view.page, 'lukasz.nowak@example.com')
  await view.page.getByText('1–20 of 20').waitFor()
  expect(view.path()).toBe('/user?pageSize=25')
  await view.expectNoErrors()

  // The token allows no writes, so their buttons are disabled, and the menu of the user says what it allows.
  const creation = view.page.getByRole('button', { name: 'New user' })
  expect([await creation.isDisabled(), await creation.getAttribute('title')]).toEqual([
    true,
    'You need the scope user:write.',
  ])
  await view.page.getByRole('button', { name: 'Views of Users' }).click()
  await view.page.getByRole('menuitem', { name: 'Save as a new view …' }).click()
  const sharing = view.page.getByRole('checkbox', { name: 'Share with all users' })
  expect([await sharing.isDisabled(), await sharing.getAttribute('title')]).toEqual([
    true,
    'You need the scopes saved-view:write, saved-view:read.',
  ])
  await view.page.keyboard.press('Escape')
  await view.page.getByRole('button', { name: 'Signed in as lukasz.nowak@example.com' }).click()
  await view.page.getByRole('menu').getByText('department:read').waitFor()
  await view.expectNoErrors()
  await view.page.keyboard.press('Escape')
  await view.open('/user/1')
  await view.page.getByText('You need the scope user:write.').waitFor()
  expect(await view.page.getByLabel('First name').isDisabled()).toBe(true)
  await view.expectNoErrors()

  // A missing scope is reported.
  await view.open('/v1/role')
  await view.page
    .getByRole('alert')
    .getByText(/insufficient-scope/)
    .waitFor()
  await view.open('/user/1/change')
  await view.page.getByText('You need the scope change:read to see the history.').waitFor()
  await view.expectNoErrors()

  await view.page.getByRole('navigation').getByRole('link', { name: 'Usage' }).click()
  // Its own requests are not counted.
  await view.page.getByText(/^Whole period: \d requests? from .* UTC/).waitFor()
  // Its own requests keep no endpoint in use.
  await view.page.getByRole('row', { name: / \/user Never called/ }).waitFor()
  await view.page.getByRole('checkbox', { name: 'Include console requests' }).check()
  await view.page.getByRole('button', { name: /requests from console to \/user$/ }).waitFor()
  await view.expectNoErrors()
})
