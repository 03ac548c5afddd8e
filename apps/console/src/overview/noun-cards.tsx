/** The nouns of an api as cards: the total of records, and the requests of each day. */
import { Skeleton, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { listQuery } from '../http/queries.ts'
import { format } from '../language/language.ts'
import type { Collection } from '../model/service/service.ts'
import { byDay, type UsageReport } from '../model/service/usage.ts'
import { groupPath } from '../model/service/usage-group.ts'
import { useConsole } from '../state/console-context.ts'
import { Sparkline } from '../view/bars.tsx'
import { follow } from '../view/link.tsx'

interface NounCardsProps {
  readonly collections: readonly Collection[]
  readonly report: UsageReport | undefined
  readonly days: readonly string[]
}

/** Each total is a request, so only the first nouns have one. */
const maxTotals = 24

export function NounCards({ collections, report, days }: NounCardsProps) {
  const { http } = useConsole()
  const totals = useQueries({ queries: collections.map((collection, index) => totalQuery(http, collection, index)) })
  return (
    <div className="noun-cards">
      {collections.map((collection, index) => {
        const { path, plural, key } = collection
        const endpoints = report?.endpoints.filter((endpoint) => groupPath(endpoint.path) === path) ?? []
        const total = totals[index]
        return (
          <a key={key} href={`#${path}`} onClick={follow(path)} className="noun-card">
            <Text span size="sm" fw={500}>
              {plural}
            </Text>
            <span className="noun-total">
              {total?.data?.pageInfo
                ? format().number(total.data.pageInfo.numberOfRecords)
                : total?.isLoading && <Skeleton component="span" display="block" height={24} width={60} />}
            </span>
            <Sparkline
              counts={byDay(
                endpoints.flatMap(({ callers }) => callers),
                days,
              )}
            />
          </a>
        )
      })}
    </div>
  )
}

/** The smallest page of a list, for its total. */
function totalQuery(http: Parameters<typeof listQuery>[0], collection: Collection, index: number) {
  const variant = collection.variants[0] as Collection['variants'][number]
  const query = new URLSearchParams({ pageSize: '1' })
  return {
    ...listQuery(http, { collection, variant, ids: [], query }),
    enabled: variant.isPaginated && variant.pageSize !== undefined && index < maxTotals,
  }
}
