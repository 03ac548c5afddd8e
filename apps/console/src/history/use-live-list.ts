/** Loads a list again when its records change, if the service has a history that can be followed. */
import { useEffect } from 'react'
import type { HttpClient } from '../http/http-client.ts'
import { useInvalidate } from '../http/queries.ts'
import { pageFrom } from '../http/response-body.ts'
import { type FollowedList, followedList } from '../model/history/followed-list.ts'
import { ProblemError } from '../model/service/problem.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'

/** A list is loaded again at most this often, however many changes there are. */
const pauseMs = 1000
const maxPauseMs = 60_000

export function useLiveList(collection: Collection): void {
  const { service, http } = useConsole()
  const invalidate = useInvalidate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `invalidate` is a new function each time, with the same effect.
  useEffect(() => {
    const list = followedList(service, collection)
    if (!list) return
    const abort = new AbortController()
    void follow(http, list, abort.signal, () => invalidate(collection))
    return () => abort.abort()
  }, [service, http, collection])
}

async function follow(http: HttpClient, list: FollowedList, signal: AbortSignal, onChange: () => void): Promise<void> {
  const { base, path, filter, property } = list
  let position: string | undefined
  let failures = 0
  while (!signal.aborted) {
    await untilVisible(signal)
    const query = new URLSearchParams(filter)
    query.set('wait', position === undefined ? '0' : '30')
    if (position !== undefined) query.set('afterId', position)
    try {
      const response = await http.send({ base, method: 'GET', path, query, signal, isBackground: true })
      const next = /[?&]afterId=(\d+)/.exec(response.headers.link ?? '')?.[1]
      if (next === undefined) return
      if (pageFrom(response.body, property).records.length > 0) onChange()
      position = next
      failures = 0
      await pause(pauseMs, signal)
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) return
      // Changes may have been missed: the next position is the current one.
      if (position !== undefined) onChange()
      position = undefined
      await pause(Math.min(pauseMs * 2 ** ++failures, maxPauseMs), signal)
    }
  }
}

/** No response, too many requests, or an error of the service. A list that the caller must not read is not asked again. */
function isTemporary(error: unknown): boolean {
  const status = error instanceof ProblemError ? error.problem.status : 0
  return status === 0 || status === 429 || status >= 500
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** A tab in the background follows nothing. */
function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve()
    const check = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check)
    signal.addEventListener('abort', check)
  })
}
