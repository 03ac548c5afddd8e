/** The pipeline of a custom operation: read the request, find its record, call the handler, write the response. */
import { type Operation, ProblemError, problems } from '@nomen/core'
import type { Service } from '../../define/definition.ts'
import { type Handler, isFor } from '../../define/handle.ts'
import type { Answer } from '../../message/answer.ts'
import { checkRead } from '../answer/read-condition.ts'
import { thrownProblem } from '../answer/thrown-problem.ts'
import { type Pipeline, type PipelineParts, standardPipeline } from '../pipeline.ts'
import { requestReader } from '../read/request.ts'
import { rowFilterFor } from '../row-filter.ts'
import { handlerAnswerWriter } from './body-check.ts'
import { type Calls, inProcess, type Origin } from './in-process.ts'
import { recordFinder } from './record-finder.ts'
import { targetCheck } from './target-check.ts'
import { transactionIn } from './transaction.ts'

type MakePipeline = NonNullable<PipelineParts['customPipeline']>

/** Makes the pipelines of the custom operations of a service. */
export function customPipelines({ apis, handlers = [], visibility = [] }: Service): MakePipeline {
  let open: Calls | undefined
  return (operation, pipelines, { store, model }) => {
    open ??= inProcess(apis, pipelines)
    const handler = handlers.find((one) => isFor(one, operation)) as Handler
    // Records are read as a request would read them, so that visibility holds.
    const readPipeline = (read: Operation) =>
      standardPipeline(read, {
        rules: [],
        filters: [],
        computed: [],
        store,
        rowFilterOf: rowFilterFor(read, visibility, model),
        // A single record shows no labels.
        scopes: new Set(),
        notify: undefined,
      })
    const calls = open
    return customPipeline(operation, handler, (origin) => transactionIn(origin, calls, store), readPipeline)
  }
}

function customPipeline(
  operation: Operation,
  { answer: ask }: Handler,
  open: (origin: Origin) => ReturnType<typeof transactionIn>,
  readPipeline: (read: Operation) => Pipeline,
): Pipeline {
  const readRequest = requestReader(operation)
  const find = recordFinder(operation, readPipeline)
  const checkTargets = targetCheck(operation, readPipeline)
  const writeAnswer = handlerAnswerWriter(operation)
  const isRead = operation.method === 'GET'
  const isOnRecord = operation.custom?.on === 'record'
  const hasQuery = operation.custom?.query.length !== 0
  return async (raw, caller) => {
    const read = readRequest(raw)
    const { ancestors, key, custom } = read
    const { requestId } = raw
    // What decides over a change must not come from a replica that is behind.
    const asked = isRead ? raw : { ...raw, isCurrent: true as const }
    const record = await find?.(asked, caller)
    await checkTargets?.(custom?.body ?? {}, asked, caller)
    const { call, transaction, withPosition } = open({ raw: asked, caller, requestId })
    const given = {
      ancestors,
      body: custom?.body,
      query: hasQuery ? custom?.query : undefined,
      caller,
      requestId,
      call,
      transaction,
    }
    try {
      const answer = writeAnswer(await ask(isOnRecord ? { ...given, key, record } : given))
      if (isRead) checkRead(operation, read)
      return withPosition(answer)
    } catch (error) {
      return withPosition(problemOf(error))
    }
  }
}

/** A problem that the service's code throws is the answer, unless it came from another service or nobody knows its code. */
function problemOf(error: unknown): Answer {
  if (!(error instanceof ProblemError)) throw error
  const { code, requestId, message } = error
  // Whoever answers would take either for one of ours.
  if (requestId !== undefined) throw new Error(`Another service answered: ${message}`, { cause: error })
  if (!Object.hasOwn(problems, `${code}`))
    throw new Error(`There is no problem "${code}": ${message}`, { cause: error })
  const told = thrownProblem(error)
  if (!told) throw new Error(`The problem "${code}" is not as others of its code: ${message}`, { cause: error })
  return told
}
