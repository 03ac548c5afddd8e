/** A service asked on behalf of any caller, past the gate that would have to know them. */
import { ProblemError } from '@nomen/core'
import type { Caller, Service } from '@nomen/server'
import { anyone } from '../../src/define/caller.ts'
import { type Answer, problemAnswer } from '../../src/message/answer.ts'
import { Router } from '../../src/message/router.ts'
import { type Pipeline, pipelinesOf } from '../../src/pipeline/pipeline.ts'
import { modelOf } from '../../src/store/model.ts'
import { openStore } from '../../src/store/open/store.ts'

export interface Request {
  readonly method: string
  readonly url: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Called {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asks for
  readonly body: any
  readonly text: string
  readonly tag: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface Desk {
  ask(caller: Caller, request: Request): Promise<Called>
  close(): Promise<void>
}

/** A user by name, and what the token says. */
export function callerOf(user: string, claims: Caller['claims'] = {}, record: Caller['record'] = null): Caller {
  return { ...anyone, user, record, claims }
}

/** Opens a service on a database, with its sample. What is no problem is thrown as it is. */
export async function openDesk(service: Service, address: string): Promise<Desk> {
  const model = modelOf(service.operations)
  const store = await openStore(address, model)
  if (service.sample) await store.loadIfEmpty(service.sample)
  const routes = new Router<Pipeline>()
  for (const [{ method, path }, line] of pipelinesOf(service, { model, store })) routes.add(method, path, line)
  return {
    close: () => store.close(),
    ask: async (caller, { method, url, body, headers = {} }) => {
      const [path = '', query = ''] = url.split('?')
      const found = routes.find(path)
      const line = found?.routes.get(method)
      if (!found || !line) throw new Error(`Nothing stands at ${method} ${url}.`)
      const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const type = text && { 'content-type': 'application/json', 'content-length': `${text.length}` }
      const { parameters } = found
      const raw = {
        address: '',
        requestId: 'test',
        path,
        parameters,
        query,
        headers: { ...type, ...headers },
        body: text,
      }
      return called(await answered(() => line(raw, caller)))
    },
  }
}

async function answered(walk: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await walk()
  } catch (error) {
    if (error instanceof ProblemError) return problemAnswer(error.problem)
    throw error
  }
}

function called({ status, body, tag, headers = {} }: Answer): Called {
  return { status, body: body === '' ? undefined : JSON.parse(body), text: body, tag, headers }
}
