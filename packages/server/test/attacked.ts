/** A bank that callers attack: each sees only accounts of their own, and no caller sees how accounts are scored. */
import { api, identity, integer, noun, reference, resource, text, updatedAt } from '@nomen/core'
import { rule, type Service, type Settings, service, visible } from '@nomen/server'
import { audience, type OpenIdProvider } from '@nomen/testing/openid-provider'
import { claims, signed } from './issued.ts'
import { openService, type TestResponse, type TestService } from './test-service.ts'

const account = noun('account', {
  id: identity(),
  number: text().unique(),
  owner: text(),
  balance: integer().default(0),
  score: integer().default(700),
  changed: updatedAt(),
})
const transfer = noun('transfer', {
  id: identity(),
  account: reference(() => account),
  amount: integer(),
  comment: text().default(''),
})

const shown = ['id', 'number', 'owner', 'balance', 'changed'] as const

export const bank: Service = service({
  name: 'bank',
  apis: [
    api('bank', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [
        resource(account, {
          complete: shown,
          by: ['number'],
          search: ['number'],
          children: [resource(transfer)],
        }),
      ],
    }),
  ],
  visibility: [visible(account, ({ user, scopes }) => scopes.includes('audit') || { owner: user ?? '' })],
  rules: [
    rule(transfer, ({ comment }) => {
      if (comment === 'boom') throw new TypeError('Cannot read /srv/bank/secret.ts: SQLITE_ERROR near "select"')
      return undefined
    }),
  ],
})

export interface Bank {
  readonly app: TestService
  /** Asks in the name of a user who may do everything, or has these scopes. */
  as(user: string, scope?: string): Party
}

export interface Party {
  send(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse<Anything>>
  get(url: string): Promise<TestResponse<Anything>>
}

// biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the body
type Anything = any

export async function openBank({ issuer }: OpenIdProvider, settings: Partial<Settings> = {}): Promise<Bank> {
  const app = await openService(bank, { auth: { issuer, audience }, onFault: () => undefined, ...settings })
  const as = (user: string, scope = '*:read *:write'): Party => {
    const send: Party['send'] = async (method, url, body, headers = {}) => {
      const token = await signed(claims(issuer, { sub: user, scope }))
      return app.send(method, url, body, { authorization: `Bearer ${token}`, ...headers })
    }
    return { send, get: (url) => send('GET', url) }
  }
  return { app, as }
}
