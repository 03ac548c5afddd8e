/** A service opened in process and asked, closed when the test is over. */

import type { AnyApi, AnyResource } from '@nomen/core'
import { type OpenService, open, type Rule, type Service, type Settings, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { testDatabase } from '@nomen/testing/test-database'
import { onTestFinished } from 'vitest'

type Headers = Readonly<Record<string, string | undefined>>

export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asks for
type Anything = any

export interface Opened {
  readonly app: OpenService
  ask(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Anything>>
  get(url: string, headers?: Record<string, string>): Promise<Answer<Anything>>
  /** The values of one property in all records of a list, in their order. */
  column(property: string, url: string): Promise<unknown[]>
}

/** A service of these apis. */
export function serviceOf(apis: readonly AnyApi[], rules: readonly Rule[] = []): Service {
  return service({ name: 'test', apis, rules })
}

/** An api without version, with nested writes, of these resources. */
export function plainApi(...resources: readonly AnyResource[]): AnyApi {
  return { name: 'test', options: { versioning: 'per-noun', writes: 'nested', resources } }
}

/** Opens it on an empty database of its own, unless the settings name one. */
export async function opened(given: Service, settings: Partial<Settings> = {}): Promise<Opened> {
  const own = settings.database === undefined ? await testDatabase() : undefined
  const database = settings.database ?? own?.address ?? ''
  // Nobody is refused because the machine is busy with other tests.
  const app = await open(given, { waitLimit: 0, ...settings, database })
  onTestFinished(async () => {
    await app.close()
    await own?.remove()
  })
  const ask: Opened['ask'] = async (method, url, body, headers = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const answer = await inject(app, {
      method: method as 'GET',
      url,
      headers: { ...type, ...headers },
      ...(payload !== undefined && { payload }),
    })
    const isJson = `${answer.headers['content-type']}`.includes('json') && answer.body !== ''
    return {
      status: answer.statusCode,
      headers: answer.headers as Headers,
      body: isJson && !answer.headers['content-encoding'] ? answer.json() : undefined,
      text: answer.body,
    }
  }
  return {
    app,
    ask,
    get: (url, headers) => ask('GET', url, undefined, headers),
    column: async (property, url) => {
      const { status, body, text } = await ask('GET', `${url}${url.includes('?') ? '&' : '?'}pageSize=1000`)
      if (status !== 200) throw new Error(`${url} gives ${status} ${text}`)
      return body.results.map((record: Record<string, unknown>) => record[property])
    },
  }
}
