/** The console of the directory in a real browser, for all test files of the console. */
import { directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { type Browser, type ChromiumOptions, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { isFull } from '@nomen/testing/prove'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { afterAll, beforeAll, expect } from 'vitest'
import { builtConsole } from './built.ts'
import { type ConsoleView, visit } from './visit.ts'

/** The API is tested on both databases: `npm run prove` also tests the console on PostgreSQL. */
export const databases: readonly Database[] = isFull ? ['SQLite', 'PostgreSQL'] : ['SQLite']

type Database = 'SQLite' | 'PostgreSQL'

interface Session {
  readonly browser: Browser
  readonly service: OpenService
  readonly remove: () => Promise<void>
}

/** Polls until the expectation is met. */
export const pollUntil = expect.poll

/** Starts a browser and a service before the tests of the file or suite that calls it, and closes both after them. */
export function directoryConsole(database: Database = 'SQLite', options: ChromiumOptions = {}) {
  const session = {} as Session
  const view = {} as ConsoleView

  beforeAll(async () => {
    const { url, remove } =
      database === 'SQLite' ? { url: 'sqlite::memory:', remove: async () => {} } : await temporaryPostgres()
    const service = await open(directoryService(), { database: url, console: builtConsole })
    const base = await service.listen({ port: 0 })
    const browser = await startChromium(options)
    Object.assign(session, { browser, service, remove })
    // The pages look the same on every database, so axe checks them only once.
    Object.assign(view, await visit(browser, `${base}/console/`, { checksAccessibility: database === 'SQLite' }))
  })

  afterAll(async () => {
    await session.browser?.close()
    await session.service?.close()
    await session.remove?.()
  })

  const send = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const response = await inject(session.service, { method, url, ...(payload && { payload }) })
    return response.json() as { [name: string]: unknown }
  }
  /** Creates a user that no other test changes. */
  const newUser = async (overrides: object = {}) => {
    const email = `${crypto.randomUUID()}@example.com`
    const user = await send('POST', '/user', {
      firstName: 'Ada',
      lastName: 'Byron',
      email,
      department: 1,
      ...overrides,
    })
    return user as { id: number; email: string }
  }
  const button = (title: string | RegExp) =>
    view.page.getByRole('button', { name: title, exact: typeof title === 'string' })
  const field = (title: string) => view.page.getByLabel(new RegExp(`^${title}( \\*)?$`))
  return { session, view, send, newUser, button, field }
}
