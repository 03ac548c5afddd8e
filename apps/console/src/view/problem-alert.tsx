/** A problem with its advice. Code, request ID and the words of the service are below Details if the fields show the errors. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../language/language.ts'
import { adviceOn } from '../model/advice.ts'
import { type Problem, problemOf } from '../model/service/problem.ts'

interface ProblemAlertProps {
  readonly error: unknown
  /** The errors to list (default: all of them). */
  readonly details?: readonly string[]
  /** The number of fields that show their own errors. */
  readonly fieldErrors?: number
  /** A remark on the content that stays visible despite the problem. */
  readonly note?: string | undefined
  readonly onRetry?: () => void
  /** Buttons that solve the problem. */
  readonly actions?: ReactNode
}

export function ProblemAlert({ error, details, fieldErrors = 0, note, onRetry, actions }: ProblemAlertProps) {
  const problem = problemOf(error)
  const { title, detail, errors } = problem
  const advice = adviceOn(problem)
  const lines = (details ?? errors.map((error) => error.detail)).filter((line) => line !== detail)
  if (fieldErrors > 0) {
    // The detail of 400 is about JSON. The details of other problems are about records.
    const isTechnical = problem.status === 400
    return (
      <FieldsAlert count={fieldErrors}>
        <Stack gap={6}>
          <DetailList lines={isTechnical ? lines : [detail, ...lines]} />
          <details className="problem-details">
            <summary>{text().common.details}</summary>
            <Stack gap={6} mt={6}>
              <DetailList lines={[title, ...(isTechnical ? [detail] : []), ...(advice ? [advice] : [])]} />
              <ProblemOrigin problem={problem} />
            </Stack>
          </details>
        </Stack>
      </FieldsAlert>
    )
  }
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Stack gap={6}>
        <DetailList lines={[detail, ...lines, ...(note === undefined ? [] : [note])]} />
        {advice && (
          <Text size="sm" fw={500}>
            {advice}
          </Text>
        )}
        <Group gap="xs">
          {actions}
          {onRetry && (
            <Button size="compact-xs" variant="default" onClick={onRetry}>
              {text().common.tryAgain}
            </Button>
          )}
          <ProblemOrigin problem={problem} />
        </Group>
      </Stack>
    </Alert>
  )
}

/** The number of fields that show an error. */
export function FieldsAlert({ count, children }: { readonly count: number; readonly children?: ReactNode }) {
  return (
    <Alert color="red" variant="light" title={text().problem.fieldsToCheck(count)} role="alert">
      {children}
    </Alert>
  )
}

function DetailList({ lines: details }: { readonly lines: readonly string[] }) {
  return details.map((line) => (
    <Text size="sm" key={line}>
      {line}
    </Text>
  ))
}

/** The status, the code and the request ID, for those who search the logs. */
function ProblemOrigin({ problem: { status, code, requestId } }: { readonly problem: Problem }) {
  return (
    <Group gap="xs">
      {status > 0 && <Code>{code ? `${status} ${code}` : status}</Code>}
      {requestId && (
        <Text size="xs" c="dimmed">
          {text().problem.request(requestId)}
        </Text>
      )}
    </Group>
  )
}
