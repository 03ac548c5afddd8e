// The console sends a token only to the service that it was issued for, even if a link names another service.
import { directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { isFull } from '@nomen/testing/prove'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { signInAs, startProvider } from './provider.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { serveStaticFiles } from './static-files.ts'
import { type ConsoleView, visit } from './visit.ts'

const audience = 'https://directory.example.com'
const scopes = ['user:read', 'department:read']

let browser: Browser
let files: { readonly url: string; close(): void }
let provider: { readonly issuer: string; close(): void }
let serviceUrl: string
let attacker: Recorder
let settings: object = {}
let closeService: () => Promise<void>

beforeAll(async () => {
  files = await serveStaticFiles(builtConsole, () => settings)
  provider = await startProvider(files.url, { audience, scopes })
  const service = await open(directoryService({ users: 20 }), {
    database: 'sqlite::memory:',
    usage: false,
    auth: { issuer: provider.issuer, audience },
    corsOrigins: [new URL(files.url).origin],
  })
  closeService = () => service.close()
  serviceUrl = await service.listen({ port: 0 })
  attacker = await startRecorder()
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await closeService?.()
  provider?.close()
  files?.close()
  attacker?.close()
})

const signIn = { audience, scope: ['openid', ...scopes].join(' ') }

const queryOf = (parameters: { readonly [name: string]: string | readonly string[] }) =>
  `?${new URLSearchParams(Object.entries(parameters).flatMap(([name, values]) => [values].flat().map((value) => [name, value])))}`

/** The document of the service, with these members replaced. */
async function documentWith(members: object): Promise<object> {
  const document = (await (await fetch(`${serviceUrl}/openapi.json`)).json()) as object
  return { ...document, ...members }
}

interface Trial {
  readonly link: { readonly [name: string]: string | readonly string[] }
  /** Members of the document of the attacker. */
  readonly members?: object
  readonly hash?: string
  /** Whether the page sends any request to the attacker. */
  readonly reachesAttacker: boolean
}

interface SignedInView {
  readonly view: ConsoleView
  /** Opens the page with this query and hash in the same tab, and waits for its last request. */
  followLink(query: string, hash?: string): Promise<void>
  /** Expects that no request to the attacker contains the token. */
  expectTokenSafe(): void
}

async function openSignedIn(query = ''): Promise<SignedInView> {
  const view = await visit(browser, files.url, { checksAccessibility: false })
  onTestFinished(() => view.close())
  let token: string | undefined
  view.page.on('request', (request) => {
    token ??= /^Bearer (.+)/.exec(request.headers().authorization ?? '')?.[1]
  })
  await view.page.goto(`${files.url}${query}#/user`)
  await view.page.getByRole('button', { name: 'Sign in with SSO' }).click()
  await signInAs(view.page, 'ada')
  await view.page.getByText('1–20 of 20').waitFor()
  if (token === undefined) throw new Error('The console sent no token to the service.')
  const issuedToken: string = token
  return {
    view,
    followLink: async (next, hash = '#/user') => {
      await view.page.goto('about:blank')
      await view.page.goto(`${files.url}${next}${hash}`)
      await view.settled()
    },
    expectTokenSafe: () => expect(attacker.received.filter(({ text }) => text.includes(issuedToken))).toEqual([]),
  }
}

beforeEach(() => {
  attacker.received.length = 0
  attacker.responses.clear()
  attacker.redirects.clear()
})

describe('with a service in settings.json', () => {
  it.each(isFull ? ['documents and a base', 'documents alone', 'a base alone'] : ['documents and a base'])(
    'a link cannot select another service: %s',
    { timeout: 180_000 },
    async (settingNames) => {
      const documents = { documents: [`${serviceUrl}/openapi.json`] }
      const base = { baseUrl: serviceUrl }
      settings = {
        ...signIn,
        ...(settingNames !== 'a base alone' && documents),
        ...(settingNames !== 'documents alone' && base),
      }
      const { followLink, expectTokenSafe, view } = await openSignedIn()
      attacker.responses.set('/openapi.json', await documentWith({ servers: [{ url: attacker.url }] }))
      const { host } = new URL(attacker.url)
      const document = `${attacker.url}/openapi.json`
      const links = [
        { baseUrl: attacker.url },
        { baseUrl: `//${host}` },
        { baseUrl: `http:${host}` },
        { baseUrl: `http:\\\\${host}` },
        { baseUrl: `${serviceUrl}@${host}` },
        { document },
        { document: `//${host}/openapi.json` },
        { document, baseUrl: attacker.url },
        { document: [`${serviceUrl}/openapi.json`, document] },
      ]
      for (const link of isFull ? links : links.slice(-2)) {
        await followLink(queryOf(link))
        await view.page.getByText('1–20 of 20').waitFor()
        expect(attacker.received).toEqual([])
      }
      await followLink('', `#//${host}/user?baseUrl=${attacker.url}&document=${document}`)
      expect(attacker.received).toEqual([])
      expectTokenSafe()
    },
  )

  it('the issuer of the settings overrides the document', async () => {
    settings = { ...signIn, documents: [`${attacker.url}/openapi.json`], baseUrl: serviceUrl, issuer: provider.issuer }
    const openId = { type: 'openIdConnect', openIdConnectUrl: `${attacker.url}/.well-known/openid-configuration` }
    attacker.responses.set('/openapi.json', await documentWith({ components: { securitySchemes: { openId } } }))
    await openSignedIn()
    expect(attacker.received.map(({ path }) => path)).not.toContain('/.well-known/openid-configuration')
  })

  it('the page cannot connect to other origins', async () => {
    settings = { ...signIn, documents: [`${serviceUrl}/openapi.json`] }
    const { view } = await openSignedIn()
    const isRefused = await view.page.evaluate(
      (url) =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      attacker.url,
    )
    expect(isRefused).toBe(true)
    expect(attacker.received).toEqual([])
  })
})

describe('with a service in a link', () => {
  beforeEach(() => {
    settings = signIn
  })

  it('another base or document does not receive the token of the first', async () => {
    const ownDocument = `${serviceUrl}/openapi.json`
    const forgedDocument = `${attacker.url}/openapi.json`
    const { followLink, expectTokenSafe, view } = await openSignedIn(queryOf({ document: ownDocument }))
    const { host } = new URL(attacker.url)
    const path = { get: (await documentOf('/user')) as object }
    const reachesAttacker = true
    const trials: readonly Trial[] = [
      { link: { document: ownDocument, baseUrl: attacker.url }, reachesAttacker },
      { link: { document: ownDocument, baseUrl: `//${host}` }, reachesAttacker },
      { link: { document: ownDocument, baseUrl: `${serviceUrl}@${host}` }, reachesAttacker: false },
      { link: { document: ownDocument, baseUrl: `http:\\\\${host}` }, reachesAttacker },
      { link: { document: forgedDocument }, members: { servers: [{ url: attacker.url }] }, reachesAttacker },
      {
        link: { document: [ownDocument, forgedDocument] },
        members: { servers: [{ url: attacker.url }] },
        reachesAttacker,
      },
      {
        link: { document: forgedDocument, baseUrl: serviceUrl },
        members: { servers: [{ url: attacker.url }] },
        reachesAttacker,
      },
      {
        link: { document: forgedDocument },
        members: { servers: [{ url: serviceUrl }], paths: { [`@${host}/user`]: path } },
        hash: `#@${host}/user`,
        reachesAttacker,
      },
    ]
    const made = isFull ? trials : trials.filter((_, index) => index % 2 === 0)
    for (const { link, members = {}, hash, reachesAttacker } of made) {
      attacker.responses.set('/openapi.json', await documentWith(members))
      await followLink(queryOf(link), hash)
      expectTokenSafe()
      expect(attacker.received.length > 0, JSON.stringify(link)).toBe(reachesAttacker)
      attacker.received.length = 0
    }
    // A forged document cannot send the token to the service.
    const urlsWithToken: string[] = []
    view.page.on('request', (request) => {
      if (request.headers().authorization !== undefined) urlsWithToken.push(request.url())
    })
    attacker.responses.set('/openapi.json', await documentWith({ servers: [{ url: serviceUrl }] }))
    await followLink(queryOf({ document: forgedDocument }))
    expect(urlsWithToken).toEqual([])
    await followLink(queryOf({ document: [ownDocument, forgedDocument] }))
    expect(urlsWithToken).toEqual([])

    // The user is still signed in at the first service.
    await followLink(queryOf({ document: ownDocument }))
    await view.page.getByText('1–20 of 20').waitFor()
    expect(urlsWithToken.length).toBeGreaterThan(0)
  })

  async function documentOf(path: string): Promise<unknown> {
    const { paths } = (await documentWith({})) as { paths: { [path: string]: { get: object } } }
    return paths[path]?.get
  }

  it('the dialog shows the recipient of a token before it is sent', async () => {
    attacker.responses.set('/openapi.json', await documentWith({ servers: [{ url: `${attacker.url}/api` }] }))
    const view = await visit(browser, files.url, { checksAccessibility: false })
    onTestFinished(() => view.close())
    await view.page.goto(`${files.url}${queryOf({ document: `${attacker.url}/openapi.json` })}#/user`)
    await view.page.getByRole('button', { name: 'Sign in' }).click()
    const dialog = view.page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByText(`sent only to ${attacker.url}/api`).first().waitFor()
    await dialog.getByText(`You sign in at ${provider.issuer}.`).waitFor()
  })

  it('the target of a redirect does not receive the token', async () => {
    attacker.responses.set('/openapi.json', await documentWith({ servers: [{ url: `${attacker.url}/api` }] }))
    attacker.redirects.set('/api/user', `${attacker.url}/elsewhere`)
    const view = await visit(browser, files.url, { checksAccessibility: false })
    onTestFinished(() => view.close())
    await view.page.goto(`${files.url}${queryOf({ document: `${attacker.url}/openapi.json` })}#/department`)
    await view.page.getByRole('button', { name: 'Sign in' }).click()
    await view.page.getByLabel('Bearer token').fill('secret-token')
    await view.page.getByRole('button', { name: 'Use this token' }).click()
    await view.page.goto(`${files.url}${queryOf({ document: `${attacker.url}/openapi.json` })}#/user`)
    await view.page.reload()
    await view.page
      .getByText(/redirect/)
      .first()
      .waitFor()
    const paths = attacker.received.filter(({ text }) => text.includes('secret-token')).map(({ path }) => path)
    expect(paths).toContain('/api/user')
    expect(paths).not.toContain('/elsewhere')
  })

  describe('an OpenID provider of the document', () => {
    const discovery = '/.well-known/openid-configuration'

    async function startSignIn(configuration: object): Promise<ConsoleView> {
      const openId = { type: 'openIdConnect', openIdConnectUrl: `${attacker.url}${discovery}` }
      const members = { servers: [{ url: attacker.url }], components: { securitySchemes: { openId } } }
      attacker.responses.set('/openapi.json', await documentWith(members))
      attacker.responses.set(discovery, configuration)
      const view = await visit(browser, files.url, { checksAccessibility: false })
      onTestFinished(() => view.close())
      await view.page.goto(`${files.url}${queryOf({ document: `${attacker.url}/openapi.json` })}#/user`)
      await view.page.getByRole('button', { name: 'Sign in' }).click()
      await view.page.getByRole('button', { name: 'Sign in with SSO' }).click()
      return view
    }

    const isSupported = { authorization_response_iss_parameter_supported: true }

    it.each([
      ['names itself as the issuer, without support for iss', () => ({ issuer: attacker.url }), /origin/],
      ['names another issuer', () => ({ issuer: provider.issuer, ...isSupported }), /issuer/],
      ['names no issuer', () => ({}), /issuer/],
    ])('that redirects users to another provider receives no code: it %s', async (_, members, reason) => {
      const view = await startSignIn({
        ...members(),
        authorization_endpoint: `${provider.issuer}/auth`,
        token_endpoint: `${attacker.url}/token`,
      })
      await view.page.getByRole('alert').getByText(reason).waitFor()
      expect(new URL(view.page.url()).origin).toBe(new URL(files.url).origin)
      expect(attacker.received.map(({ path }) => path)).not.toContain('/token')
    })

    it('is rejected if the code comes from another issuer', async () => {
      const view = await startSignIn({
        issuer: attacker.url,
        ...isSupported,
        authorization_endpoint: `${provider.issuer}/auth`,
        token_endpoint: `${attacker.url}/token`,
      })
      await signInAs(view.page, 'ada')
      await view.page
        .getByRole('alert')
        .getByText(/issuer/)
        .waitFor()
      expect(attacker.received.map(({ path }) => path)).not.toContain('/token')
    })

    it('is rejected if the URL of its sign-in page is a script', async () => {
      const endpoint = 'javascript:document.title="run"//'
      const view = await startSignIn({
        issuer: attacker.url,
        ...isSupported,
        authorization_endpoint: endpoint,
        token_endpoint: `${attacker.url}/token`,
      })
      const reason = /authorization_endpoint is "javascript:.*", which is not an https:/
      await view.page.getByRole('alert').getByText(reason).waitFor()
      expect(await view.page.title()).not.toBe('run')
    })
  })
})

describe('the content security policy', () => {
  it('is in the page, for web servers that do not send one', async () => {
    settings = {}
    const view = await visit(browser, files.url, { checksAccessibility: false })
    onTestFinished(() => view.close())
    await view.page.goto(files.url)
    await view.page.getByLabel('URL of the service').waitFor()
    const content = await view.page
      .locator('meta[http-equiv="Content-Security-Policy"]')
      .first()
      .getAttribute('content')
    expect(content).toContain("default-src 'none'")
    expect(content).toContain("script-src 'self';")
    await view.page.evaluate(`
      const script = document.createElement('script')
      script.textContent = 'document.title = "run"'
      document.head.append(script)
    `)
    expect(await view.page.title()).not.toBe('run')
  })
})
