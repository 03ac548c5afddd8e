/** The records before and after a record in the list below the drawer, also across its pages. */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { listQuery } from '../../http/queries.ts'
import type { Page } from '../../http/response-body.ts'
import { withPage } from '../../model/list/query.ts'
import { recordPath } from '../../model/route.ts'
import { idOf } from '../../model/service/service.ts'
import { useConsole } from '../../state/console-context.ts'
import { router, useAddress } from '../../state/router.ts'
import { useShownList } from '../../state/shown-list.ts'
import { useAttempt } from '../../state/use-attempt.ts'

export interface Neighbors {
  /** The position in the whole list, from 1; the number of records is known if the list has pages. */
  readonly position: number
  readonly count: number
  /** Undefined at the ends of the list. */
  readonly previous: (() => void) | undefined
  readonly next: (() => void) | undefined
}

/** Undefined if the record is not on the page of the list. */
export function useNeighbors(path: string): Neighbors | undefined {
  const { http } = useConsole()
  const attempt = useAttempt()
  const client = useQueryClient()
  const address = useAddress()
  const shown = useShownList()
  const listOf = (query: URLSearchParams) => shown && listQuery(http, { ...shown, query: shown.requestQuery(query) })
  // The list is loaded by its own view.
  const { data } = useQuery<Page>({
    ...(listOf(address.query) ?? { queryKey: ['none'], queryFn: skipToken }),
    enabled: false,
  })
  if (!shown || !data) return undefined
  const { records, pageInfo } = data
  const pathsOf = (page: Page) =>
    page.records.map((record) => recordPath(shown.collection, [...shown.ids, idOf(shown.collection, record)]))
  const paths = pathsOf(data)
  const at = paths.indexOf(path)
  if (at === -1) return undefined
  const { pageNumber = 1, pageSize = records.length, numberOfPages = 1 } = pageInfo ?? {}
  const turn = (step: 1 | -1) =>
    attempt(async () => {
      const query = withPage(address.query, pageNumber + step, pageSize)
      const list = listOf(query)
      const other = list && pathsOf(await client.fetchQuery(list)).at(step === 1 ? 0 : -1)
      if (other !== undefined) router.replaceRecord(other, query)
    })
  const to = (step: 1 | -1) => {
    const other = paths[at + step]
    if (other !== undefined) return () => router.replaceRecord(other)
    const page = pageNumber + step
    return page >= 1 && page <= numberOfPages ? () => turn(step) : undefined
  }
  return {
    position: (pageNumber - 1) * pageSize + at + 1,
    count: pageInfo?.numberOfRecords ?? records.length,
    previous: to(-1),
    next: to(1),
  }
}
