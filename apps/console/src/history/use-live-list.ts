/** Loads a list again when its records change, if the service has a history that can be followed. */
import { useEffect, useMemo } from 'react'
import type { ChangeFeed } from '../http/change-feed.ts'
import { useInvalidate } from '../http/queries.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'

/** A list is loaded again at most this often, however many changes there are. */
const minPauseMs = 1000
const maxPauseMs = 60_000

/** The changes that the list follows; undefined if there are none. */
export function useLiveList(collection: Collection): ChangeFeed | undefined {
  const { service, feeds } = useConsole()
  const invalidate = useInvalidate()
  const feed = useMemo(() => feeds.of(service, collection), [service, feeds, collection])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `invalidate` is a new function each time, with the same effect.
  useEffect(() => {
    if (!feed) return
    const abort = new AbortController()
    void follow(feed, abort.signal, () => invalidate(collection))
    return () => abort.abort()
  }, [feed, collection])
  return feed
}

async function follow(feed: ChangeFeed, signal: AbortSignal, onChange: () => void): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    await waitUntilVisible(signal)
    try {
      const hasChanged = await feed.next(signal)
      if (hasChanged === undefined) return
      if (hasChanged) onChange()
      failures = 0
      await waitUnlessAborted(minPauseMs, signal)
    } catch (error) {
      if (signal.aborted || !feed.canRetry(error)) return
      await waitUnlessAborted(Math.min(minPauseMs * 2 ** ++failures, maxPauseMs), signal)
    }
  }
}

function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** A tab in the background follows nothing. */
function waitUntilVisible(signal: AbortSignal): Promise<void> {
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
