// Sign-in at a real OpenID provider: rejected responses, renewal and sign-out.
import { directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { type Browser, type Route, startChromium } from '@nomen/testing/chromium'
import { isFull } from '@nomen/testing/prove'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { signInAs, startProvider } from './provider.ts'
import { serveStaticFiles } from './static-files.ts'
import { type ConsoleView, visit } from './visit.ts'

const audience = 'https://directory.example.com'
const scopes = ['user:read', 'user:write', 'department:read']
const listPath = '/user?status=ACTIVE&pageSize=25'
const signInButton = { name: 'Sign in with SSO' }

let browser: Browser
let settings: object = {}
let files: { readonly url: string; close(): void }

beforeAll(async () => {
  files = await serveStaticFiles(builtConsole, () => settings)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  files?.close()
})

interface SignInPage {
  readonly view: ConsoleView
  readonly issuer: string
  /** The bodies of the requests to the token endpoint. */
  readonly tokenRequests: URLSearchParams[]
}

interface SignInPageOptions {
  /** Changes the parameters that the provider sends back to the console. */
  readonly alter?: (callback: URLSearchParams) => void
  readonly tokenSeconds?: number
  /** The configuration that the provider has below the path `/tenant`. */
  readonly tenant?: (issuer: string) => { readonly status?: number; readonly issuer?: string }
}

/** Opens a list, and with it the sign-in page of the provider. */
async function openSignIn({ alter, tokenSeconds, tenant }: SignInPageOptions = {}): Promise<SignInPage> {
  const { provider, issuer, close } = await startProvider(files.url, {
    audience,
    scopes,
    ...(tokenSeconds !== undefined && { tokenSeconds }),
  })
  onTestFinished(close)
  provider.use(async (context, next) => {
    await next()
    const location = context.response.get('location')
    if (!location?.startsWith(files.url)) return
    const url = new URL(location)
    alter?.(url.searchParams)
    context.set('location', url.href)
  })
  const service = await open(directoryService({ users: 20 }), {
    database: 'sqlite::memory:',
    usage: false,
    auth: { issuer, audience },
    corsOrigins: [new URL(files.url).origin],
  })
  onTestFinished(() => service.close())
  const base = await service.listen({ port: 0 })
  settings = { audience, scope: ['openid', ...scopes].join(' '), documents: [`${base}/openapi.json`] }
  const view = await visit(browser, files.url, { checksAccessibility: false, allowedOrigins: [issuer, base] })
  onTestFinished(() => view.close())
  const tokenRequests: URLSearchParams[] = []
  await view.page.route(`${issuer}/token`, async (route) => {
    tokenRequests.push(new URLSearchParams(route.request().postData() ?? ''))
    await route.continue()
  })
  if (tenant) {
    settings = { ...settings, issuer: `${issuer}/tenant` }
    await view.page.route(`${issuer}/tenant/.well-known/openid-configuration`, async (route) => {
      const response = await route.fetch({ url: `${issuer}/.well-known/openid-configuration` })
      const { status = 200, ...members } = tenant(issuer)
      await route.fulfill({ response, status, json: { ...(await response.json()), ...members } })
    })
  }
  await view.open(listPath)
  await view.page.getByRole('button', signInButton).click()
  return { view, issuer, tokenRequests }
}

/** Expects an alert with this text. The console then opens the same page without a token. */
async function expectRejected({ view, issuer }: SignInPage, reason: RegExp): Promise<void> {
  const alert = view.page.getByRole('alert')
  await alert.getByText(reason).waitFor()
  await alert.getByText(`The sign-in at ${issuer} failed`).waitFor()
  expect(view.page.url()).toBe(`${files.url}#${listPath}`)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await view.page.getByRole('button', signInButton).waitFor()
  expect(view.path()).toBe(listPath)
}

const wrongResponses: readonly (readonly [string, (callback: URLSearchParams) => void, RegExp])[] = [
  ['another issuer', (callback) => callback.set('iss', 'https://login.example.com'), /unexpected "iss" \(issuer\)/],
  ['no issuer', (callback) => callback.delete('iss'), /"iss" \(issuer\) missing/],
  ['another state', (callback) => callback.set('state', 'of-another-sign-in'), /unexpected "state"/],
  ['no state', (callback) => callback.delete('state'), /"state" missing/],
]

it.each(isFull ? wrongResponses : wrongResponses.filter((_, index) => index % 3 === 0))(
  'a response with %s is rejected, and its code is not sent',
  async (_, alter, reason) => {
    const signIn = await openSignIn({ alter })
    const configuration = await (await fetch(`${signIn.issuer}/.well-known/openid-configuration`)).json()
    expect(configuration).toMatchObject({ authorization_response_iss_parameter_supported: true })
    await signInAs(signIn.view.page, 'ada')
    await expectRejected(signIn, reason)
    expect(signIn.tokenRequests).toEqual([])
  },
)

it.each(isFull ? ['/tenant', '/tenant/'] : ['/tenant/'])(
  'an issuer with the path %s has its configuration below this path',
  async (path) => {
    const { view } = await openSignIn({ tenant: (issuer) => ({ issuer: `${issuer}${path}` }) })
    await view.page.getByPlaceholder('Enter any login').waitFor()
  },
)

it.each<[string, (issuer: string) => { readonly status?: number; readonly issuer?: string }, RegExp]>([
  ['does not exist', () => ({ status: 404 }), /provider: it responds with HTTP status 404/],
  ['has another issuer', (issuer) => ({ issuer: `${issuer}/other` }), /provider: .*"issuer".* does not match/],
])('a configuration that %s is not used', async (_, tenant, reason) => {
  const { view } = await openSignIn({ tenant })
  await view.page.getByRole('alert').getByText(reason).waitFor()
})

it('an ID token with another nonce is rejected', async () => {
  const signIn = await openSignIn()
  const { page } = signIn.view
  await page.route(`${signIn.issuer}/token`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const [header, payload, signature] = body.id_token.split('.')
    const claims = { ...JSON.parse(`${Buffer.from(payload, 'base64url')}`), nonce: 'of-another-sign-in' }
    const altered = Buffer.from(JSON.stringify(claims)).toString('base64url')
    await route.fulfill({ response, json: { ...body, id_token: [header, altered, signature].join('.') } })
  })
  await signInAs(page, 'ada')
  await expectRejected(signIn, /"nonce"/)
})

it('an error of the provider is shown', async () => {
  const signIn = await openSignIn()
  await signIn.view.page.getByRole('link', { name: 'Cancel' }).click()
  await expectRejected(signIn, /aborted/)
  expect(signIn.tokenRequests).toEqual([])
})

/**
 * Leaves the page after it has stored the response of each renewal, and opens it again. A page that is left earlier
 * loses its new refresh token.
 */
async function reopenBetweenRenewals(
  { view: { page }, issuer, tokenRequests }: SignInPage,
  beforeOpening: () => Promise<unknown> = async () => {},
): Promise<void> {
  const tokenUrl = `${issuer}/token`
  const pageUrl = page.url()
  // The provider sees no renewal from now on, until the page is opened again.
  const held: Route[] = []
  let isHeld = true
  await page.route(tokenUrl, (route) => (isHeld ? void held.push(route) : route.fallback()))
  await expect
    .poll(async () => {
      const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage }))
      return tokenRequests.flatMap((request) => request.getAll('refresh_token')).some((token) => stored.includes(token))
    })
    .toBe(false)
  await page.goto('about:blank')
  // A held request that is sent later would use a refresh token twice.
  await Promise.all(held.map((route) => route.abort().catch(() => {})))
  isHeld = false
  await beforeOpening()
  await page.goto(pageUrl)
}

/** Waits for the record. The error says what the page shows instead. */
async function expectRecord({ view: { page }, tokenRequests }: SignInPage): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 })
  await heading.waitFor({ timeout: 60_000 }).catch(async (error) => {
    const text = await page.locator('body').textContent()
    throw new Error(`After ${tokenRequests.length} requests for tokens, the page shows: ${text}`, { cause: error })
  })
}

it('signs in with PKCE, renews the token with each refresh token once, and signs out', async () => {
  // The lifetime is so short that the console renews the token before every request.
  const signIn = await openSignIn({ tokenSeconds: 14 })
  const { view, tokenRequests } = signIn
  const { page } = view
  await signInAs(page, 'ada')
  await page.getByText(/1–\d+ of \d+/).waitFor()
  expect(view.path()).toBe(listPath)
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await expectRecord(signIn)
  await reopenBetweenRenewals(signIn)
  await expectRecord(signIn)
  const [first, ...renewals] = tokenRequests
  expect(first?.get('grant_type')).toBe('authorization_code')
  expect(first?.get('code_verifier')).toMatch(/^[\w-]{43,}$/)
  expect(renewals.length).toBeGreaterThan(1)
  expect(renewals.map((request) => request.get('grant_type'))).toEqual(renewals.map(() => 'refresh_token'))
  const refreshTokens = renewals.map((request) => request.get('refresh_token'))
  expect(new Set(refreshTokens).size).toBe(refreshTokens.length)

  // A provider that does not respond does not end the session.
  const tokenUrl = `${signIn.issuer}/token`
  const refuse = (route: Route) => route.abort()
  await reopenBetweenRenewals(signIn, () => page.route(tokenUrl, refuse))
  await page.getByText(`${signIn.issuer} does not respond`).first().waitFor()
  await reopenBetweenRenewals(signIn, () => page.unroute(tokenUrl, refuse))
  await expectRecord(signIn)

  await page.getByRole('button', { name: /^Signed in/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', signInButton).waitFor()
})

it('keeps the input of a form through a sign-in', async () => {
  const { view } = await openSignIn()
  const { page } = view
  await signInAs(page, 'ada')
  await page.getByText(/1–\d+ of \d+/).waitFor()
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  const name = page.getByLabel(/^First name/)
  await name.fill('Typed before')
  const path = view.path()
  // The token has expired meanwhile.
  await page.route(`**${path}`, (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 401, json: { title: 'Expired' } }) : route.fallback(),
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', signInButton).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => name.inputValue()).toBe('Typed before')
  expect(view.path()).toBe(path)
  await page.getByText('Not saved: First name').waitFor()
})
