/** Does what a service offers beside the work on its records: asks for what it takes, or whether it is meant, and shows what came of it. */
import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { fill } from '../model/address.ts'
import { type Action, type Ask, actionForm, actionRequest, askKey, askValues } from '../model/service/action.ts'
import { placed, problemOf } from '../model/service/problem.ts'
import type { Api } from '../model/service/service.ts'
import { FieldInput } from '../record/field-input.tsx'
import { Dialog } from '../view/dialog.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useRepeatKey } from '../wire/use-repeat-key.ts'
import type { Answer, Request } from '../wire/wire.ts'
import { AnswerView } from './answer-view.tsx'

export interface ActionDialogProps {
  readonly api: Api
  readonly action: Action
  /** Those of the records that its path stands below. */
  readonly ids: readonly unknown[]
  /** The record that it is done with, as people call it. */
  readonly subject?: string | undefined
  /** Of that record, where the operation wants to know that it is still the same. */
  readonly etag?: string | undefined
  onClose(): void
}

export default function ActionDialog({ api, action, ids, subject, etag, onClose }: ActionDialogProps) {
  const { wire, say } = useConsole()
  const queries = useQueryClient()
  const key = useRepeatKey()
  const { operation, title } = action
  const form = useMemo(() => actionForm(operation, ids.length), [operation, ids.length])
  const begun = useMemo(() => askValues(form), [form])
  const [values, setValues] = useState(begun)
  const [answer, setAnswer] = useState<Answer>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const isRead = operation.method === 'GET'
  const isAsking = form.asks.length > 0
  const run = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { ids: all, query, headers, body } = actionRequest(operation, form, ids, values)
      const takes = (name: string) => operation.parameters.some((one) => `${one.name}`.toLowerCase() === name)
      const given = await wire.send({
        base: api.base,
        method: operation.method as Request['method'],
        path: fill(operation.path, all),
        query,
        ...(body !== undefined && { body }),
        headers: {
          ...headers,
          ...(etag !== undefined && takes('if-match') && { 'if-match': etag }),
          ...(takes('idempotency-key') && { 'idempotency-key': key.of([all, `${query}`, body]) }),
        },
      })
      key.forget()
      // Nobody knows what a service does beyond its answer: all that is shown is asked for again.
      if (!isRead) await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'service' })
      if (given.body === null && !isRead) {
        say({ text: `${title}: done.` })
        onClose()
      } else setAnswer(given)
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  const wasAsked = useRef(false)
  // Who only reads and has nothing to say need not be asked twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (isRead && !isAsking && !wasAsked.current) run()
    wasAsked.current = true
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  const { foreignBody } = operation
  return (
    <Dialog onClose={onClose} title={title} size="lg" closeOnClickOutside={!isAsking || values === begun}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <About action={action} subject={subject} />
          {foreignBody !== undefined && (
            <Alert color="yellow">
              It takes {foreignBody}, and the console sends JSON only: call it from elsewhere.
            </Alert>
          )}
          {(!answer || isRead) && foreignBody === undefined && (
            <Asks api={api} asks={form.asks} values={values} error={error} onChange={setValues} />
          )}
          {answer && <AnswerView api={api} operation={operation} answer={answer} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={isAsking ? undefined : true}>
              {answer ? 'Close' : 'Cancel'}
            </Button>
            {answer && !isRead ? (
              <Button variant="light" onClick={() => setAnswer(undefined)}>
                Once more
              </Button>
            ) : (
              <Button
                type="submit"
                loading={isBusy}
                disabled={foreignBody !== undefined}
                {...(operation.method === 'DELETE' && { color: 'red.9' })}
              >
                {answer ? 'Ask again' : title}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function About({ action: { operation }, subject }: Pick<ActionDialogProps, 'action' | 'subject'>) {
  const { method, path, description, isDeprecated } = operation
  return (
    <Stack gap={6}>
      {subject !== undefined && <Text fw={500}>{subject}</Text>}
      <Group gap="xs">
        <Code>
          {method} {path}
        </Code>
        {isDeprecated && (
          <Badge color="orange" variant="light" radius="sm" tt="none">
            Deprecated
          </Badge>
        )}
      </Group>
      {description !== undefined && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
    </Stack>
  )
}

interface AsksProps {
  readonly api: Api
  readonly asks: readonly Ask[]
  readonly values: { readonly [key: string]: unknown }
  readonly error: unknown
  onChange(values: { readonly [key: string]: unknown }): void
}

/** One control for each value, with the problems at theirs. */
function Asks({ api, asks, values, error, onChange }: AsksProps) {
  const place = useRef<HTMLDivElement>(null)
  const names = asks.map(({ field }) => field.name)
  const { atField, others } = error === undefined ? { atField: {}, others: [] } : placed(problemOf(error), names)
  // Whoever cannot see the page must hear of the first fault.
  useEffect(() => {
    if (error !== undefined) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return (
    <Stack gap="sm" ref={place}>
      {error !== undefined && <ProblemAlert error={error} details={others} />}
      {asks.map((ask) => (
        <FieldInput
          key={askKey(ask)}
          api={api}
          field={ask.field}
          value={values[askKey(ask)]}
          stored={undefined}
          error={(atField as { readonly [name: string]: string })[ask.field.name]}
          isDisabled={false}
          onChange={(value) => onChange({ ...values, [askKey(ask)]: value })}
        />
      ))}
    </Stack>
  )
}
