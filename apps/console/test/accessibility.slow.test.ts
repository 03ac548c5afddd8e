// Every state of the console on a phone in the dark; `npm run prove` adds light and a wide page.
import { directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { audience, newKey, type OpenIdProvider, startOpenIdProvider } from '@nomen/testing/openid-provider'
import { isFull } from '@nomen/testing/prove'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { builtConsole } from './built.ts'
import { lendingService } from './lending.ts'
import { sampleUsage } from './sample-usage.ts'
import { type State, states } from './states.ts'
import { ticketService } from './ticket-service.ts'
import { type ConsoleView, visit } from './visit.ts'

const shared = {} as {
  provider: OpenIdProvider
  services: { readonly [Name in NonNullable<State['service']> | 'directory']: OpenService }
  bases: { readonly [name: string]: string }
  browser: Browser
  token: string
}

/** Only these rules depend on the color scheme. */
const colorRules = ['color-contrast', 'link-in-text-block']

const definition = directoryService({ users: 12 })

beforeAll(async () => {
  shared.provider = await startOpenIdProvider(['user:read'], newKey('ES256'))
  const { issuer } = shared.provider
  shared.token = await shared.provider.token({ scope: 'user:read', audience, user: 'ada@example.com' })
  const options = { database: 'sqlite::memory:', console: builtConsole }
  shared.services = {
    directory: await open(definition, { ...options, webhookPrivateTargets: true }),
    ticket: await open(ticketService, options),
    lending: await open(lendingService, options),
    secured: await open(definition, { ...options, auth: { issuer, audience } }),
  }
  const entries = Object.entries(shared.services)
  shared.bases = Object.fromEntries(
    await Promise.all(entries.map(async ([name, service]) => [name, await service.listen({ port: 0 })] as const)),
  )
  shared.browser = await startChromium()
  await send('PATCH', '/user/7', { phone: '555' })
  await send('POST', '/webhook', { url: 'http://127.0.0.1:9/hook' })
})

afterAll(async () => {
  await shared.browser?.close()
  for (const service of Object.values(shared.services ?? {})) await service.close()
  await shared.provider?.close()
})

async function send(method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object): Promise<void> {
  const { statusCode, body } = await inject(shared.services.directory, { method, url, ...(payload && { payload }) })
  if (statusCode >= 300) throw new Error(body)
}

describe.each(isFull ? [390, 1280] : [390])('at a width of %i pixels', (width) => {
  let view: ConsoleView

  beforeAll(async () => {
    const { browser, bases } = shared
    const allowedOrigins = Object.values(bases)
    view = await visit(browser, `${bases.directory}/console/`, { width, scheme: 'dark', allowedOrigins })
    await view.page.route(/\/usage(\?.*)?$/, (route) => route.fulfill({ json: sampleUsage(definition) }))
  })

  it.each(states)('axe finds no errors in $name', async ({ path, service = 'directory', act }) => {
    const { page } = view
    // The next state begins without a token.
    await page.evaluate('location.origin === "null" || sessionStorage.clear()')
    await page.goto('about:blank')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${shared.bases[service]}/console/#${path}`)
    await view.settled()
    await act?.({ page, isPhone: width < 500, token: shared.token, send })
    await view.expectNoErrors()
    if (!isFull) return
    await page.emulateMedia({ colorScheme: 'light' })
    await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
    await view.settled()
    await view.expectNoErrors(colorRules)
  })
})
