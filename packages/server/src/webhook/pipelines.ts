/** Adds the effects of requests on webhooks: a new one begins, a changed one is tried again, a deleted one ends. */
import { type Operation, ProblemError, problem, webhook } from '@nomen/core'
import { namedScope } from '../auth/token-problem.ts'
import { hasScope } from '../define/caller.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { RawRequest } from '../pipeline/read/parsed-request.ts'
import type { Webhooks } from './webhooks.ts'

/** `scope` is the scope that callers need to read changes. */
export function webhookPipelines(engine: Webhooks, scope: string, refresh: () => void) {
  return ({ shape, method, kind, custom }: Operation, pipeline: Pipeline): Pipeline => {
    if (shape.noun !== webhook || method === 'GET') return pipeline
    const run: Pipeline = (raw, caller) => {
      // A webhook sends what its user may see.
      if (kind !== 'delete' && !hasScope(caller, scope)) throw changesNotReadable(scope)
      return pipeline(raw, caller)
    }
    if (custom) return run
    if (kind === 'create') return afterCreate(run, engine, refresh)
    return async (raw, caller) => {
      const response = await run(raw, caller)
      if (response.status >= 300 || raw.transaction) return response
      const id = idOf(raw)
      await (kind === 'delete' ? engine.remove(id) : engine.retry(id))
      refresh()
      return response
    }
  }
}

/** Shows the secret in the response. */
function afterCreate(run: Pipeline, engine: Webhooks, refresh: () => void): Pipeline {
  return async (raw, caller) => {
    // Changes that are made while the webhook is created may be delivered.
    const position = await engine.position()
    const response = await run(raw, caller)
    if (response.status !== 201 || raw.transaction) return response
    const created = JSON.parse(response.body) as { readonly id: number }
    const secret = (await engine.begin(created.id, position)) ?? null
    refresh()
    return { ...response, body: JSON.stringify({ ...created, secret }) }
  }
}

function idOf({ parameters }: RawRequest): number {
  return Number(parameters.at(-1))
}

function changesNotReadable(scope: string): ProblemError {
  return new ProblemError(
    problem('insufficient-scope', {
      detail: `A webhook sends what its user may see, so this operation also requires ${namedScope(scope)}.`,
      hint: `Request a token with ${namedScope(scope)} from the issuer.`,
    }),
  )
}
