/** Custom operations of a service: their record or list, their titles, and their input. */
import { type Field, fieldOf, fieldsOf } from '../record/field.ts'
import { initialValues, newBody, type Values, valueToSend } from '../record/values.ts'
import { title } from '../title.ts'
import type { Operation } from './operation.ts'

export interface Action {
  readonly operation: Operation
  readonly title: string
}

/** The actions of a record or list. The method distinguishes actions with the same title. */
export function actionsFrom(operations: readonly Operation[]): readonly Action[] {
  const actions = operations.map((operation) => ({ operation, title: titleOf(operation) }))
  return actions.map((action) => {
    const isDuplicate = actions.some((candidate) => candidate !== action && candidate.title === action.title)
    return isDuplicate ? { ...action, title: `${action.title} (${action.operation.method})` } : action
  })
}

/** The maximum length of a summary that fits on a button. */
const maxTitleLength = 40

/** The summary of the operation, unless it is too long or only repeats the path. */
function titleOf({ path, summary }: Operation): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const pathTitle = title(segments.at(-1) ?? path)
  const text = summary?.trim().replace(/\.$/, '')
  if (!text || text.length > maxTitleLength || text.toLowerCase().startsWith(`${pathTitle.toLowerCase()} of `))
    return pathTitle
  return text
}

/** An input value and its position in the request. */
export interface ActionInput {
  readonly location: 'path' | 'query' | 'header' | 'body'
  readonly field: Field
}

export interface ActionForm {
  readonly inputs: readonly ActionInput[]
  /** There is one input for the whole body, because it has no properties or is a union. */
  readonly hasSingleBodyInput: boolean
}

/** Headers that the console sets itself. */
const standardHeader =
  /^(accept|content-type|authorization|if-(none-)?match|idempotency-key|x-(request|transaction)-id)$/i

/** The input of an operation. The values of the first `knownCount` path parameters are already known. */
export function actionForm({ path, parameters, body }: Operation, knownCount: number): ActionForm {
  const inputOf = (name: string, location: ActionInput['location']): ActionInput => {
    const parameter = parameters.find((candidate) => candidate.name === name && candidate.in === location)
    const field = fieldOf(name, parameter?.shape, location === 'path' || parameter?.isRequired === true)
    // Without a third option, "no" would be sent for a parameter that the user has not touched.
    const isOptional = field.kind === 'boolean' && !field.isRequired && !field.hasDefault
    const description = parameter?.description ?? field.description
    return { location, field: { ...field, description, isNullable: field.isNullable || isOptional } }
  }
  const pathInputs = [...path.matchAll(/\{([^}]*)\}/g)].slice(knownCount).map(([, name]) => inputOf(`${name}`, 'path'))
  const otherParameters = parameters.filter(
    (parameter) => parameter.in === 'query' || (parameter.in === 'header' && !standardHeader.test(parameter.name)),
  )
  const properties = body ? fieldsOf(body).filter(({ isReadOnly }) => !isReadOnly) : []
  // A union has no form, so its body is JSON text.
  const isWhole = body !== undefined && (body.isUnion || body.properties.size === 0)
  const bodyFields = isWhole ? [fieldOf('body', body, true)] : properties
  return {
    inputs: [
      ...pathInputs,
      ...otherParameters.map((parameter) => inputOf(parameter.name, parameter.in as ActionInput['location'])),
      ...bodyFields.map((field): ActionInput => ({ location: 'body', field })),
    ],
    hasSingleBodyInput: isWhole,
  }
}

/** The key of a value: its position and name. */
export function inputKey({ location, field }: ActionInput): string {
  return `${location} ${field.name}`
}

export function initialInputs({ inputs }: ActionForm): Values {
  return Object.fromEntries(inputs.map((input) => [inputKey(input), initialValues([input.field])[input.field.name]]))
}

export interface ActionRequest {
  /** The values of the path parameters. */
  readonly pathValues: readonly unknown[]
  readonly query: URLSearchParams
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

/** The request with these values; `recordIds` are the IDs of the records in the path. */
export function actionRequest(
  { body }: Operation,
  { inputs, hasSingleBodyInput: isWhole }: ActionForm,
  recordIds: readonly unknown[],
  values: Values,
): ActionRequest {
  const inputsAt = (location: ActionInput['location']) =>
    inputs
      .filter((input) => input.location === location)
      .map((input) => ({
        field: input.field,
        raw: values[inputKey(input)],
        value: valueToSend(input.field, values[inputKey(input)]),
      }))
  const query = new URLSearchParams()
  for (const { field, value } of inputsAt('query'))
    for (const item of [value].flat()) if (!isLeftOut(field, item)) query.append(field.name, `${item}`)
  const headers = inputsAt('header').filter(({ field, value }) => !isLeftOut(field, value))
  const bodyValues = Object.fromEntries(inputsAt('body').map((input) => [input.field.name, input.raw]))
  return {
    pathValues: [...recordIds, ...inputsAt('path').map(({ value }) => value)],
    query,
    headers: Object.fromEntries(headers.map(({ field, value }) => [field.name.toLowerCase(), `${value}`])),
    body:
      body &&
      (isWhole
        ? inputsAt('body')[0]?.value
        : newBody(
            inputsAt('body').map(({ field }) => field),
            bodyValues,
          )),
  }
}

/** No value, or the default of the service. */
function isLeftOut(field: Field, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return !field.isRequired && field.default === value
}
