/** Keeps the rows of a list while the service fails, and loads them again when it is back. */
import { useEffect, useRef, useState } from 'react'
import type { useList } from '../http/queries.ts'
import type { Page } from '../http/response-body.ts'
import { isTransient, problemOf } from '../model/service/problem.ts'

const firstPauseMs = 2000
const maxPauseMs = 30_000

type List = ReturnType<typeof useList>

export function useKeptPage(list: List) {
  const [last, setLast] = useState<{ readonly data: Page | undefined; readonly error: unknown }>()
  const { data, error, isPlaceholderData, isFetching, isLoading, refetch } = list
  useRecovery(list)
  const isLoaded = data !== undefined && !isPlaceholderData && error === null
  const current = error
    ? { data: keepsRows(error) ? (data ?? last?.data) : undefined, error }
    : isLoaded
      ? { data, error: undefined }
      : // While a page loads, the rows and the error of the last response stay.
        last
  if (current?.data !== last?.data || current?.error !== last?.error) setLast(current)
  const isPrevious = isPlaceholderData || data === undefined
  return {
    data: current?.data,
    error: current?.error,
    /** The rows are those of another page, filter or sort. */
    isPrevious,
    /** The rows are those of another request, and the requested ones are loading. */
    isBusy: isPrevious && isFetching,
    isFetching,
    isLoading,
    refetch,
  }
}

/** Rows of an earlier request would be wrong below a filter that the service rejects, or for a caller who may not see them. */
function keepsRows(error: unknown): boolean {
  return isTransient(error) || problemOf(error).status === 401
}

function useRecovery({ error, errorUpdatedAt, dataUpdatedAt, refetch }: List): void {
  const failures = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each response
  useEffect(() => {
    if (!error) {
      failures.current = 0
      return
    }
    // A list that takes too long takes too long the next time as well.
    if (!isTransient(error) || problemOf(error).code === 'too-expensive') return
    const { retryAfter = 0 } = problemOf(error)
    const pauseMs = Math.min(firstPauseMs * 2 ** failures.current++, maxPauseMs)
    // A tab in the background loads its list when it is shown.
    const timer = setTimeout(() => document.hidden || refetch(), Math.max(pauseMs, retryAfter * 1000))
    return () => clearTimeout(timer)
  }, [errorUpdatedAt, dataUpdatedAt])
}
