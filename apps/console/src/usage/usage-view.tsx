/** The usage of a service by caller: a heat map, trends, verdicts and deprecations. */
import { Alert, Checkbox, Group, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { text } from '../language/language.ts'
import { usagePath } from '../model/address.ts'
import { addressOf, withValues } from '../model/list/query.ts'
import { problemOf } from '../model/service/problem.ts'
import {
  byDay,
  daysOf,
  type EndpointReport,
  hasConsole,
  type UsageReport,
  withoutConsole,
} from '../model/service/usage.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { router, useAddress } from '../wire/router.ts'
import { CallersDrawer } from './callers-drawer.tsx'
import { HeatMap } from './heat-map.tsx'

const Trend = lazy(() => import('./trend.tsx'))

export default function UsageView() {
  const { service, wire } = useConsole()
  const base = service.apis[0]?.base ?? ''
  const usage = useQuery({
    queryKey: ['usage', base],
    queryFn: async ({ signal }) =>
      (await wire.send({ base, method: 'GET', path: '/usage', signal })).body as UsageReport,
  })
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        {text().common.usage}
      </Title>
      {usage.error ? (
        <Failed error={usage.error} onRetry={() => usage.refetch()} />
      ) : usage.data ? (
        <Report report={usage.data} />
      ) : (
        <Waiting />
      )}
    </Stack>
  )
}

function Waiting() {
  return (
    <>
      <Skeleton height={16} width={320} />
      <Skeleton height={160} />
      <Skeleton height={320} />
    </>
  )
}

/** A service without /usage is not an error. */
function Failed({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  const { status } = problemOf(error)
  if (status !== 404) return <ProblemAlert error={error} onRetry={onRetry} />
  return (
    <Alert color="indigo" title={text().usage.unavailable}>
      <Text size="sm">{text().usage.unavailableNote}</Text>
    </Alert>
  )
}

const verdicts = [
  { verdict: 'in use', title: (count: number) => text().usage.inUse(count) },
  { verdict: 'quiet', title: (count: number) => text().usage.quiet(count) },
  { verdict: 'never called', title: (count: number) => text().usage.never(count) },
] as const

function Report({ report: whole }: { readonly report: UsageReport }) {
  const { query } = useAddress()
  const isConsoleShown = query.has('console')
  const report = isConsoleShown ? whole : withoutConsole(whole)
  const verdict = query.get('verdict') ?? 'all'
  const shown = report.endpoints.filter((endpoint) => verdict === 'all' || endpoint.verdict === verdict)
  const selected = report.endpoints.find((endpoint) => nameOf(endpoint) === query.get('endpoint'))
  const set = (name: string, value: string | undefined) =>
    router.go(addressOf(usagePath, withValues(query, name, value === undefined ? [] : [value])))
  const days = daysOf(report)
  const count = (kind: string) => report.endpoints.filter((endpoint) => endpoint.verdict === kind).length
  return (
    <>
      <Coverage report={report} />
      {days.length > 1 && (
        <Paper withBorder p="md" className="chart">
          <Suspense fallback={<Skeleton height={160} />}>
            <Trend
              title={text().usage.requestsByDay}
              days={days}
              counts={byDay(
                report.endpoints.flatMap(({ callers }) => callers),
                days,
              )}
              height={160}
            />
          </Suspense>
        </Paper>
      )}
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={text().usage.shown}
          value={verdict}
          data={[
            { value: 'all', label: text().usage.all(report.endpoints.length) },
            ...verdicts.map((option) => ({ value: option.verdict, label: option.title(count(option.verdict)) })),
          ]}
          onChange={(next) => set('verdict', next === 'all' ? undefined : next)}
        />
        {hasConsole(whole) && (
          <Checkbox
            size="xs"
            label={text().usage.showConsole}
            checked={isConsoleShown}
            onChange={({ currentTarget: { checked } }) => set('console', checked ? 'true' : undefined)}
          />
        )}
      </Group>
      <HeatMap report={report} endpoints={shown} onOpen={(endpoint) => set('endpoint', nameOf(endpoint))} />
      {selected && <CallersDrawer endpoint={selected} days={days} onClose={() => set('endpoint', undefined)} />}
    </>
  )
}

function nameOf({ method, path }: EndpointReport): string {
  return `${method} ${path}`
}

/** The period and the gaps of the logs that the figures come from. */
function Coverage({ report: { window, requests, others, unreadable, quietAfter } }: { readonly report: UsageReport }) {
  if (!window) return <Text size="sm">{text().usage.noRequests}</Text>
  const { first, last, gaps } = window
  return (
    <Stack gap={4}>
      <Text size="sm">{text().usage.coverage(requests, first, last, quietAfter)}</Text>
      {gaps.length > 0 && (
        <Text size="sm" className="warning">
          {text().usage.gaps(gaps.slice(0, 5), gaps.length - 5)}
        </Text>
      )}
      {others > 0 && (
        <Text size="sm" c="dimmed">
          {text().usage.others(others)}
        </Text>
      )}
      {unreadable > 0 && (
        <Text size="sm" className="warning">
          {text().usage.unreadable(unreadable)}
        </Text>
      )}
    </Stack>
  )
}
