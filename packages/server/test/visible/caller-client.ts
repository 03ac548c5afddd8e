/** Sends requests to a service on behalf of any caller, without authentication. */
import { ProblemError } from '@nomen/core'
import type { Caller, Service } from '@nomen/server'
import { unrestrictedCaller } from '../../src/define/caller/caller.ts'
import { Router } from '../../src/message/router.ts'
import { problemResponse, type TextResponse } from '../../src/message/text-response.ts'
import { type Pipeline, pipelinesOf } from '../../src/pipeline/pipeline.ts'
import { modelOf } from '../../src/store/model.ts'
import { openStore } from '../../src/store/open/store.ts'

export interface Request {
  readonly method: string
  readonly url: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface CallerResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the body
  readonly body: any
  readonly text: string
  readonly tag: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface CallerClient {
  send(caller: Caller, request: Request): Promise<CallerResponse>
  close(): Promise<void>
}

/** A user by name, and what the token says. */
export function callerOf(user: string, claims: Caller['claims'] = {}, record: Caller['record'] = null): Caller {
  return { ...unrestrictedCaller, user, record, claims }
}

/** Opens a service on a database, with its sample. Errors that are not problems are thrown unchanged. */
export async function openCallerClient(service: Service, address: string): Promise<CallerClient> {
  const model = modelOf(service.operations)
  const store = await openStore(address, model)
  if (service.sample) await store.loadIfEmpty(service.sample)
  const routes = new Router<Pipeline>()
  for (const [{ method, path }, pipeline] of pipelinesOf(service, { model, store })) routes.add(method, path, pipeline)
  return {
    close: () => store.close(),
    send: async (caller, { method, url, body, headers = {} }) => {
      const [path = '', query = ''] = url.split('?')
      const match = routes.find(path)
      const pipeline = match?.routes.get(method)
      if (!match || !pipeline) throw new Error(`There is no route for ${method} ${url}.`)
      const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const type = text && { 'content-type': 'application/json', 'content-length': `${text.length}` }
      const { parameters } = match
      const raw = {
        address: '',
        requestId: 'test',
        path,
        parameters,
        query,
        headers: { ...type, ...headers },
        body: text,
      }
      return toResponse(await problemsAsResponses(() => pipeline(raw, caller)))
    },
  }
}

async function problemsAsResponses(walk: () => TextResponse | Promise<TextResponse>): Promise<TextResponse> {
  try {
    return await walk()
  } catch (error) {
    if (error instanceof ProblemError) return problemResponse(error.problem)
    throw error
  }
}

function toResponse({ status, body, etag: tag, headers = {} }: TextResponse): CallerResponse {
  return { status, body: body === '' ? undefined : JSON.parse(body), text: body, tag, headers }
}
