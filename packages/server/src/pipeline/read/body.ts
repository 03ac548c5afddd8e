/** Reads the body of a write: its media type, its JSON, and every property against its field. */
import {
  type Body,
  hasDefault,
  nearest,
  type Operation,
  ProblemError,
  type Property,
  problem,
  readValue,
  type Value,
} from '@nomen/core'
import { cut, quoted, sentence } from '../../foundation/quoted.ts'
import type { Values } from '../../store/plan.ts'
import { ErrorList } from './error-list.ts'
import { hasMoreValues } from './json-value-count.ts'
import { mediaTypeCheck } from './media-type.ts'
import type { RawRequest } from './parsed-request.ts'

type BodyReader = (raw: RawRequest, ancestors: readonly Value[], key: Value) => Values

/** Creates the body reader of one operation at start; undefined if it takes no body. */
export function bodyReader(operation: Operation): BodyReader | undefined {
  const { body, kind } = operation
  return body && makeReader(operation, body, requiredNames(body, kind))
}

/**
 * The body reader for handlers, which may write managed fields; undefined if the noun has none. A new record needs those that
 * have neither a default nor an assignment.
 */
export function handlerBodyReader(operation: Operation, assigned: readonly string[]): BodyReader | undefined {
  const { body, kind } = operation
  if (!body || body.managed.length === 0) return undefined
  const neededProperties = body.managed.filter(({ field, spec }) => !hasDefault(spec) && !assigned.includes(field))
  const required = [
    ...requiredNames(body, kind),
    ...(kind === 'create' ? neededProperties.map(({ name }) => name) : []),
  ]
  return makeReader(operation, { ...body, properties: [...body.properties, ...body.managed] }, required)
}

function makeReader(operation: Operation, body: Body, required: readonly string[]): BodyReader {
  const { kind, path } = operation
  const checkMediaType = mediaTypeCheck(operation)
  const properties = new Map(body.properties.map((property) => [property.name, property]))
  const pathSources = new Map(body.fromPath.map((source) => [source.property.name, source]))
  const ignoredNames = new Set(body.ignored)
  const knownNames = [...properties.keys()]
  return (raw, ancestors, key) => {
    const object = parseObject(raw, checkMediaType)
    const values: Record<string, Value> = {}
    const errors = new ErrorList()
    let mismatch: Mismatch | undefined
    for (const [name, value] of Object.entries(object)) {
      const property = properties.get(name)
      const source = pathSources.get(name)
      if (property) readProperty(property, value, values, errors)
      else if (source) {
        const expected = ancestors[source.level] ?? null
        if (value !== expected) mismatch ??= { name, value, expected }
      } else if (name === body.identity?.name) {
        if (kind !== 'create' && value !== key) mismatch ??= { name, value, expected: key }
      } else if (!ignoredNames.has(name))
        errors.add(() => ({ pointer: pointer(cut(name)), detail: unknownDetail(name, knownNames) }))
    }
    for (const name of required)
      if (!Object.hasOwn(object, name)) errors.add(() => ({ pointer: pointer(name), detail: 'is missing' }))
    if (errors.count > 0) throw invalidBody(errors, kind, path, knownNames)
    if (mismatch) throw identityMismatch(mismatch)
    for (const { property, level } of body.fromPath)
      if (kind === 'create') values[property.field] = ancestors[level] ?? null
    return values
  }
}

/** A value in the body that differs from the value in the path. */
interface Mismatch {
  readonly name: string
  readonly value: unknown
  readonly expected: Value
}

function requiredNames({ properties }: Body, kind: Operation['kind']): readonly string[] {
  if (kind === 'update') return []
  const required = kind === 'replace' ? properties : properties.filter(({ spec }) => !hasDefault(spec))
  return required.map(({ name }) => name)
}

function readProperty(
  { name, field, spec }: Property,
  value: unknown,
  values: Record<string, Value>,
  errors: ErrorList,
): void {
  const result = readValue(spec, value)
  if ('fault' in result)
    errors.add(() => ({
      pointer: pointer(name),
      detail: value === null ? result.fault : `${result.fault}, not ${quoted(value)}`,
    }))
  else values[field] = result.value
}

function unknownDetail(name: string, knownNames: readonly string[]): string {
  const suggestion = nearest(name, knownNames)
  return suggestion ? `is not a known property. Did you mean "${suggestion}"?` : 'is not a known property'
}

function invalidBody(errors: ErrorList, kind: string, path: string, knownNames: readonly string[]): ProblemError {
  const [first] = errors.reported
  const isMissing = errors.reported.some(({ detail }) => detail === 'is missing')
  const usePatch = kind === 'replace' && isMissing ? ` PUT requires all of them; use PATCH to send only some.` : ''
  return new ProblemError(
    problem('invalid-body', {
      detail: `"${first?.pointer}" ${sentence(`${first?.detail}`)}${errors.more}`,
      hint: `${path} accepts ${knownNames.join(', ')}.${usePatch}`,
      errors: errors.reported,
    }),
  )
}

function identityMismatch({ name, value, expected }: Mismatch): ProblemError {
  return new ProblemError(
    problem('identity-mismatch', {
      detail: `The body has ${name} ${quoted(value)}, but the path has ${quoted(expected)}.`,
      hint: `Remove ${name} from the body, or use the path of the other record.`,
      errors: [{ pointer: pointer(name), detail: `must be ${quoted(expected)}` }],
    }),
  )
}

/** The maximum number of JSON values in a body. No record has as many properties. */
const maxValues = 10_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseObject({ body, headers }: RawRequest, checkMediaType: ReturnType<typeof mediaTypeCheck>): object {
  if (!body || body.length === 0) {
    throw new ProblemError(problem('malformed-json', { detail: 'The body is empty.', hint: 'Send a JSON object.' }))
  }
  const mediaTypeError = checkMediaType(headers)
  if (mediaTypeError) throw mediaTypeError
  if (hasMoreValues(body, maxValues)) {
    throw new ProblemError(
      problem('invalid-body', {
        detail: `The body has more than ${maxValues} values.`,
        hint: 'Send a JSON object with the properties of one record.',
      }),
    )
  }
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(body))
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8'
    throw new ProblemError(
      problem('malformed-json', {
        detail: `The body is not valid JSON: ${reason}.`,
        hint: 'Send a JSON object in UTF-8.',
      }),
    )
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new ProblemError(
    problem('invalid-body', {
      detail: `The body is ${quoted(value)}, not an object.`,
      hint: 'Send a JSON object.',
    }),
  )
}

function pointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
