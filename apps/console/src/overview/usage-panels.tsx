/** The usage of the service on the home page: requests by day, errors, and deprecated endpoints that are still called. */
import { Badge, Group, Paper, Text, Title } from '@mantine/core'
import { text } from '../language/language.ts'
import { usagePath } from '../model/route.ts'
import {
  byDay,
  callerName,
  deprecationOf,
  type EndpointReport,
  requestsOf,
  type UsageReport,
} from '../model/service/usage.ts'
import { merged } from '../model/service/usage-group.ts'
import { useConsole } from '../state/console-context.ts'
import { Bars } from '../view/bars.tsx'
import { Link } from '../view/link.tsx'

interface UsagePanelsProps {
  readonly report: UsageReport
  readonly days: readonly string[]
}

const shownEndpoints = 5

export function UsagePanels({ report, days }: UsagePanelsProps) {
  const { service } = useConsole()
  const callers = merged(report.endpoints.flatMap((endpoint) => endpoint.callers))
  const failing = busiest(report.endpoints, ({ errors }) => errors)
  const old = busiest(
    report.endpoints.filter((endpoint) => deprecationOf(service, endpoint)),
    ({ requests }) => requests,
  )
  const { overview, usage, common } = text()
  return (
    <>
      <Paper withBorder p="md" component="section" aria-labelledby="requests-by-day" className="panel">
        <Group justify="space-between" mb="xs">
          <Title order={2} size="h5" id="requests-by-day">
            {usage.requestsByDay}
          </Title>
          <Link to={usagePath} size="sm">
            {common.usage}
          </Link>
        </Group>
        {callers.length === 0 ? (
          <Text size="sm">{overview.noCalls}</Text>
        ) : (
          <>
            <Bars title={usage.requestsByDay} days={days} counts={byDay(callers, days)} height={120} />
            <Text size="sm" mt="xs">
              {overview.calls(
                requestsOf(callers),
                callers.reduce((sum, { errors }) => sum + errors, 0),
                callers.length,
              )}
            </Text>
            <Text size="xs" c="dimmed" mt={4}>
              {overview.period(days.length)}
            </Text>
          </>
        )}
      </Paper>
      {failing.length > 0 && (
        <EndpointPanel
          id="errors"
          title={overview.errors}
          endpoints={failing}
          noteOf={({ errors, requests }) => overview.errorShare(errors, requests)}
        />
      )}
      {old.length > 0 && (
        <EndpointPanel
          id="deprecated"
          title={overview.deprecatedCalls}
          endpoints={old}
          noteOf={(endpoint) => overview.calledBy(endpoint.requests, endpoint.callers.slice(0, 3).map(callerName))}
          badge={(endpoint) => {
            const { sunset } = deprecationOf(service, endpoint) ?? {}
            return sunset === undefined ? undefined : usage.sunset(sunset)
          }}
        />
      )}
    </>
  )
}

interface EndpointPanelProps {
  readonly id: string
  readonly title: string
  readonly endpoints: readonly EndpointReport[]
  noteOf(endpoint: EndpointReport): string
  badge?(endpoint: EndpointReport): string | undefined
}

function EndpointPanel({ id, title, endpoints, noteOf, badge }: EndpointPanelProps) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} className="panel">
      <Title order={2} size="h5" mb="xs" id={id}>
        {title}
      </Title>
      <ul className="entries">
        {endpoints.map((endpoint) => {
          const name = `${endpoint.method} ${endpoint.path}`
          const badgeText = badge?.(endpoint)
          return (
            <li key={name} className="endpoint-line">
              <Link to={`${usagePath}?${new URLSearchParams({ endpoint: name })}`} className="endpoint">
                <b>{endpoint.method}</b> {endpoint.path}
              </Link>
              <Group gap={6}>
                <Text size="xs" c="dimmed">
                  {noteOf(endpoint)}
                </Text>
                {badgeText !== undefined && (
                  <Badge variant="light" color="orange" radius="sm" tt="none" fw={500} size="sm">
                    {badgeText}
                  </Badge>
                )}
              </Group>
            </li>
          )
        })}
      </ul>
    </Paper>
  )
}

/** The endpoints with the highest counts, without those that have none. */
function busiest(endpoints: readonly EndpointReport[], count: (endpoint: EndpointReport) => number) {
  return endpoints
    .filter((endpoint) => count(endpoint) > 0)
    .toSorted((a, b) => count(b) - count(a))
    .slice(0, shownEndpoints)
}
