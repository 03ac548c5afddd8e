/** The home page: the nouns with their totals, recent changes, and the usage of the last 30 days. */
import './overview.css'
import { Stack, Text, Title } from '@mantine/core'
import { text } from '../language/language.ts'
import { isHistory } from '../model/history/history.ts'
import { rootsOf } from '../model/service/service.ts'
import { daysOf, withoutConsole } from '../model/service/usage.ts'
import { useConsole } from '../state/console-context.ts'
import { useUsage } from '../usage/use-usage.ts'
import { NounCards } from './noun-cards.tsx'
import { RecentChanges } from './recent-changes.tsx'
import { UsagePanels } from './usage-panels.tsx'

/** The number of days of the usage report. */
const periodDays = 30

export default function OverviewView() {
  const { service } = useConsole()
  const from = new Date(Date.now() - (periodDays - 1) * 86_400_000).toISOString().slice(0, 10)
  const usage = useUsage(from)
  const report = usage.data && withoutConsole(usage.data)
  const days = report ? daysOf(report) : []
  const roots = service.apis.flatMap(rootsOf)
  const history = roots.find(isHistory)
  return (
    <Stack gap="lg" className="overview">
      <Title order={1} size="h3">
        {service.title}
      </Title>
      {roots.length === 0 && <Text size="sm">{text().overview.noLists}</Text>}
      {service.apis.map((api) => {
        const collections = rootsOf(api).filter((collection) => !isHistory(collection))
        if (collections.length === 0) return null
        return (
          <Stack key={`${api.title} ${api.base}`} gap="xs">
            {service.apis.length > 1 && api.title !== service.title && (
              <Title order={2} size="h6">
                {api.title}
              </Title>
            )}
            <NounCards collections={collections} report={report} days={days} />
          </Stack>
        )
      })}
      <div className="overview-panels">
        {history && <RecentChanges collection={history} />}
        {report && <UsagePanels report={report} days={days} />}
      </div>
    </Stack>
  )
}
