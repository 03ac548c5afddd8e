/** A problem, with all that the service said of it: what happened, what to do, and how to find it in the log. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { adviceOn } from '../model/advice.ts'
import { problemOf } from '../model/service/problem.ts'

interface ProblemAlertProps {
  readonly error: unknown
  /** Faults that have no place of their own elsewhere; all of them unless given. */
  readonly details?: readonly string[]
  readonly onRetry?: () => void
}

export function ProblemAlert({ error, details, onRetry }: ProblemAlertProps) {
  const problem = problemOf(error)
  const { title, status, detail, code, requestId, errors } = problem
  const advice = adviceOn(problem)
  const told = (details ?? errors.map((one) => one.detail)).filter((one) => one !== detail)
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Stack gap={6}>
        <Text size="sm">{detail}</Text>
        {told.map((one) => (
          <Text size="sm" key={one}>
            {one}
          </Text>
        ))}
        {advice && (
          <Text size="sm" fw={500}>
            {advice}
          </Text>
        )}
        <Group gap="xs">
          {status > 0 && <Code>{code ? `${status} ${code}` : status}</Code>}
          {requestId && (
            <Text size="xs" c="dimmed">
              Request {requestId}
            </Text>
          )}
          {onRetry && (
            <Button size="compact-xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}
