/** A problem with its details, advice, code and request ID. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { text } from '../language/language.ts'
import { adviceOn } from '../model/advice.ts'
import { problemOf } from '../model/service/problem.ts'

interface ProblemAlertProps {
  readonly error: unknown
  /** The errors to list (default: all of them). */
  readonly details?: readonly string[]
  readonly onRetry?: () => void
}

export function ProblemAlert({ error, details, onRetry }: ProblemAlertProps) {
  const problem = problemOf(error)
  const { title, status, detail, code, requestId, errors } = problem
  const advice = adviceOn(problem)
  const lines = (details ?? errors.map((error) => error.detail)).filter((line) => line !== detail)
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Stack gap={6}>
        <Text size="sm">{detail}</Text>
        {lines.map((line) => (
          <Text size="sm" key={line}>
            {line}
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
              {text().problem.request(requestId)}
            </Text>
          )}
          {onRetry && (
            <Button size="compact-xs" variant="default" onClick={onRetry}>
              {text().common.tryAgain}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}
