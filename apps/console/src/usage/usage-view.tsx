/** Who calls what, from the access logs of the service: a heat map, trends, verdicts, and what is to go. */
import { Alert, Group, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { usagePath } from '../model/address.ts'
import { addressOf, withValues } from '../model/list/query.ts'
import { problemOf } from '../model/service/problem.ts'
import { byDay, daysOf, type EndpointReport, type UsageReport } from '../model/service/usage.ts'
import { grouped } from '../model/words.ts'
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
        Usage
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

/** A service need not keep its usage: that is no fault. */
function Failed({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  const { status } = problemOf(error)
  if (status !== 404) return <ProblemAlert error={error} onRetry={onRetry} />
  return (
    <Alert color="indigo" title="This service does not tell its usage">
      <Text size="sm">
        Nothing is offered at /usage. Whoever runs it can read the access log instead: nomen usage data/access.log
        --format html
      </Text>
    </Alert>
  )
}

const verdicts = ['in use', 'quiet', 'never called'] as const

function Report({ report }: { readonly report: UsageReport }) {
  const { query } = useAddress()
  const verdict = query.get('verdict') ?? 'all'
  const shown = report.endpoints.filter((one) => verdict === 'all' || one.verdict === verdict)
  const opened = report.endpoints.find((one) => nameOf(one) === query.get('endpoint'))
  const set = (name: string, value: string | undefined) =>
    router.go(addressOf(usagePath, withValues(query, name, value === undefined ? [] : [value])))
  const days = daysOf(report)
  const count = (one: string) => report.endpoints.filter((endpoint) => endpoint.verdict === one).length
  return (
    <>
      <Coverage report={report} />
      {days.length > 1 && (
        <Paper withBorder p="md" className="chart">
          <Suspense fallback={<Skeleton height={160} />}>
            <Trend
              title="Requests by day"
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
          aria-label="Which endpoints are shown"
          value={verdict}
          data={[
            { value: 'all', label: `All ${report.endpoints.length}` },
            ...verdicts.map((one) => ({
              value: one,
              label: `${one.charAt(0).toUpperCase()}${one.slice(1)} ${count(one)}`,
            })),
          ]}
          onChange={(next) => set('verdict', next === 'all' ? undefined : next)}
        />
      </Group>
      <HeatMap report={report} endpoints={shown} onOpen={(endpoint) => set('endpoint', nameOf(endpoint))} />
      {opened && <CallersDrawer endpoint={opened} days={days} onClose={() => set('endpoint', undefined)} />}
    </>
  )
}

function nameOf({ method, path }: EndpointReport): string {
  return `${method} ${path}`
}

/** Only what was logged is known: what the figures are true for stands above them. */
function Coverage({ report: { window, requests, others, unreadable, quietAfter } }: { readonly report: UsageReport }) {
  if (!window) return <Text size="sm">The logs hold no request yet.</Text>
  const { first, last, gaps } = window
  return (
    <Stack gap={4}>
      <Text size="sm">
        {grouped(requests)} requests from {shownTime(first)} to {shownTime(last)}, UTC. Quiet is what nobody has called
        for {quietAfter} days.
      </Text>
      {gaps.length > 0 && (
        <Text size="sm" className="warning">
          No line of {gaps.slice(0, 5).join(', ')}
          {gaps.length > 5 && ` and ${gaps.length - 5} more days`}: what was called then and not logged is not counted.
        </Text>
      )}
      {others > 0 && (
        <Text size="sm" c="dimmed">
          {grouped(others)} of them were for none of these endpoints.
        </Text>
      )}
      {unreadable > 0 && (
        <Text size="sm" className="warning">
          {grouped(unreadable)} lines could not be read.
        </Text>
      )}
    </Stack>
  )
}

function shownTime(text: string): string {
  return text.slice(0, 16).replace('T', ' ')
}
