/** The pipeline of a custom operation: read the request, find its record, call the handler, write the response. */
import { type Operation, ProblemError, problems } from '@nomen/core'
import type { Service } from '../../define/definition.ts'
import { type Handler, isHandlerOf } from '../../define/handle.ts'
import type { TextResponse } from '../../message/text-response.ts'
import { type Pipeline, type PipelineDependencies, undeclaredRead } from '../pipeline.ts'
import { requestReader } from '../read/request.ts'
import { checkIfMatch } from '../respond/check-if-match.ts'
import { thrownProblem } from '../respond/thrown-problem.ts'
import { handlerResponseWriter } from './handler-response.ts'
import { type CallingRequest, inProcessCalls, type OpenCalls } from './in-process-calls.ts'
import { recordFinder } from './record-finder.ts'
import { targetCheck } from './target-check.ts'
import { callsWithTransaction } from './transaction.ts'

type MakePipeline = NonNullable<PipelineDependencies['customPipeline']>

/** Makes the pipelines of the custom operations of a service. */
export function customPipelines(service: Service): MakePipeline {
  const { apis, handlers = [] } = service
  let openCalls: OpenCalls | undefined
  return (operation, pipelines, { store }) => {
    openCalls ??= inProcessCalls(apis, pipelines)
    const handler = handlers.find((candidate) => isHandlerOf(candidate, operation)) as Handler
    // Records are read as a request would read them, so that visibility applies.
    const readPipeline = (read: Operation) => undeclaredRead(service, read, { store })
    const open = openCalls
    return customPipeline(operation, handler, (origin) => callsWithTransaction(origin, open, store), readPipeline)
  }
}

function customPipeline(
  operation: Operation,
  handler: Handler,
  openCalls: (origin: CallingRequest) => ReturnType<typeof callsWithTransaction>,
  readPipeline: (read: Operation) => Pipeline,
): Pipeline {
  const readRequest = requestReader(operation)
  const find = recordFinder(operation, readPipeline)
  const checkTargets = targetCheck(operation, readPipeline)
  const writeResponse = handlerResponseWriter(operation)
  const runHandler = handler.run as (request: object) => unknown
  const isRead = operation.method === 'GET'
  const isOnRecord = operation.custom?.on === 'record'
  const hasQuery = operation.custom?.query.length !== 0
  return async (raw, caller) => {
    const parsedRequest = readRequest(raw)
    const { ancestors, key, custom } = parsedRequest
    const { requestId } = raw
    // A write must not depend on reads from a replica that lags behind.
    const current = isRead ? raw : { ...raw, isCurrent: true as const }
    const record = await find?.(current, caller)
    await checkTargets?.(custom?.body ?? {}, current, caller)
    const { call, transaction, withPosition } = openCalls({ raw: current, caller })
    const request = {
      ancestors,
      body: custom?.body,
      query: hasQuery ? custom?.query : undefined,
      caller,
      requestId,
      call,
      transaction,
    }
    try {
      const response = writeResponse(await runHandler(isOnRecord ? { ...request, key, record } : request))
      if (isRead) checkIfMatch(operation, parsedRequest)
      return withPosition(response)
    } catch (error) {
      return withPosition(problemOf(error))
    }
  }
}

/** The response for a problem that the handler throws. A problem of another service or with an unknown code is a bug. */
function problemOf(error: unknown): TextResponse {
  if (!(error instanceof ProblemError)) throw error
  const { code, requestId, message } = error
  // Clients would take either of them for a problem of this service.
  if (requestId !== undefined) throw new Error(`A call to another service failed: ${message}`, { cause: error })
  if (!Object.hasOwn(problems, `${code}`))
    throw new Error(`Unknown problem code "${code}": ${message}`, { cause: error })
  const response = thrownProblem(error)
  if (!response)
    throw new Error(`The problem "${code}" has another status than its code, or is not valid JSON: ${message}`, {
      cause: error,
    })
  return response
}
