// The console on the directory as others reach it: with tokens of a real provider, and with what it counts of its own usage.
import { directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { startChromium } from '@nomen/testing/chromium'
import { expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { signInAs, startProvider } from './provider.ts'
import { visit } from './visit.ts'

const audience = 'https://directory.example.com'

it('signs in at the issuer of the service, and sees who calls it', async () => {
  // The provider must know the console's address, and the service the provider's: a port is taken first.
  const first = await open(directoryService({ users: 20 }), { database: 'sqlite::memory:', usage: false })
  const base = await first.listen({ port: 0 })
  await first.close()
  const scopes = ['user:read', 'department:read', 'usage:read']
  const clientId = 'people-console'
  const { issuer, close } = await startProvider(`${base}/console/`, { audience, scopes, clientId })
  onTestFinished(close)
  const service = await open(directoryService({ users: 20 }), {
    database: 'sqlite::memory:',
    console: builtConsole(),
    auth: { issuer, audience },
    consoleSignIn: { clientId, scope: ['openid', ...scopes].join(' ') },
  })
  onTestFinished(() => service.close())
  await service.listen({ port: Number(new URL(base).port) })
  const browser = await startChromium()
  onTestFinished(() => browser.close())
  const at = await visit(browser, `${base}/console/`, { friends: [issuer] })

  // The document alone says where to sign in.
  await at.page.route('**/settings.json', async (route) => {
    const { issuer: _, ...settings } = await (await route.fetch()).json()
    await route.fulfill({ json: settings })
  })
  await at.open('/user?pageSize=25')
  await at.page.getByRole('button', { name: 'Sign in with the provider of the service' }).click()
  await signInAs(at.page, 'lukasz.nowak@example.com')
  await at.page.getByText('1–20 of 20').waitFor()
  expect(at.address()).toBe('/user?pageSize=25')
  await at.isSound()

  // What the token does not allow is said as it is.
  await at.open('/v1/role')
  await at.page
    .getByRole('alert')
    .getByText(/insufficient-scope/)
    .waitFor()

  await at.page.getByRole('link', { name: 'Usage' }).click()
  await at.page.getByText(/requests from .* UTC/).waitFor()
  await at.page.getByRole('row', { name: /GET \/user .*In use by/ }).waitFor()
  await at.isSound()
})
