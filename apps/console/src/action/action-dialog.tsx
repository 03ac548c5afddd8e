/** Runs a custom operation: asks for its input or for confirmation, and shows the response. */
import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { ApiResponse, Request } from '../http/http-client.ts'
import { useIdempotencyKeys } from '../http/use-idempotency-keys.ts'
import { text } from '../language/language.ts'
import { faultsIn } from '../model/record/fault.ts'
import type { Values } from '../model/record/values.ts'
import { fill } from '../model/route.ts'
import {
  type Action,
  type ActionInput,
  actionForm,
  actionRequest,
  initialInputs,
  inputKey,
} from '../model/service/action.ts'
import { problemOf, withLocation } from '../model/service/problem.ts'
import type { Api } from '../model/service/service.ts'
import { FieldInput } from '../record/field-input.tsx'
import { useConsole } from '../state/console-context.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { DocsLink } from '../view/docs-link.tsx'
import { FieldsAlert, ProblemAlert } from '../view/problem-alert.tsx'
import { ResponseView } from './response-view.tsx'

export interface ActionDialogProps {
  readonly api: Api
  readonly action: Action
  /** The IDs in its path. */
  readonly ids: readonly unknown[]
  /** The name of its record. */
  readonly subject?: string | undefined
  /** The ETag of that record, for operations with If-Match. */
  readonly etag?: string | undefined
  onClose(): void
}

export default function ActionDialog({ api, action, ids, subject, etag, onClose }: ActionDialogProps) {
  const { http, notify } = useConsole()
  const queries = useQueryClient()
  const idempotencyKeys = useIdempotencyKeys()
  const { operation, title } = action
  const form = useMemo(() => actionForm(operation, ids.length), [operation, ids.length])
  const initial = useMemo(() => initialInputs(form), [form])
  const [values, setValues] = useState(initial)
  const [shownResponse, setShownResponse] = useState<ApiResponse>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [faults, setFaults] = useState<Values>({})
  const isRead = operation.method === 'GET'
  const hasInputs = form.inputs.length > 0
  const run = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { pathValues: all, query, headers, body } = actionRequest(operation, form, ids, values)
      const accepts = (name: string) =>
        operation.parameters.some((parameter) => `${parameter.name}`.toLowerCase() === name)
      const response = await http.send({
        base: api.base,
        method: operation.method as Request['method'],
        path: fill(operation.path, all),
        query,
        ...(body !== undefined && { body }),
        headers: {
          ...headers,
          ...(etag !== undefined && accepts('if-match') && { 'if-match': etag }),
          ...(accepts('idempotency-key') && { 'idempotency-key': idempotencyKeys.keyOf([all, `${query}`, body]) }),
        },
      })
      idempotencyKeys.reset()
      // The operation may change any record, so all shown data is requested again.
      if (!isRead) await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'service' })
      if (response.body === null && !isRead) {
        notify({ text: text().action.done(title) })
        onClose()
      } else setShownResponse(response)
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  const wasRun = useRef(false)
  // An operation that only reads and takes no input runs at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => {
    if (isRead && !hasInputs && !wasRun.current) run()
    wasRun.current = true
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const fields = form.inputs.map(({ field }) => field)
    const faults = faultsIn(
      fields,
      Object.fromEntries(form.inputs.map((input) => [input.field.name, values[inputKey(input)]])),
    )
    setFaults(faults)
    if (Object.keys(faults).length === 0) run()
  }
  const { foreignBody } = operation
  return (
    <Dialog
      onClose={onClose}
      title={subject === undefined ? title : text().action.of(title, subject, !hasInputs && !isRead)}
      size="lg"
      closeOnClickOutside={!hasInputs || values === initial}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <OperationDescription action={action} ids={ids} />
          {foreignBody !== undefined && <Alert color="yellow">{text().action.foreignBody(foreignBody)}</Alert>}
          {(!shownResponse || isRead) && foreignBody === undefined && (
            <ActionInputs
              api={api}
              inputs={form.inputs}
              values={values}
              faults={faults}
              error={error}
              onChange={setValues}
            />
          )}
          {shownResponse && <ResponseView api={api} operation={operation} response={shownResponse} />}
          <Group justify="space-between">
            <DocsLink base={api.base} method={operation.method} path={operation.path} />
            <Group ml="auto">
              <Button variant="default" onClick={onClose} data-autofocus={hasInputs ? undefined : true}>
                {shownResponse ? text().common.close : text().common.cancel}
              </Button>
              {shownResponse && !isRead ? (
                <Button variant="light" onClick={() => setShownResponse(undefined)}>
                  {text().action.runAgain}
                </Button>
              ) : (
                <Button
                  type="submit"
                  loading={isBusy}
                  disabled={foreignBody !== undefined}
                  {...(operation.method === 'DELETE' && { color: 'red.9' })}
                >
                  {shownResponse ? text().action.runAgain : title}
                </Button>
              )}
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function OperationDescription({ action: { operation }, ids }: Pick<ActionDialogProps, 'action' | 'ids'>) {
  const { method, path, description, isDeprecated } = operation
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Code>
          {method} {fill(path, ids)}
        </Code>
        {isDeprecated && (
          <Badge color="orange" variant="light" radius="sm" tt="none">
            {text().action.deprecated}
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

interface ActionInputsProps {
  readonly api: Api
  readonly inputs: readonly ActionInput[]
  readonly values: { readonly [key: string]: unknown }
  /** The errors of values that were not sent, by field name. */
  readonly faults: Values
  readonly error: unknown
  onChange(values: { readonly [key: string]: unknown }): void
}

/** One input for each value, with its errors. */
function ActionInputs({ api, inputs, values, faults, error, onChange }: ActionInputsProps) {
  const box = useRef<HTMLDivElement>(null)
  const faultCount = Object.keys(faults).length
  const fields = inputs.map(({ field }) => field)
  const { atField, others } = error === undefined ? { atField: {}, others: [] } : withLocation(problemOf(error), fields)
  // Screen readers announce the first invalid field.
  useEffect(() => {
    if (error !== undefined || Object.keys(faults).length > 0)
      box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error, faults])
  return (
    <Stack gap="sm" ref={box}>
      {faultCount > 0 && <FieldsAlert count={faultCount} />}
      {faultCount === 0 && error !== undefined && (
        <ProblemAlert error={error} details={others} fieldErrors={Object.keys(atField).length} />
      )}
      {inputs.map((input) => (
        <FieldInput
          key={inputKey(input)}
          api={api}
          field={input.field}
          value={values[inputKey(input)]}
          stored={undefined}
          error={(faults[input.field.name] ?? (atField as Values)[input.field.name]) as string | undefined}
          isDisabled={false}
          onChange={(value) => onChange({ ...values, [inputKey(input)]: value })}
        />
      ))}
    </Stack>
  )
}
