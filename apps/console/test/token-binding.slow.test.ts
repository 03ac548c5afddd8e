// A token of the console goes to the service that it was issued for, whatever a link says.
import { directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { signInAs, startProvider } from './provider.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { serveStill } from './still-files.ts'
import { type Visit, visit } from './visit.ts'

const audience = 'https://directory.example.com'
const scopes = ['user:read', 'department:read']

let browser: Browser
let files: { readonly url: string; close(): void }
let provider: { readonly issuer: string; close(): void }
let good: string
let evil: Recorder
let settings: object = {}
let closeService: () => Promise<void>

beforeAll(async () => {
  files = await serveStill(builtConsole(), () => settings)
  provider = await startProvider(files.url, { audience, scopes })
  const service = await open(directoryService({ users: 20 }), {
    database: 'sqlite::memory:',
    usage: false,
    auth: { issuer: provider.issuer, audience },
    corsOrigins: [new URL(files.url).origin],
  })
  closeService = () => service.close()
  good = await service.listen({ port: 0 })
  evil = await startRecorder()
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await closeService?.()
  provider?.close()
  files?.close()
  evil?.close()
})

const signIn = { audience, scope: ['openid', ...scopes].join(' ') }

const escaped = (parameters: { readonly [name: string]: string | readonly string[] }) =>
  `?${new URLSearchParams(Object.entries(parameters).flatMap(([name, all]) => [all].flat().map((one) => [name, one])))}`

/** The document of the service, with these members in place of its own. */
async function documentWith(members: object): Promise<object> {
  const document = (await (await fetch(`${good}/openapi.json`)).json()) as object
  return { ...document, ...members }
}

interface Trial {
  readonly link: { readonly [name: string]: string | readonly string[] }
  /** Members of the document of the attacker. */
  readonly members?: object
  readonly hash?: string
  /** Whether the page asks the attacker at all. */
  readonly isReached: boolean
}

interface SignedIn {
  readonly at: Visit
  /** Opens the page with this query and hash in the same tab, and waits until it asks for nothing more. */
  follow(query: string, hash?: string): Promise<void>
  /** Nothing that the attacker received holds the token. */
  isSafe(): void
}

async function signedIn(query = ''): Promise<SignedIn> {
  const at = await visit(browser, files.url, { isJudged: false })
  onTestFinished(() => at.close())
  let token: string | undefined
  at.page.on('request', (request) => {
    token ??= /^Bearer (.+)/.exec(request.headers().authorization ?? '')?.[1]
  })
  await at.page.goto(`${files.url}${query}#/user`)
  await at.page.getByRole('button', { name: 'Sign in with the provider of the service' }).click()
  await signInAs(at.page, 'ada')
  await at.page.getByText('1–10 of 20').waitFor()
  if (token === undefined) throw new Error('The service was asked without a token.')
  const secret: string = token
  return {
    at,
    follow: async (next, hash = '#/user') => {
      await at.page.goto('about:blank')
      await at.page.goto(`${files.url}${next}${hash}`)
      await at.page.waitForLoadState('networkidle')
    },
    isSafe: () => expect(evil.received.filter(({ text }) => text.includes(secret))).toEqual([]),
  }
}

beforeEach(() => {
  evil.received.length = 0
  evil.answers.clear()
  evil.redirects.clear()
})

describe('where settings.json names the service', () => {
  it.each(['documents and a base', 'documents alone', 'a base alone'])(
    'a link names no other one: %s',
    { timeout: 180_000 },
    async (named) => {
      const documents = { documents: [`${good}/openapi.json`] }
      const base = { baseUrl: good }
      settings = {
        ...signIn,
        ...(named !== 'a base alone' && documents),
        ...(named !== 'documents alone' && base),
      }
      const { follow, isSafe, at } = await signedIn()
      evil.answers.set('/openapi.json', await documentWith({ servers: [{ url: evil.url }] }))
      const { host } = new URL(evil.url)
      const document = `${evil.url}/openapi.json`
      const links = [
        { baseUrl: evil.url },
        { baseUrl: `//${host}` },
        { baseUrl: `http:${host}` },
        { baseUrl: `http:\\\\${host}` },
        { baseUrl: `${good}@${host}` },
        { document },
        { document: `//${host}/openapi.json` },
        { document, baseUrl: evil.url },
        { document: [`${good}/openapi.json`, document] },
      ]
      for (const link of named === 'documents and a base' ? links : links.slice(-3)) {
        await follow(escaped(link))
        await at.page.getByText('1–10 of 20').waitFor()
        expect(evil.received).toEqual([])
      }
      await follow('', `#//${host}/user?baseUrl=${evil.url}&document=${document}`)
      expect(evil.received).toEqual([])
      isSafe()
    },
  )

  it('its own issuer is asked, whatever the document says', async () => {
    settings = { ...signIn, documents: [`${evil.url}/openapi.json`], baseUrl: good, issuer: provider.issuer }
    const openId = { type: 'openIdConnect', openIdConnectUrl: `${evil.url}/.well-known/openid-configuration` }
    evil.answers.set('/openapi.json', await documentWith({ components: { securitySchemes: { openId } } }))
    await signedIn()
    expect(evil.received.map(({ path }) => path)).not.toContain('/.well-known/openid-configuration')
  })

  it('connects to nothing else', async () => {
    settings = { ...signIn, documents: [`${good}/openapi.json`] }
    const { at } = await signedIn()
    const isRefused = await at.page.evaluate(
      (url) =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      evil.url,
    )
    expect(isRefused).toBe(true)
    expect(evil.received).toEqual([])
  })
})

describe('where a link names the service', () => {
  beforeEach(() => {
    settings = signIn
  })

  it('another base, or another document, gets no token of the first', { timeout: 180_000 }, async () => {
    const own = `${good}/openapi.json`
    const forged = `${evil.url}/openapi.json`
    const { follow, isSafe, at } = await signedIn(escaped({ document: own }))
    const { host } = new URL(evil.url)
    const path = { get: (await documentOf('/user')) as object }
    const isReached = true
    const trials: readonly Trial[] = [
      { link: { document: own, baseUrl: evil.url }, isReached },
      { link: { document: own, baseUrl: `//${host}` }, isReached },
      { link: { document: own, baseUrl: `${good}@${host}` }, isReached: false },
      { link: { document: own, baseUrl: `http:\\\\${host}` }, isReached },
      { link: { document: forged }, members: { servers: [{ url: evil.url }] }, isReached },
      { link: { document: [own, forged] }, members: { servers: [{ url: evil.url }] }, isReached },
      { link: { document: forged, baseUrl: good }, members: { servers: [{ url: evil.url }] }, isReached },
      {
        link: { document: forged },
        members: { servers: [{ url: good }], paths: { [`@${host}/user`]: path } },
        hash: `#@${host}/user`,
        isReached,
      },
    ]
    for (const { link, members = {}, hash, isReached } of trials) {
      evil.answers.set('/openapi.json', await documentWith(members))
      await follow(escaped(link), hash)
      isSafe()
      expect(evil.received.length > 0, JSON.stringify(link)).toBe(isReached)
      evil.received.length = 0
    }
    // A forged document does not use the token at the service either.
    const carried: string[] = []
    at.page.on('request', (request) => {
      if (request.headers().authorization !== undefined) carried.push(request.url())
    })
    evil.answers.set('/openapi.json', await documentWith({ servers: [{ url: good }] }))
    await follow(escaped({ document: forged }))
    expect(carried).toEqual([])
    await follow(escaped({ document: [own, forged] }))
    expect(carried).toEqual([])

    // The first is signed in still.
    await follow(escaped({ document: own }))
    await at.page.getByText('1–10 of 20').waitFor()
    expect(carried.length).toBeGreaterThan(0)
  })

  async function documentOf(path: string): Promise<unknown> {
    const { paths } = (await documentWith({})) as { paths: { [path: string]: { get: object } } }
    return paths[path]?.get
  }

  it('says to whom a token is sent before it is', async () => {
    evil.answers.set('/openapi.json', await documentWith({ servers: [{ url: `${evil.url}/api` }] }))
    const at = await visit(browser, files.url, { isJudged: false })
    onTestFinished(() => at.close())
    await at.page.goto(`${files.url}${escaped({ document: `${evil.url}/openapi.json` })}#/user`)
    await at.page.getByRole('button', { name: 'Sign in' }).click()
    const dialog = at.page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByText(`sent to ${evil.url}/api only`).first().waitFor()
    await dialog.getByText(`You sign in at ${provider.issuer}.`).waitFor()
  })

  it('a redirect takes no token along', async () => {
    evil.answers.set('/openapi.json', await documentWith({ servers: [{ url: `${evil.url}/api` }] }))
    evil.redirects.set('/api/user', `${evil.url}/elsewhere`)
    const at = await visit(browser, files.url, { isJudged: false })
    onTestFinished(() => at.close())
    await at.page.goto(`${files.url}${escaped({ document: `${evil.url}/openapi.json` })}#/department`)
    await at.page.getByRole('button', { name: 'Sign in' }).click()
    await at.page.getByLabel('Bearer token').fill('secret-token')
    await at.page.getByRole('button', { name: 'Use this token' }).click()
    await at.page.goto(`${files.url}${escaped({ document: `${evil.url}/openapi.json` })}#/user`)
    await at.page.reload()
    await at.page
      .getByText(/redirect/)
      .first()
      .waitFor()
    const paths = evil.received.filter(({ text }) => text.includes('secret-token')).map(({ path }) => path)
    expect(paths).toContain('/api/user')
    expect(paths).not.toContain('/elsewhere')
  })

  describe('an OpenID provider of the document', () => {
    const discovery = '/.well-known/openid-configuration'

    async function ask(configuration: object): Promise<Visit> {
      const openId = { type: 'openIdConnect', openIdConnectUrl: `${evil.url}${discovery}` }
      const members = { servers: [{ url: evil.url }], components: { securitySchemes: { openId } } }
      evil.answers.set('/openapi.json', await documentWith(members))
      evil.answers.set(discovery, configuration)
      const at = await visit(browser, files.url, { isJudged: false })
      onTestFinished(() => at.close())
      await at.page.goto(`${files.url}${escaped({ document: `${evil.url}/openapi.json` })}#/user`)
      await at.page.getByRole('button', { name: 'Sign in' }).click()
      await at.page.getByRole('button', { name: 'Sign in with the provider of the service' }).click()
      return at
    }

    const isSupported = { authorization_response_iss_parameter_supported: true }

    it.each([
      ['names itself, and says nothing of iss', () => ({ issuer: evil.url }), /origin/],
      ['speaks for another', () => ({ issuer: provider.issuer, ...isSupported }), /issuer/],
      ['speaks for nobody', () => ({}), /issuer/],
    ])('that sends people to another one gets no code: it %s', async (_, members, reason) => {
      const at = await ask({
        ...members(),
        authorization_endpoint: `${provider.issuer}/auth`,
        token_endpoint: `${evil.url}/token`,
      })
      await at.page.getByRole('alert').getByText(reason).waitFor()
      expect(new URL(at.page.url()).origin).toBe(new URL(files.url).origin)
      expect(evil.received.map(({ path }) => path)).not.toContain('/token')
    })

    it('is refused where the code comes from another issuer', async () => {
      const at = await ask({
        issuer: evil.url,
        ...isSupported,
        authorization_endpoint: `${provider.issuer}/auth`,
        token_endpoint: `${evil.url}/token`,
      })
      await signInAs(at.page, 'ada')
      await at.page
        .getByRole('alert')
        .getByText(/issuer/)
        .waitFor()
      expect(evil.received.map(({ path }) => path)).not.toContain('/token')
    })

    it('runs no script', async () => {
      const endpoint = 'javascript:document.title="run"//'
      const at = await ask({ issuer: evil.url, authorization_endpoint: endpoint, token_endpoint: `${evil.url}/token` })
      await at.page.getByRole('alert').getByText(/http/).waitFor()
      expect(await at.page.title()).not.toBe('run')
    })
  })
})

describe('the policy of the page', () => {
  it('stands in the page itself, for web servers that send none', async () => {
    settings = {}
    const at = await visit(browser, files.url, { isJudged: false })
    onTestFinished(() => at.close())
    await at.page.goto(files.url)
    await at.page.getByLabel('Address of the service').waitFor()
    const content = await at.page.locator('meta[http-equiv="Content-Security-Policy"]').first().getAttribute('content')
    expect(content).toContain("default-src 'none'")
    expect(content).toContain("script-src 'self';")
    await at.page.evaluate(`
      const script = document.createElement('script')
      script.textContent = 'document.title = "run"'
      document.head.append(script)
    `)
    expect(await at.page.title()).not.toBe('run')
  })
})
