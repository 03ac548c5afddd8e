/** Opens a service in process for a test, and closes it after the test. */

import type { AnyApi, AnyResource } from '@nomen/core'
import { type OpenService, open, type Rule, type Service, type Settings, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { throughPooler } from '@nomen/testing/pooler'
import { testDatabase } from '@nomen/testing/test-database'
import { onTestFinished } from 'vitest'

type Headers = Readonly<Record<string, string | undefined>>

export interface TestResponse<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows the body that it expects
type Anything = any

export interface TestService {
  readonly app: OpenService
  send(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse<Anything>>
  get(url: string, headers?: Record<string, string>): Promise<TestResponse<Anything>>
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

/** Opens a service on an empty database of its own, unless the settings name one. */
export async function openService(definition: Service, settings: Partial<Settings> = {}): Promise<TestService> {
  const own = settings.database === undefined ? await testDatabase() : undefined
  const database = settings.database ?? own?.address ?? ''
  // No request is rejected because the machine is busy with other tests.
  const app = await open(definition, throughPooler({ waitLimitMs: 0, ...settings, database }))
  onTestFinished(async () => {
    await app.close()
    await own?.remove()
  })
  const send: TestService['send'] = async (method, url, body, headers = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const response = await inject(app, {
      method: method as 'GET',
      url,
      headers: { ...type, ...headers },
      ...(payload !== undefined && { payload }),
    })
    const isJson = `${response.headers['content-type']}`.includes('json') && response.body !== ''
    return {
      status: response.statusCode,
      headers: response.headers as Headers,
      body: isJson && !response.headers['content-encoding'] ? response.json() : undefined,
      text: response.body,
    }
  }
  return {
    app,
    send,
    get: (url, headers) => send('GET', url, undefined, headers),
    column: async (property, url) => {
      const { status, body, text } = await send('GET', `${url}${url.includes('?') ? '&' : '?'}pageSize=1000`)
      if (status !== 200) throw new Error(`${url} gives ${status} ${text}`)
      return body.results.map((record: Record<string, unknown>) => record[property])
    },
  }
}
