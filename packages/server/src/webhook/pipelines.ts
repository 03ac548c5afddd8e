/** Adds the effects of requests on webhooks: deliveries of a new one start, of a changed one are retried, of a deleted one end. */
import { type Operation, webhook } from '@nomen/core'
import type { Challenger } from '../auth/token-problem.ts'
import { hasScope } from '../define/caller/caller.ts'
import type { Report } from '../observe/fault-report.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { RawRequest } from '../pipeline/read/parsed-request.ts'
import type { Webhooks } from './webhooks.ts'

export interface WebhookPipelineOptions {
  /** The scope that callers need to read changes. */
  readonly scope: string
  readonly challenge: Challenger
  /** Called after a webhook was changed. */
  readonly refresh: () => void
  readonly report: Report
}

export function webhookPipelines(engine: Webhooks, { scope, challenge, refresh, report }: WebhookPipelineOptions) {
  return ({ shape, method, kind, custom }: Operation, pipeline: Pipeline): Pipeline => {
    if (shape.noun !== webhook || method === 'GET') return pipeline
    // A webhook sends what its user may see.
    const run: Pipeline = (raw, caller) =>
      kind === 'delete' || hasScope(caller, scope)
        ? pipeline(raw, caller)
        : challenge.insufficientScope(scope, caller.scopes)
    if (custom) return run
    if (kind === 'create') return afterCreate(run, engine, refresh)
    return async (raw, caller) => {
      const response = await run(raw, caller)
      if (response.status >= 300) return response
      const id = idOf(raw)
      await afterCommit(raw, async () => {
        await (kind === 'delete' ? engine.remove(id) : engine.retry(id))
        refresh()
      })
      return response
    }
  }

  /** A handler does not wait for the effect of its transaction. */
  async function afterCommit({ transaction }: RawRequest, effect: () => Promise<void>): Promise<void> {
    if (!transaction) return effect()
    transaction.atEnd((isCommitted) => {
      if (isCommitted)
        effect().catch((error) => report('A webhook was changed, but its deliveries could not be updated.', error))
    })
  }
}

/** Shows the secret in the response. */
function afterCreate(run: Pipeline, engine: Webhooks, refresh: () => void): Pipeline {
  return async (raw, caller) => {
    if (raw.transaction) {
      raw.transaction.atEnd(refresh)
      return run(raw, caller)
    }
    // Changes that are made while the webhook is created may be delivered.
    const position = await engine.position()
    const response = await run(raw, caller)
    if (response.status !== 201) return response
    const created = JSON.parse(response.body) as { readonly id: number }
    const secret = (await engine.begin(created.id, position)) ?? null
    refresh()
    return { ...response, body: JSON.stringify({ ...created, secret }) }
  }
}

function idOf({ parameters }: RawRequest): number {
  return Number(parameters.at(-1))
}
