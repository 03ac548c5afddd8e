/** What a service can do beside the work on its records: at which record or list it stands, how it is called, what it asks for. */
import { type Field, fieldOf, fieldsOf } from '../record/field.ts'
import { initialValues, newBody, sent, type Values } from '../record/values.ts'
import { title } from '../words.ts'
import type { Operation } from './operation.ts'

export interface Action {
  readonly operation: Operation
  readonly title: string
}

/** The actions of one place. Where two would be called the same, the method tells them apart. */
export function actionsFrom(operations: readonly Operation[]): readonly Action[] {
  const named = operations.map((operation) => ({ operation, title: titleOf(operation) }))
  return named.map((one) => {
    const isDouble = named.some((other) => other !== one && other.title === one.title)
    return isDouble ? { ...one, title: `${one.title} (${one.operation.method})` } : one
  })
}

/** So long a text still fits on a button. */
const longest = 40

/** As the document calls it, unless that only says the path again. */
function titleOf({ path, summary }: Operation): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const plain = title(segments.at(-1) ?? path)
  const told = summary?.trim().replace(/\.$/, '')
  if (!told || told.length > longest || told.toLowerCase().startsWith(`${plain.toLowerCase()} of `)) return plain
  return told
}

/** A value that someone has to give, and where in the request it goes. */
export interface Ask {
  readonly place: 'path' | 'query' | 'header' | 'body'
  readonly field: Field
}

export interface ActionForm {
  readonly asks: readonly Ask[]
  /** The body is one value, and not an object of several. */
  readonly isWhole: boolean
}

/** Headers that are nobody's to fill in. */
const usual = /^(accept|content-type|authorization|if-(none-)?match|idempotency-key|x-(request|transaction)-id)$/i

/** What an operation asks for; the first parameters of its path, so many as `known`, are there already. */
export function actionForm({ path, parameters, body }: Operation, known: number): ActionForm {
  const ask = (name: string, place: Ask['place']): Ask => {
    const parameter = parameters.find((one) => one.name === name && one.in === place)
    const field = fieldOf(name, parameter?.shape, place === 'path' || parameter?.isRequired === true)
    const description = parameter?.raw.description
    return {
      place,
      field: { ...field, description: typeof description === 'string' ? description : field.description },
    }
  }
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].slice(known).map(([, name]) => ask(`${name}`, 'path'))
  const others = parameters.filter((one) => one.in === 'query' || (one.in === 'header' && !usual.test(one.name)))
  const properties = body ? fieldsOf(body).filter(({ isReadOnly }) => !isReadOnly) : []
  // One of several shapes has no form of its own.
  const isWhole = body !== undefined && (body.isUnion || body.properties.size === 0)
  const inBody = isWhole ? [fieldOf('body', body, true)] : properties
  return {
    asks: [
      ...inPath,
      ...others.map((one) => ask(one.name, one.in as Ask['place'])),
      ...inBody.map((field): Ask => ({ place: 'body', field })),
    ],
    isWhole,
  }
}

/** Values by where they go and what they are called there. */
export function askKey({ place, field }: Ask): string {
  return `${place} ${field.name}`
}

export function askValues({ asks }: ActionForm): Values {
  return Object.fromEntries(asks.map((ask) => [askKey(ask), initialValues([ask.field])[ask.field.name]]))
}

export interface ActionRequest {
  /** What the path has in place of its parameters. */
  readonly ids: readonly unknown[]
  readonly query: URLSearchParams
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

/** The request that these values make; `ids` are those of the records above. */
export function actionRequest(
  { body }: Operation,
  { asks, isWhole }: ActionForm,
  ids: readonly unknown[],
  values: Values,
): ActionRequest {
  const at = (place: Ask['place']) =>
    asks
      .filter((ask) => ask.place === place)
      .map((ask) => ({ field: ask.field, typed: values[askKey(ask)], value: sent(ask.field, values[askKey(ask)]) }))
  const query = new URLSearchParams()
  for (const { field, value } of at('query'))
    for (const one of [value].flat()) if (!isLeftOut(field, one)) query.append(field.name, `${one}`)
  const headers = at('header').filter(({ field, value }) => !isLeftOut(field, value))
  const typed = Object.fromEntries(at('body').map((one) => [one.field.name, one.typed]))
  return {
    ids: [...ids, ...at('path').map(({ value }) => value)],
    query,
    headers: Object.fromEntries(headers.map(({ field, value }) => [field.name.toLowerCase(), `${value}`])),
    body:
      body &&
      (isWhole
        ? at('body')[0]?.value
        : newBody(
            at('body').map(({ field }) => field),
            typed,
          )),
  }
}

/** Nothing was said; or what the service takes anyway. */
function isLeftOut(field: Field, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return !field.isRequired && field.default === value
}
