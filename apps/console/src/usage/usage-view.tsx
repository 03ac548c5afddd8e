/** The usage of a service by caller: requests by day, and a heat map of the endpoints by version and noun. */
import './usage.css'
import {
  Alert,
  Button,
  Checkbox,
  Group,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { spreadsheetLine } from '@nomen/core/bulk'
import type { ReactNode } from 'react'
import { download } from '../bulk/export.ts'
import { text } from '../language/language.ts'
import { addressOf, sortsOf, withSorts, withValues } from '../model/list/query.ts'
import { usagePath } from '../model/route.ts'
import { problemOf } from '../model/service/problem.ts'
import {
  byDay,
  daysOf,
  deprecationOf,
  type EndpointReport,
  hasConsole,
  requestsOf,
  type UsageReport,
  withoutConsole,
} from '../model/service/usage.ts'
import { coversQuietPeriod, groupsOf, inRange, usageTable } from '../model/service/usage-group.ts'
import { nextSorts } from '../model/service/usage-sort.ts'
import { foldedText } from '../model/title.ts'
import { useConsole } from '../state/console-context.ts'
import { router, useAddress } from '../state/router.ts'
import { Bars } from '../view/bars.tsx'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { CallersDrawer } from './callers-drawer.tsx'
import { HeatMap } from './heat-map.tsx'
import { useUsage } from './use-usage.ts'

export default function UsageView() {
  const usage = useUsage()
  if (usage.data && !usage.error) return <Report report={usage.data} />
  return (
    <Stack gap="md" className="usage">
      <Heading />
      {usage.error ? <Failed error={usage.error} onRetry={() => usage.refetch()} /> : <LoadingUsage />}
    </Stack>
  )
}

function Heading({ children }: { readonly children?: ReactNode }) {
  return (
    <Group justify="space-between">
      <Title order={1} size="h3">
        {text().common.usage}
      </Title>
      {children}
    </Group>
  )
}

function LoadingUsage() {
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
    <Alert color="accent" title={text().usage.unavailable}>
      <Text size="sm">{text().usage.unavailableNote}</Text>
    </Alert>
  )
}

/** The ranges to choose from, in days. `all` is the whole period of the report. */
const ranges = ['7', '30', '90', 'all'] as const

const verdicts = ['in use', 'quiet', 'never called'] as const

function Report({ report: whole }: { readonly report: UsageReport }) {
  const { service } = useConsole()
  const { query } = useAddress()
  const isConsoleShown = query.has('console')
  const range = query.get('days') ?? '30'
  const verdict = query.get('verdict') ?? 'all'
  const search = query.get('search') ?? ''
  const [sort] = sortsOf(query)
  const set = (name: string, value: string | undefined, options = {}) =>
    router.go(addressOf(usagePath, withValues(query, name, value === undefined ? [] : [value])), options)
  const countedUsage = isConsoleShown ? whole : withoutConsole(whole)
  const days = range === 'all' ? daysOf(countedUsage) : daysOf(countedUsage).slice(-Number(range))
  const report = range === 'all' ? countedUsage : inRange(countedUsage, days)
  const canRetire = coversQuietPeriod(whole)
  const isReady = (endpoint: EndpointReport) =>
    canRetire && endpoint.verdict !== 'in use' && deprecationOf(service, endpoint) !== undefined
  const hasVerdict = (endpoint: EndpointReport, wanted: string) =>
    wanted === 'all' || (wanted === 'ready' ? isReady(endpoint) : endpoint.verdict === wanted)
  const matchingEndpoints = report.endpoints.filter(({ method, path }) =>
    foldedText(`${method} ${path}`).includes(foldedText(search.trim())),
  )
  const shown = matchingEndpoints.filter((endpoint) => hasVerdict(endpoint, verdict))
  const count = (wanted: string) => matchingEndpoints.filter((endpoint) => hasVerdict(endpoint, wanted)).length
  const groups = groupsOf(shown)
  const selectable = [...report.endpoints, ...groupsOf(report.endpoints).map(({ total }) => total)]
  const selected = selectable.find((endpoint) => nameOf(endpoint) === query.get('endpoint'))
  const { usage } = text()
  return (
    <Stack gap="md" className="usage">
      <Heading>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          onClick={() => download(fileOf(shown), 'usage.csv')}
        >
          {usage.export}
        </Button>
      </Heading>
      <Coverage report={countedUsage} />
      {days.length > 1 && (
        <Paper withBorder p="md" className="panel">
          <Bars
            title={usage.requestsByDay}
            days={days}
            counts={byDay(
              shown.flatMap(({ callers }) => callers),
              days,
            )}
            height={120}
          />
        </Paper>
      )}
      <Group gap="xs">
        <TextInput
          size="xs"
          className="usage-search"
          aria-label={usage.search}
          placeholder={usage.search}
          leftSection={<Icon name="search" size={14} />}
          value={search}
          onChange={({ currentTarget: { value } }) => set('search', value || undefined, { replaceHistory: true })}
        />
        <SegmentedControl
          size="xs"
          aria-label={usage.range}
          value={range}
          data={ranges.map((value) => ({
            value,
            label: value === 'all' ? usage.wholePeriod : usage.lastDays(Number(value)),
          }))}
          onChange={(next) => set('days', next === '30' ? undefined : next)}
        />
        <SegmentedControl
          size="xs"
          className="verdicts"
          aria-label={usage.shown}
          value={verdict}
          data={['all', ...verdicts, 'ready'].map((value) => ({ value, label: usage.filter(value, count(value)) }))}
          onChange={(next) => set('verdict', next === 'all' ? undefined : next)}
        />
        {hasConsole(whole) && (
          <Checkbox
            size="xs"
            label={usage.showConsole}
            checked={isConsoleShown}
            onChange={({ currentTarget: { checked } }) => set('console', checked ? 'true' : undefined)}
          />
        )}
      </Group>
      {verdict === 'ready' && shown.length === 0 && (
        <Text size="sm">{canRetire ? usage.nothingReady : usage.notEnoughData(whole.quietAfter)}</Text>
      )}
      {verdict !== 'ready' && shown.length === 0 && <Text size="sm">{usage.nothingFound}</Text>}
      {shown.length > 0 && (
        <HeatMap
          groups={groups}
          callers={report.endpoints.flatMap(({ callers }) => callers)}
          days={days}
          isUnfolded={search.trim() !== '' || verdict !== 'all'}
          sort={sort}
          onSort={(name) => router.go(addressOf(usagePath, withSorts(query, nextSorts(sort, name))))}
          onOpen={(endpoint) => set('endpoint', nameOf(endpoint))}
        />
      )}
      {selected && <CallersDrawer endpoint={selected} days={days} onClose={() => set('endpoint', undefined)} />}
    </Stack>
  )
}

/** The name in the URL: the path alone for the sum of a noun. */
function nameOf({ method, path }: EndpointReport): string {
  return `${method} ${path}`.trim()
}

/** A spreadsheet must not run the name of a caller as a formula. */
function fileOf(endpoints: readonly EndpointReport[]): Blob {
  const lines = usageTable(endpoints).map((line) => spreadsheetLine(line.map(String)))
  return new Blob(lines, { type: 'text/csv;charset=utf-8' })
}

/** The period and the gaps of the logs that the figures come from. */
function Coverage({ report }: { readonly report: UsageReport }) {
  const { window, endpoints, others, unreadable, quietAfter } = report
  const requests = requestsOf(endpoints.flatMap(({ callers }) => callers))
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
